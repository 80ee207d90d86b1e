"""Modules: what is registered, and how it is walked through."""

# region list_hides
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)
        self.rest = [nn.Linear(2, 2), nn.Linear(2, 2)]

print([name for name, _ in Net().named_parameters()])
# Output:
# ['head.weight', 'head.bias']
# endregion

# region parameter_class
import torch
from torch import nn

m = nn.Module()
m.a = torch.ones(2, requires_grad=True)
m.b = nn.Parameter(torch.ones(2))
m.c = nn.Parameter(torch.ones(2), requires_grad=False)
print([name for name, _ in m.named_parameters()])
# Output:
# ['b', 'c']
# endregion

# region parameter_times
import torch
from torch import nn

m = nn.Module()
m.scale = nn.Parameter(torch.ones(2)) * 0.5
m.shift = nn.Parameter(torch.ones(2) * 0.5)
print([name for name, _ in m.named_parameters()])
# Output:
# ['shift']
# endregion

# region assign_tensor
import torch
from torch import nn

layer = nn.Linear(2, 1)
for value in (torch.zeros(1), None):
    try:
        layer.bias = value
        print(list(layer.state_dict()))
    except TypeError:
        print("refused")
# Output:
# refused
# ['weight']
# endregion

# region before_super
from torch import nn

class Net(nn.Module):
    def __init__(self, value):
        self.value = value

for value in (8, nn.Linear(2, 2)):
    try:
        print(Net(value).value)
    except AttributeError:
        print("refused")
# Output:
# 8
# refused
# endregion

# region persistent_buffers
import torch
from torch import nn

m = nn.Module()
m.register_buffer("mean", torch.zeros(2))
m.register_buffer("mask", torch.ones(2), persistent=False)
m.extra = torch.ones(2)
print(list(m.state_dict()))
# Output:
# ['mean']
# endregion

# region plain_tensor_stays
import torch
from torch import nn

m = nn.Module()
m.register_buffer("a", torch.ones(2))
m.b = torch.ones(2)
m.double()
print(m.a.dtype, m.b.dtype)
# Output:
# torch.float64 torch.float32
# endregion

# region integers_stay
import torch
from torch import nn

m = nn.Module()
m.register_buffer("mean", torch.zeros(2))
m.register_buffer("steps", torch.tensor(0))
m.half()
print(m.mean.dtype, m.steps.dtype)
# Output:
# torch.float16 torch.int64
# endregion

# region to_in_place
import torch
from torch import nn

layer, x = nn.Linear(2, 2), torch.ones(2)
layer.to(torch.float64)
x.to(torch.float64)
print(layer.weight.dtype, x.dtype)
# Output:
# torch.float64 torch.float32
# endregion

# region shared_layer
from torch import nn

layer = nn.Linear(2, 2)
net = nn.Sequential(layer, nn.ReLU(), layer)
print(len(list(net.parameters())), len(net.state_dict()))
# Output:
# 2 4
# endregion

# region repeated_child
from torch import nn

act = nn.ReLU()
net = nn.Sequential(nn.Flatten(), act, nn.Softplus(), act)
again = nn.Sequential(*net.children())
print(len(net), len(again))
# Output:
# 4 3
# endregion

# region walk_names
from torch import nn

inner = nn.Sequential(nn.ReLU(), nn.Tanh())
net = nn.Sequential(nn.Flatten(), inner)
print([name for name, _ in net.named_modules()])
# Output:
# ['', '0', '1', '1.0', '1.1']
# endregion

# region slice_shares
from torch import nn

net = nn.Sequential(nn.Linear(4, 2), nn.ReLU(), nn.Tanh())
body = net[:2]
nn.init.zeros_(body[0].bias)
print(type(body).__name__, net[0].bias.tolist())
# Output:
# Sequential [0.0, 0.0]
# endregion

# region modulelist_call
import torch
from torch import nn

layers = [nn.ReLU(), nn.Hardtanh()]
for net in (nn.Sequential(*layers), nn.ModuleList(layers)):
    try:
        print(net(torch.tensor([-3.0, 0.5, 3.0])))
    except NotImplementedError as error:
        print(type(error).__name__)
# Output:
# tensor([0.0000, 0.5000, 1.0000])
# NotImplementedError
# endregion

# region lazy_linear
import torch
from torch import nn

layer = nn.LazyLinear(3)
layer(torch.ones(5, 4))
print(type(layer).__name__, tuple(layer.weight.shape))
# Output:
# Linear (3, 4)
# endregion

# region proof_list_is_forgotten
import torch
from torch import nn

