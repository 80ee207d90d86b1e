"""torch.compile: what it returns, when it compiles, what the backend gets."""

# region lazy
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
print("made")
f(torch.ones(2))
f(torch.zeros(2))
# Output:
# made
# compiling
# endregion

# region backend_decides
import torch

def backend(gm, inputs):
    def run(*args):
        return (torch.zeros(2),)
    return run

f = torch.compile(lambda x: x + 1, backend=backend)
print(f(torch.ones(2)))
# Output:
# tensor([0., 0.])
# endregion

# region one_graph
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward
def double(x):
    return x * 2

@torch.compile(backend=backend)
def f(x):
    return double(double(x))
f(torch.ones(2))
# Output:
# compiling
# endregion

# region unrolled
import torch

def backend(gm, inputs):
    print([n.op for n in gm.graph.nodes][1:-1])
    return gm.forward

@torch.compile(backend=backend)
def f(x):
    for _ in range(2):
        x = x + 1
    return x
f(torch.ones(2))
# Output:
# ['call_function', 'call_function']
# endregion

# region side_effect
import torch

seen = []

@torch.compile(backend="eager")
def f(x):
    seen.append(x.shape)
    return x + 1

for _ in range(3):
    f(torch.ones(2))
print(len(seen))
# Output:
# 3
# endregion

# region wrapper
import torch
from torch import nn

fast = torch.compile(nn.Linear(2, 1))
print([type(module).__name__ for module in fast.modules()])
# Output:
# ['OptimizedModule', 'Linear']
# endregion

# region proof_wrapper
import torch
from torch import nn

model = nn.Linear(2, 1)
fast = torch.compile(model)
assert type(fast).__name__ == "OptimizedModule" and fast._orig_mod is model
assert isinstance(fast, nn.Module) and not isinstance(fast, nn.Linear)
# endregion

# region prefix
import torch
from torch import nn

fast = torch.compile(nn.Linear(2, 1))
print(list(fast.state_dict()))
# Output:
# ['_orig_mod.weight', '_orig_mod.bias']
# endregion

# region compile_method
import torch
from torch import nn

model = nn.Linear(2, 1)
model.compile(backend="eager")
print(type(model).__name__, list(model.state_dict()))
# Output:
# Linear ['weight', 'bias']
# endregion

# region shared_weights
import torch
from torch import nn

model = nn.Linear(1, 1, bias=False)
fast = torch.compile(model, backend="eager")
nn.init.zeros_(model.weight)
print(fast(torch.ones(1)).item())
# Output:
# 0.0
# endregion

# region only_forward
import torch
from torch import nn

def backend(gm, inputs):
    print([n.name for n in gm.graph.nodes][1:-1])
    return gm.forward
class Net(nn.Module):
    def forward(self, x): return x + 1
    def encode(self, x): return x * 2
net = torch.compile(Net(), backend=backend)
net.encode(torch.ones(1))
net(torch.ones(1))
# Output:
# ['add']
# endregion

# region is_compiling
import torch

def f(x):
    if torch.compiler.is_compiling():
        return x + 1
    return x - 1

fast = torch.compile(f, backend="eager")
print(f(torch.ones(1)), fast(torch.ones(1)))
# Output:
# tensor([0.]) tensor([2.])
# endregion

# region disabled_part
import torch

@torch.compiler.disable
def part(x):
    return x * 10
def backend(gm, inputs):
    print([n.name for n in gm.graph.nodes][1:-1])
    return gm.forward
@torch.compile(backend=backend)
def f(x):
    return part(x + 1) - 1
print(f(torch.ones(1)))
# Output:
# ['add']
# ['sub']
# tensor([19.])
# endregion

# region reset
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
f(torch.ones(2))
torch.compiler.reset()
f(torch.ones(2))
# Output:
# compiling
# compiling
# endregion

# region proof_backend
import torch

f = torch.compile(lambda x: x + 1, backend=lambda gm, inputs: None)
try:
    f(torch.ones(1))
    raise AssertionError("it ran")
except torch._dynamo.exc.BackendCompilerFailed:
    pass
seen = []
def backend(gm, inputs):
    seen.append((isinstance(gm, torch.fx.GraphModule), len(inputs)))
    assert gm(torch.ones(1), torch.ones(1))[0] == 2
    return gm.forward
torch.compile(lambda x, y: x + y, backend=backend)(torch.ones(1), torch.ones(1))
assert seen == [(True, 2)]
# endregion

# region proof_prefix
import torch
from torch import nn

