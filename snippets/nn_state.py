"""State, modes and hooks of a module."""

# region aliases
from torch import nn

layer = nn.Linear(1, 1, bias=False)
best = layer.state_dict()
nn.init.constant_(layer.weight, 7.0)
print(best["weight"])
# Output:
# tensor([[7.]])
# endregion

# region not_strict
import torch
from torch import nn

layer = nn.Linear(1, 1, bias=False)
state = {"wieght": torch.ones(1, 1)}
report = layer.load_state_dict(state, strict=False)
print(report.missing_keys, report.unexpected_keys)
# Output:
# ['weight'] ['wieght']
# endregion

# region not_strict_shapes
import torch
from torch import nn

layer = nn.Linear(2, 1)
for state in ({}, {"bias": torch.ones(5)}):
    try:
        report = layer.load_state_dict(state, strict=False)
        print(report.missing_keys)
    except RuntimeError:
        print("refused")
# Output:
# ['weight', 'bias']
# refused
# endregion

# region load_copies
import torch
from torch import nn

layer = nn.Linear(1, 1, bias=False)
state = {"weight": torch.tensor([[3]], dtype=torch.float64)}
layer.load_state_dict(state)
print(layer.weight.dtype)
# Output:
# torch.float32
# endregion

# region load_assign
import torch
from torch import nn

layer = nn.Linear(1, 1, bias=False)
old = layer.weight
for assign, value in ((False, 5.0), (True, 7.0)):
    state = {"weight": torch.tensor([[value]])}
    layer.load_state_dict(state, assign=assign)
    print(old.item(), layer.weight.item())
# Output:
# 5.0 5.0
# 5.0 7.0
# endregion

# region data_parallel_names
from torch import nn

wrapped = nn.DataParallel(nn.Linear(1, 1))
print(list(wrapped.state_dict()))
# Output:
# ['module.weight', 'module.bias']
# endregion

# region eval_keeps_grad
import torch
from torch import nn

net = nn.Sequential(nn.ReLU(), nn.Dropout()).eval()
x = torch.ones(2, requires_grad=True)
net(x).sum().backward()
print(x.grad)
# Output:
# tensor([1., 1.])
# endregion

# region train_thaws
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
net[1].eval()
net.train()
print([i for i, layer in enumerate(net) if layer.training])
# Output:
# [0, 1]
# endregion

# region functional_dropout
import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return F.dropout(x, p=1.0)

print(Net().eval()(torch.ones(3)))
# Output:
# tensor([0., 0., 0.])
# endregion

# region hook_needs_call
from torch import nn

layer = nn.Identity()
layer.register_forward_hook(lambda m, a, y: print(a[0]))
layer.forward("first")
layer("second")
# Output:
# second
# endregion

# region pre_hook
import torch
from torch import nn

layer = nn.ReLU()
layer.register_forward_pre_hook(lambda m, args: -args[0])
print(layer(torch.tensor([-1.0, 2.0])))
# Output:
# tensor([1., 0.])
# endregion

# region apply_order
from torch import nn

net = nn.Sequential(nn.Flatten(), nn.ReLU())
net.apply(lambda m: print(type(m).__name__))
# Output:
# Flatten
# ReLU
# Sequential
# endregion

# region proof_snapshot
import copy
from torch import nn

layer = nn.Linear(1, 1)
best = copy.deepcopy(layer.state_dict())
twin = copy.deepcopy(layer)
nn.init.constant_(layer.weight, 7.0)
assert best["weight"].item() != 7.0 and twin.weight.item() != 7.0
assert not layer.state_dict()["weight"].requires_grad
# endregion

# region proof_strict_and_assign
import torch
from torch import nn

layer = nn.Linear(1, 1, bias=False)
before = layer.weight.data_ptr()
state = {"weight": torch.ones(1, 1, dtype=torch.float64)}
assert not layer.load_state_dict(state).missing_keys
assert layer.weight.data_ptr() == before
layer.load_state_dict(state, assign=True)
assert layer.weight.dtype == torch.float64
assert layer.weight.data_ptr() == state["weight"].data_ptr()
# endregion

# region proof_strict_raises
from torch import nn

net = nn.Sequential(nn.Linear(1, 1))
for state in ({}, {**net.state_dict(), "more": net[0].bias}):
    try:
        net.load_state_dict(state)
        raise AssertionError
    except RuntimeError as error:
        assert "issing key" in str(error) or "nexpected" in str(error)
# endregion

# region proof_modes
import torch
from torch import nn

