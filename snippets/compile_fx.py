"""torch.fx: tracing with proxies, nodes, and changing a graph."""

# region node_ops
import torch
from torch import fx, nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.act = nn.ReLU()
    def forward(self, x):
        return self.act(x * self.w).sum()
nodes = fx.symbolic_trace(Net()).graph.nodes
print([n.op for n in nodes][1:-1])
# Output:
# ['get_attr', 'call_function', 'call_module', 'call_method']
# endregion

# region training_flag
import torch
from torch import fx, nn

class Net(nn.Module):
    def forward(self, x):
        return x * 2 if self.training else x

traced = fx.symbolic_trace(Net())
traced.eval()
print(traced(torch.ones(1)))
# Output:
# tensor([2.])
# endregion

# region traced_print
import torch
from torch import fx

def f(x):
    print(type(x).__name__)
    return x + 1

traced = fx.symbolic_trace(f)
print(traced(torch.ones(1)))
# Output:
# Proxy
# tensor([2.])
# endregion

# region recompile
import torch
from torch import fx

traced = fx.symbolic_trace(lambda x: torch.relu(x))
for node in traced.graph.nodes:
    if node.target is torch.relu:
        node.target = torch.neg
before = traced(torch.ones(1))
traced.recompile()
print(before, traced(torch.ones(1)))
# Output:
# tensor([1.]) tensor([-1.])
# endregion

# region insert_after
import torch
from torch import fx

graph = fx.symbolic_trace(lambda x: x + 1).graph
x, add, output = graph.nodes
with graph.inserting_after(add):
    neg = graph.call_function(torch.neg, (add,))
add.replace_all_uses_with(neg)
print(output.args, neg.args)
# Output:
# (neg,) (neg,)
# endregion

# region dead_code
import torch
from torch import fx

def f(x):
    x.add_(1)
    return x * 2

traced = fx.symbolic_trace(f)
traced.graph.eliminate_dead_code()
traced.recompile()
print(f(torch.ones(1)), traced(torch.ones(1)))
# Output:
# tensor([4.]) tensor([2.])
# endregion

# region shapes
import torch
from torch import fx
from torch.fx.passes.shape_prop import ShapeProp

traced = fx.symbolic_trace(lambda x: (x @ x.t()).sum(0))
ShapeProp(traced).propagate(torch.ones(2, 3))
for node in list(traced.graph.nodes)[1:-1]:
    print(tuple(node.meta["tensor_meta"].shape))
# Output:
# (3, 2)
# (2, 2)
# (2,)
# endregion

# region interpreter
import torch
from torch import fx

class Show(fx.Interpreter):
    def call_function(self, target, *rest):
        names.append(target.__name__)
        return super().call_function(target, *rest)

names = []
f = fx.symbolic_trace(lambda x: torch.relu(x) + x.sum())
Show(f).run(torch.ones(1))
print(names)
# Output:
# ['relu', 'add']
# endregion

# region proof_node_kinds
import torch
from torch import fx, nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.act = nn.ReLU()
    def forward(self, x):
        return self.act(x * self.w).sum()
nodes = list(fx.symbolic_trace(Net()).graph.nodes)
assert [n.op for n in nodes] == ["placeholder", "get_attr", "call_function", "call_module", "call_method", "output"]
assert nodes[1].target == "w" and nodes[3].target == "act" and nodes[4].target == "sum"
assert [isinstance(n.target, str) for n in nodes] == [True, True, False, True, True, True]
assert callable(nodes[2].target) and not isinstance(nodes[2].target, str)
class Scale(nn.Module):
    def forward(self, x):
        return x * 2
ops = [n.op for n in fx.symbolic_trace(nn.Sequential(nn.ReLU(), Scale())).graph.nodes]
assert ops == ["placeholder", "call_module", "call_function", "output"]
# endregion

# region proof_branch
import torch
from torch import fx

def by_value(x):
    return x if x.sum() > 0 else -x
def by_shape(x):
    return x if x.shape[0] > 1 else -x
for f in (by_value, by_shape):
    try:
        fx.symbolic_trace(f)
        raise AssertionError("it was traced")
    except fx.proxy.TraceError:
        pass
kinds = []
def look(x):
    kinds.append((isinstance(x, fx.Proxy), isinstance(x.shape, fx.Proxy), isinstance(x.shape[0], fx.Proxy)))
    return x
fx.symbolic_trace(look)
assert kinds == [(True, True, True)]
# endregion

# region proof_erase
import torch
from torch import fx

traced = fx.symbolic_trace(lambda x: torch.relu(x) + 1)
x, relu, add, output = traced.graph.nodes
assert list(relu.users) == [add]
try:
    traced.graph.erase_node(relu)
    raise AssertionError("it was erased")
except RuntimeError:
    pass
relu.replace_all_uses_with(x)
assert not relu.users
traced.graph.erase_node(relu)
traced.graph.lint()
traced.recompile()
assert traced(-torch.ones(1)) == 0
# endregion

# region proof_insert
import torch
from torch import fx

traced = fx.symbolic_trace(lambda x: x + 1)
x, add, output = traced.graph.nodes
with traced.graph.inserting_after(add):
    neg = traced.graph.call_function(torch.neg, (add,))
add.replace_all_uses_with(neg)
try:
    traced.graph.lint()
    raise AssertionError("lint accepts it")
except RuntimeError:
    pass
neg.args = (add,)
traced.graph.lint()
traced.recompile()
assert traced(torch.ones(1)) == -2
# endregion

# region proof_dead_code
import torch
from torch import fx

def f(x):
    x.exp()
    x.add_(1)
    return x * 2
graph = fx.symbolic_trace(f).graph
assert [n.name for n in graph.nodes] == ["x", "exp", "add_", "mul", "output"]
assert graph.eliminate_dead_code() is True
assert [n.name for n in graph.nodes] == ["x", "mul", "output"]
traced = fx.symbolic_trace(lambda x: torch.relu(x) + torch.relu(x + 1))
def pattern(x):
    return torch.relu(x)
def replacement(x):
    return torch.neg(x)
assert len(fx.replace_pattern(traced, pattern, replacement)) == 2
assert traced(torch.ones(1)) == -3
# endregion
