"""Compilation explained: proofs of what the cards say about error messages and choices."""

# region proof_compile
import io
import warnings
import torch
from torch import nn
from torch._dynamo.backends import debugging


def says(message, call, *args):
    """Checks that the call raises an error with this message."""
    try:
        call(*args)
    except Exception as error:
        assert message in str(error), error
        return type(error)
    raise SystemExit("no error")


def branch(x):
    return x + 1 if x.sum() > 0 else x - 1


class Net(nn.Module):
    def forward(self, x):
        return x + 1


x = torch.ones(2)
program = torch.export.export(Net(), (x,))
file = io.BytesIO()
torch.export.save(program, file)
file.seek(0)
assert torch.export.load(file).module()(x).tolist() == [2, 2]

graphs = []


def backend(graph, inputs):
    graphs.append(graph)
    return graph.forward


assert torch.compile(branch, backend=backend)(x).tolist() == [2, 2]
assert len(graphs) == 2  # one before the break, one after it
message = "symbolically traced variables cannot be used as inputs to control flow"
says(message, torch.fx.symbolic_trace, branch)
says(message, torch.fx.symbolic_trace, lambda x: x if x.shape[0] > 1 else -x)
torch.fx.symbolic_trace(lambda x: torch.where(x.sum() > 0, x + 1, x - 1))

compiled = torch.compile(lambda x: x + 1, backend="eager")
message = "Detected that you are using FX to symbolically trace a dynamo-optimized function."
says(message, torch.fx.symbolic_trace, compiled)
traced = torch.fx.symbolic_trace(lambda x: x + 1)
assert torch.compile(traced, backend="eager")(x).tolist() == [2, 2]

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    traced = torch.jit.trace(branch, (x,))
assert "might cause the trace to be incorrect" in "".join(str(w.message) for w in told)
assert branch(-x).tolist() == [-2, -2] and traced(-x).tolist() == [0, 0]
assert torch.compile(branch, backend="eager")(-x).tolist() == [-2, -2]

assert '"inductor" is the default backend' in torch.compile.__doc__
with open(debugging.__file__) as source:
    assert "aot_eager uses AOT Autograd backend with nop compiler" in source.read()
print("compiled as told")
# endregion