model = nn.Linear(2, 1)
fast = torch.compile(model)
try:
    model.load_state_dict(fast.state_dict())
    raise AssertionError("it loaded")
except RuntimeError as error:
    assert "Unexpected key(s)" in str(error) and "Missing key(s)" in str(error)
model.load_state_dict(fast._orig_mod.state_dict())
fast.load_state_dict(fast.state_dict())
assert fast._orig_mod is model and fast.weight is model.weight
assert [name for name, _ in fast.named_parameters()] == ["_orig_mod.weight", "_orig_mod.bias"]
# endregion

# region proof_encode_apart
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return x + 1
    def encode(self, x):
        return torch.compiler.is_compiling()

net = Net()
net.encode = torch.compile(net.encode, backend="eager")
assert net.encode(torch.ones(1))
net = Net()
net.compile(backend="eager")
assert not net.encode(torch.ones(1))
assert net.compile(backend="eager") is None
# endregion

# region proof_disable
import torch

def f(x):
    return torch.compiler.is_compiling()
def g(x):
    return f(x)
assert torch.compile(f, backend="eager", disable=True) is f
module = torch.nn.Linear(2, 1)
assert torch.compile(module, backend="eager", disable=True) is module
off = torch.compiler.disable(g)
graphs = []
def count(gm, inputs):
    graphs.append(gm)
    return gm.forward
def broken(x):
    y = x + 1
    off(y)
    return y * 2
torch.compile(broken, backend=count)(torch.ones(1))
assert len(graphs) == 2
def deep(x):
    flags.append(torch.compiler.is_compiling())
    return x + 1
for recursive in (True, False):
    flags = []
    shallow = torch.compiler.disable(lambda x: deep(x) * 2, recursive=recursive)
    assert torch.compile(lambda x: shallow(x + 1), backend="eager")(torch.ones(1)) == 6
    assert flags == [not recursive]
def h(x):
    return f(x), off(x)
assert torch.compile(h, backend="eager")(torch.ones(1)) == (True, False)
assert h(torch.ones(1)) == (False, False)
assert "inductor" in torch.compiler.list_backends()
assert "eager" not in torch.compiler.list_backends()
# endregion

# region proof_default_backend
import torch

try:
    torch.compile(torch.relu, mode="fastest")
    raise AssertionError("accepted")
except RuntimeError as error:
    assert "reduce-overhead" in str(error)
torch.compile(torch.relu, mode="default")
torch.compile(torch.relu, options={"max_autotune": True})
# endregion

# region proof_append_not_in_graph
import torch

seen, lengths, targets = [], [], []
def backend(gm, inputs):
    targets.extend(str(node.target) for node in gm.graph.nodes)
    def run(*args):
        lengths.append(len(seen))
        return gm.forward(*args)
    return run
@torch.compile(backend=backend, fullgraph=True)
def f(x):
    seen.append("list")
    return x + 1
f(torch.ones(2)), f(torch.ones(2))
assert seen == ["list", "list"] and lengths == [0, 1], lengths
assert not any("append" in target for target in targets)
# endregion

# region proof_eval
import torch
from torch import nn

model = nn.Dropout()
fast = torch.compile(model, backend="eager")
fast.eval()
assert not model.training and fast(torch.ones(100)).sum() == 100
fast.train()
assert model.training
# endregion

# region proof_unrolled
import torch

seen = []
def backend(gm, inputs):
    seen.append(len([node for node in gm.graph.nodes if node.op == "call_function"]))
    return gm.forward
@torch.compile(backend=backend)
def f(x, n):
    for _ in range(n):
        x = x + 1
    return x
assert f(torch.ones(1), 5) == 6 and seen == [5]
# endregion

# region proof_first_call
import torch

log = []
def backend(gm, inputs):
    log.append("compile")
    def run(*args):
        log.append("run")
        return gm.forward(*args)
    return run
f = torch.compile(lambda x: x + 1, backend=backend)
assert log == []
f(torch.ones(2))
f(torch.ones(2))
assert log == ["compile", "run", "run"]
# endregion

# region proof_load
import torch
from torch import nn

fast, other = torch.compile(nn.Linear(2, 1)), nn.Linear(2, 1)
other.load_state_dict(fast._orig_mod.state_dict())
assert other.weight.equal(fast.weight) and other.weight is not fast.weight
for wrong in (lambda: fast.state_dict(), lambda: fast.state_dict()["_orig_mod"]):
    try:
        other.load_state_dict(wrong())
        raise AssertionError("it loaded")
    except (RuntimeError, KeyError):
        pass
# endregion
