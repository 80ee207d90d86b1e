"""AOTAutograd and make_fx: graphs of basic operations, forward and backward."""

# region backward_inputs
import torch
from functorch.compile import aot_function

counts = []
def count(gm, inputs):
    counts.append(len(inputs))
    return gm.forward

f = aot_function(lambda x: x.sin(), count)
f(torch.ones(1, requires_grad=True)).backward()
print(counts)
# Output:
# [1, 2]
# endregion

# region proof_backward_inputs
import torch
from functorch.compile import aot_function

graphs, given = [], []
def keep(gm, inputs):
    graphs.append(gm)
    def run(*args):
        given.append([arg.tolist() for arg in args])
        return gm.forward(*args)
    return run
f = aot_function(lambda x: x.sin(), keep)
(f(torch.full((1,), 3.0, requires_grad=True)) * 5).backward()
assert given == [[[3.0]], [[3.0], [5.0]]], given
placeholders = [n.name for n in graphs[1].graph.nodes if n.op == "placeholder"]
assert placeholders == ["primals_1", "tangents_1"], placeholders
# endregion

# region functional
import torch
from functorch.compile import aot_function

def show(gm, inputs):
    print([n.name for n in gm.graph.nodes][1:-1])
    return gm.forward

def f(x):
    return x.mul(2).add_(1)

aot_function(f, show)(torch.ones(2))
# Output:
# ['mul', 'add']
# endregion

# region input_changed
import torch

@torch.compile(backend="aot_eager")
def f(x):
    x.add_(1)
    return x * 2

x = torch.ones(1)
print(f(x), x)
# Output:
# tensor([4.]) tensor([2.])
# endregion

# region linear
import torch
from functorch.compile import aot_function

def show(gm, inputs):
    print([n.name for n in gm.graph.nodes][3:-1])
    return gm.forward

x, w, b = torch.ones(2, 3), torch.ones(4, 3), torch.ones(4)
f = aot_function(torch.nn.functional.linear, show)
f(x, w, b)
# Output:
# ['t', 'addmm']
# endregion

# region double_backward
import torch

x = torch.ones(1, requires_grad=True)
for name in ("eager", "aot_eager"):
    f = torch.compile(lambda a: a ** 3, backend=name)
    g, = torch.autograd.grad(f(x), x, create_graph=True)
    try:
        g.backward()
        print(x.grad)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# tensor([6.])
# RuntimeError
# endregion

# region baked_size
import torch
from torch.fx.experimental.proxy_tensor import make_fx

def f(x):
    return x / x.shape[0]

for mode in ("real", "symbolic"):
    traced = make_fx(f, tracing_mode=mode)(torch.ones(2))
    print(traced(torch.ones(4)))
# Output:
# tensor([0.5000, 0.5000, 0.5000, 0.5000])
# tensor([0.2500, 0.2500, 0.2500, 0.2500])
# endregion

# region proof_input_changed
import torch
from functorch.compile import aot_function

seen = []
def show(gm, inputs):
    seen.extend(n.name for n in gm.graph.nodes)
    return gm.forward
def f(x):
    x.add_(1)
    return x * 2
x = torch.ones(2)
aot_function(f, show)(x)
assert "add_" not in seen and "add" in seen and x.tolist() == [2.0, 2.0]
# endregion

# region proof_copied_at_the_end
import torch
from torch._dynamo.backends.common import aot_autograd
from functorch.compile import make_boxed_compiler

seen = []
def inner(gm, inputs):
    seen.append([node.name for node in gm.graph.nodes][1:-1])
    return gm.forward
def f(x):
    x.add_(1)
    return x * 2
for keep in (True, False):
    torch._dynamo.reset()
    backend = aot_autograd(fw_compiler=make_boxed_compiler(inner), keep_inference_input_mutations=keep)
    x = torch.ones(1)
    assert torch.compile(f, backend=backend)(x) == 4 and x == 2
assert seen == [["add", "mul", "copy_"], ["add", "mul"]], seen
# endregion
