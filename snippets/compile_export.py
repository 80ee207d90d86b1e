"""torch.export: what is exported, what is fixed, what is refused."""

# region not_callable
import torch
from torch import nn

x = torch.ones(2)
ep = torch.export.export(nn.ReLU(), (x,))
for f in (ep.module(), ep):
    try:
        print(f(x))
    except RuntimeError:
        print("refused")
# Output:
# tensor([1., 1.])
# refused
# endregion

# region static_size
import torch
from torch import nn

ep = torch.export.export(nn.ReLU(), (torch.ones(2),))
for size in (2, 3):
    try:
        print(ep.module()(torch.ones(size)))
    except (AssertionError, RuntimeError):
        print("refused")
# Output:
# tensor([1., 1.])
# refused
# endregion

# region dim_range
import torch
from torch.export import Dim, export

net = torch.nn.ReLU()
shapes = ({0: Dim("n", max=4)},)
ep = export(net, (torch.ones(2),), dynamic_shapes=shapes)
for size in (3, 5):
    try:
        print(ep.module()(torch.ones(size)))
    except (AssertionError, RuntimeError):
        print("refused")
# Output:
# tensor([1., 1., 1.])
# refused
# endregion

# region fixed_number
import torch

class Net(torch.nn.Module):
    def forward(self, x, k):
        return x * k
x = torch.ones(1)
f = torch.export.export(Net(), (x, 2)).module()
for k in (2, 3):
    try:
        print(f(x, k))
    except (AssertionError, RuntimeError):
        print("refused")
# Output:
# tensor([2.])
# refused
# endregion

# region dropout
import torch
from torch import nn

net, x = nn.Dropout(1.0), torch.ones(2)
f = torch.export.export(net, (x,)).module()
net.eval()
print(net(x), f(x))
# Output:
# tensor([1., 1.]) tensor([0., 0.])
# endregion

# region mask
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x[x > 0]

f = torch.export.export(Net(), (torch.ones(2),)).module()
print(f(torch.tensor([1.0, -1.0])))
# Output:
# tensor([1.])
# endregion

# region shared
import torch
from torch import nn

net, x = nn.Linear(1, 1, bias=False), torch.ones(1)
f = torch.export.export(net, (x,)).module()
nn.init.zeros_(net.weight)
print(f(x).item())
# Output:
# 0.0
# endregion

# region save_load
import io
import torch
from torch import nn

ep = torch.export.export(nn.Linear(2, 1), (torch.ones(2),))
file = io.BytesIO()
torch.export.save(ep, file)
file.seek(0)
ep = torch.export.load(file)
print(list(ep.state_dict))
# Output:
# ['weight', 'bias']
# endregion

# region proof_eval_refused
import torch
from torch import nn

net, x = nn.Dropout(1.0), torch.ones(2)
f = torch.export.export(net, (x,)).module()
for switch in (f.eval, f.train):
    try:
        switch()
        raise AssertionError("it switched")
    except NotImplementedError:
        pass
net.eval()
g = torch.export.export(net, (x,)).module()
net.train()
assert g(x).tolist() == [1.0, 1.0] and f(x).tolist() == [0.0, 0.0]
# endregion

# region proof_needs_module
import torch
from torch import nn

try:
    torch.export.export(lambda x: x + 1, (torch.ones(2),))
    raise AssertionError("it exported")
except ValueError:
    pass
ep = torch.export.export(nn.Linear(2, 1), (torch.ones(2),))
assert type(ep).__name__ == "ExportedProgram" and not isinstance(ep, nn.Module)
assert isinstance(ep.module(), torch.fx.GraphModule)
sizes = torch.export.export(nn.ReLU(), (torch.ones(2),), dynamic_shapes=({0: torch.export.Dim("n")},)).module()
assert [len(sizes(torch.ones(n))) for n in (1, 2, 7)] == [1, 2, 7]
# endregion

# region proof_cond
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda t: t + 1, lambda t: t - 1, (x,))

f = torch.export.export(Net(), (torch.ones(2),)).module()
assert f(torch.ones(2)).tolist() == [2.0, 2.0] and f(-torch.ones(2)).tolist() == [-2.0, -2.0]
# endregion

# region proof_symbol
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x[x > 0]

ep = torch.export.export(Net(), (torch.ones(2),))
shapes = [n.meta["val"].shape for n in ep.graph.nodes if hasattr(n.meta.get("val"), "shape")]
sizes = [str(shape[0]) for shape in shapes if len(shape) == 1]
assert sizes[-1].startswith("u"), sizes
report = torch._dynamo.explain(lambda x: x[x > 0] + 1)(torch.ones(2))
assert report.graph_break_count == 1
# endregion

# region proof_load_runs
import io
import torch
from torch import nn

net, x = nn.Linear(2, 1), torch.ones(2)
ep = torch.export.export(net, (x,))
file = io.BytesIO()
torch.export.save(ep, file)
file.seek(0)
loaded = torch.export.load(file)
assert loaded.module()(x).equal(net(x))
nn.init.zeros_(net.weight)
nn.init.zeros_(net.bias)
assert ep.module()(x) == 0 and loaded.module()(x) != 0
assert list(ep.graph_signature.parameters) == ["weight", "bias"]
assert tuple(ep.graph_signature.user_inputs) == ("input",)
placeholders = [n.name for n in ep.graph.nodes if n.op == "placeholder"]
assert len(placeholders) == 3 and placeholders[2] == "input"
# endregion

# region proof_two_dims
import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y

n, m = Dim("n"), Dim("m")
args = (torch.ones(3), torch.ones(3))
f = export(Net(), args, dynamic_shapes=({0: n}, {0: n})).module()
assert f(torch.ones(4), torch.ones(4)).shape == (4,)
try:
    f(torch.ones(4), torch.ones(5))
    ran = True
except Exception:
    ran = False
assert not ran
try:
    export(Net(), args, dynamic_shapes=({0: n}, {0: m}))
    ran = True
except torch._dynamo.exc.UserError:
    ran = False
assert not ran
# endregion

# region proof_value_branch
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x

try:
    torch.export.export(Net(), (torch.ones(2),))
    ran = True
except Exception:
    ran = False
assert not ran
graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
assert torch.compile(Net(), backend=backend)(-torch.ones(2)).tolist() == [1.0, 1.0]
assert len(graphs) == 2
# endregion

# region proof_fixed_dim
import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, x):
        return x + torch.ones(2)

def exported(net, **shapes):
    try:
        return export(net, (torch.ones(2),), **shapes)
    except Exception:
        return None

assert exported(Net()) and exported(torch.nn.ReLU(), dynamic_shapes=({0: Dim("n")},))
assert exported(Net(), dynamic_shapes=({0: Dim("n")},)) is None
# endregion