layers = {nn.Dropout(): True, nn.BatchNorm1d(2): True,
          nn.LayerNorm(2): False, nn.Linear(2, 2): False}
x = torch.tensor([[1.0, 5.0]] * 40 + [[2.0, 7.0]] * 40)
for layer, differs in layers.items():
    train = layer.train()(x)
    assert torch.equal(train, layer.eval()(x)) is not differs
net = nn.Sequential(nn.Dropout())
assert net.training and not net.eval()[0].training
# endregion

# region proof_hooks_run_late
import torch
from torch import nn

layer, seen = nn.ReLU(), []
layer.register_forward_pre_hook(lambda m, a: seen.append("pre"))
layer.register_forward_hook(lambda m, a, out: seen.append("post"))
layer.register_full_backward_hook(lambda m, i, o: seen.append("back"))
layer(torch.ones(1, requires_grad=True)).backward()
assert seen == ["pre", "post", "back"]
layer.forward(torch.ones(1, requires_grad=True)).backward()
assert len(seen) == 3
# endregion

# region proof_to_empty
import torch
from torch import nn

layer = nn.Linear(2, 2, device="meta")
assert layer.weight.is_meta
try:
    layer.to("cpu")
    raise AssertionError
except NotImplementedError:
    pass
assert layer.to_empty(device="cpu").weight.device.type == "cpu"
# endregion

# region proof_nothing_loaded
import warnings
from torch import nn

warnings.simplefilter("error")
layer = nn.Linear(2, 2)
before = layer.weight.tolist()
wrong = {"x." + k: v * 0 for k, v in layer.state_dict().items()}
layer.load_state_dict(wrong, strict=False)
assert layer.weight.tolist() == before
# endregion

# region proof_loading
import torch
from torch import nn

scalar = nn.Module()
scalar.w = nn.Parameter(torch.tensor(1.0))
scalar.load_state_dict({"w": torch.ones(1)})  # another shape fits
layer = nn.Linear(1, 1, bias=False)
opt = torch.optim.SGD(layer.parameters())
held = opt.param_groups[0]["params"][0]
layer.load_state_dict({"weight": torch.ones(1, 1)})
assert held is layer.weight
layer.load_state_dict({"weight": torch.ones(1, 1)}, assign=True)
assert held is not layer.weight
wide = nn.Linear(1, 1, bias=False, dtype=torch.float64)
wide.load_state_dict(layer.state_dict())
assert wide.weight.dtype == torch.float64
meta = nn.Linear(1, 1, bias=False, device="meta")
meta.to_empty(device="cpu").load_state_dict(layer.state_dict())
assert meta.weight.item() == 1
inner = nn.DataParallel(layer).module
assert inner is layer and list(inner.state_dict()) == ["weight"]
# endregion

# region proof_frozen_in_train_mode
import torch
from torch import nn
import torch.nn.functional as F

net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
net.train()[1].eval()
assert net.training and not net[1].training
assert net.requires_grad_(False).training
x = torch.ones(1000)
assert torch.equal(F.dropout(x, training=False), x)
assert (F.dropout(x) == 0).any()
with torch.no_grad():
    assert not nn.Linear(2, 2)(torch.ones(2)).requires_grad
assert torch.equal(nn.GELU().eval()(x), nn.GELU().train()(x))
# endregion

# region proof_hooks
import torch
from torch import nn

layer, seen = nn.Linear(1, 1), []
layer.register_forward_hook(lambda *args: seen.append(args))
layer.register_full_backward_hook(lambda *args: seen.append(args))
layer.register_forward_pre_hook(lambda m, args: None)
x = torch.ones(1, 1, requires_grad=True)
y = layer(x)
y.sum().backward()
assert seen[0][0] is layer and seen[1][0] is layer
assert seen[0][1][0] is not None and torch.equal(seen[0][2], y)
assert torch.equal(seen[1][1][0], x.grad)
assert len(seen) == 2 and seen[1][2][0].item() == 1
layer(input=x.detach())
assert seen[2][1] == ()  # what is given by name is not passed on
# endregion

# region proof_removed_hook
import torch
from torch import nn

layer, seen = nn.ReLU(), []
before = layer.register_forward_pre_hook(lambda *args: seen.append("pre"))
after = layer.register_forward_hook(lambda *args: seen.append("post"))
back = layer.register_full_backward_hook(lambda *args: seen.append("back"))
x = torch.ones(1, requires_grad=True)
layer(x).backward()
for handle in (before, after, back):
    handle.remove()
layer(x).backward()
assert seen == ["pre", "post", "back"]
# endregion
