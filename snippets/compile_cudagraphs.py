"""CUDA graphs: recorded addresses and outputs that the next run writes over."""

# region overwritten
import torch

def backend(gm, inputs):
    result = torch.empty(2)  # always the same memory
    def replay(*args):
        return (result.copy_(gm(*args)[0]),)
    return replay

f = torch.compile(lambda x: x + 1, backend=backend)
first = f(torch.zeros(2))
second = f(torch.ones(2))
print(first, second)
# Output:
# tensor([2., 2.]) tensor([2., 2.])
# endregion

# region recorded_input
import torch

def backend(gm, inputs):
    recorded = torch.zeros(2)  # the address in the recording
    def replay(x):
        return gm(recorded)
    return replay

f = torch.compile(lambda x: x + 1, backend=backend)
print(f(torch.zeros(2)), f(torch.ones(2)))
# Output:
# tensor([1., 1.]) tensor([1., 1.])
# endregion

# region proof_messages
import inspect
import torch
from torch._inductor import cudagraph_trees, cudagraph_utils

manager = cudagraph_trees.CUDAGraphTreeManager
told = inspect.getsource(manager)
assert "accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run" in told
assert "call torch.compiler.cudagraph_mark_step_begin() before each model invocation" in told
assert "clone the tensor" in told
told = " ".join(torch.compiler.cudagraph_mark_step_begin.__doc__.split())
assert "CUDA Graphs will free tensors of a prior iteration" in told
assert "so long as there is not a pending backward" in told
told = inspect.getsource(cudagraph_utils)
assert "mutated inputs (" in told and "checking if mutation is only on parameters/static inputs" in told
assert cudagraph_utils.format_default_skip_message("mutated inputs") == "skipping cudagraphs due to mutated inputs"
if "padding inputs to a few fixed number of shapes" in told:
    assert "recording a new graph for each " in told
    assert torch._inductor.config.triton.cudagraph_skip_dynamic_graphs is False
told = " ".join(torch.compile.__doc__.split())
assert "at the cost of more memory usage" in told
assert "as we will cache the workspace memory required for the invocation so that we do not have to reallocate it" in told
assert "today, we only reduce overhead for CUDA only graphs which do not mutate inputs" in told
told = " ".join(torch.cuda.make_graphed_callables.__doc__.split())
assert "must contain only Tensors" in told
assert "During backward, this node runs the callable's backward work as a CUDA graph" in told
assert "Returned callables do not support higher order differentiation" in told
# copying into a tensor keeps its address
static = torch.zeros(2)
address = static.data_ptr()
static.copy_(torch.ones(2))
assert static.sum() == 2 and static.data_ptr() == address
# what is copied keeps its value
kept = torch.zeros(2)
copy = kept.clone()
kept.fill_(7)
assert copy.sum() == 0
print("recorded as told")
# endregion