m = nn.Module()
m.rest = [nn.Linear(2, 2)]
m.double().eval()
assert not list(m.state_dict()) and m.rest[0].training
assert m.rest[0].weight.dtype == torch.float32
m.rest = nn.ModuleList(m.rest)
m.double().eval()
assert len(m.state_dict()) == 2 == len(list(m.parameters()))
assert m.rest[0].weight.dtype == torch.float64
# endregion

# region proof_buffer_not_parameter
import torch
from torch import nn

m = nn.BatchNorm1d(2).double()
names = [name for name, _ in m.named_parameters()]
assert names == ["weight", "bias"]
assert m.running_mean.dtype == torch.float64
assert "running_mean" in m.state_dict()
assert not m.running_mean.requires_grad
# endregion

# region proof_duplicates
from torch import nn

layer = nn.Linear(2, 2)
net = nn.Sequential(layer, layer)
assert len(list(net.modules())) == 2
assert len(list(net.named_modules(remove_duplicate=False))) == 3
assert len(list(net.named_parameters(remove_duplicate=False))) == 4
assert list(net.state_dict())[2:] == ["1.weight", "1.bias"]
assert len(list(net.parameters(recurse=False))) == 0
# endregion

# region proof_registering_by_hand
import torch
from torch import nn

m = nn.Module()
m.register_parameter("bias", None)
assert m.bias is None and not list(m.parameters())
m.bias = nn.Parameter(torch.ones(1))
assert list(m.state_dict()) == ["bias"]
m.add_module("act", nn.ReLU())
assert m.get_submodule("act") is m.act
# endregion

# region proof_move_is_in_place
import torch
from torch import nn

layer = nn.Linear(2, 2)
weight = layer.weight
assert layer.to(torch.float64) is layer
assert layer.weight is weight and weight.dtype == torch.float64
# endregion

# region proof_walking
import torch
from torch import nn

m = nn.Module()
m.register_buffer("mask", torch.ones(2), persistent=False)
m.extra = torch.ones(2)
m.to("meta")
assert m.mask.is_meta and not m.extra.is_meta
net = nn.Sequential(nn.Flatten(), nn.Sequential(nn.ReLU()))
assert [name for name, _ in net.named_children()] == ["0", "1"]
assert net.get_submodule("1.0") is net[1][0]
# endregion

# region proof_modules
import torch
from torch import nn

norm = nn.BatchNorm1d(2)
net = nn.Sequential(norm, nn.ReLU(), norm)
assert list(net.modules()) == [net, norm, net[1]]
names = [name for name, _ in net.named_buffers()]
assert names[0] == "0.running_mean" and len(names) == 3
with torch.inference_mode():
    assert torch.is_inference_mode_enabled()
assert not torch.is_inference_mode_enabled()
print("walked as told")
# endregion

# region proof_only_parameters_or_none
import torch
from torch import nn

layer = nn.Linear(2, 1)
for value in (torch.zeros(1), nn.Linear(2, 1), 1.0):
    try:
        layer.bias = value
        raise AssertionError
    except TypeError:
        pass
layer.bias = nn.Parameter(torch.zeros(1))
layer.bias = None
try:
    layer.bias = torch.zeros(1)
    raise AssertionError
except TypeError:
    pass
# endregion

# region proof_conversions
import torch
from torch import nn

m = nn.Module()
m.register_buffer("whole", torch.tensor(0))
m.register_buffer("wave", torch.zeros(2, dtype=torch.complex64))
for convert in (m.half, m.float, m.double):
    convert()
    assert m.whole.dtype == torch.int64
    assert m.wave.dtype == torch.complex64
assert m.type(torch.float32).whole.dtype == torch.float32
x = torch.ones(2)
assert x.to(torch.float64).dtype == torch.float64
assert x.dtype == torch.float32 and x.to(torch.float32) is x
# endregion

# region proof_containers
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 2), nn.ReLU(), nn.Tanh())
body = net[:2]
assert body is not net and list(body) == [net[0], net[1]]
rest = nn.ModuleList(net)
assert len(list(rest.parameters())) == 2
assert torch.equal(net(torch.ones(4)), net[2](net[1](net[0](torch.ones(4)))))
lazy = nn.LazyLinear(3)
lazy(torch.ones(5, 4))
assert lazy.in_features == 4 and lazy.bias.shape == (3,)
assert not list(net.named_parameters(recurse=False))
norms = nn.Sequential(nn.BatchNorm1d(2))
assert not list(norms.named_buffers(recurse=False))
# endregion
