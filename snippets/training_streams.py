"""Devices that are asked for, meta tensors and moves between them."""

# region argument_wins
import torch

with torch.device("meta"):
    x = torch.ones(2)
    y = torch.ones(2, device="cpu")
print(y.device, x.device)
# Output:
# cpu meta
# endregion

# region nested_contexts
import torch

with torch.device("meta"):
    with torch.device("cpu"):
        x = torch.ones(2)
    y = torch.ones(2)
print(x.device, y.device)
# Output:
# cpu meta
# endregion

# region device_names
import torch

for name in ("cuda", "mps", "gpu"):
    try:
        print(torch.device(name).type)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# cuda
# mps
# RuntimeError
# endregion

# region batch_is_tuple
import torch

batch = (torch.ones(4, 3), torch.zeros(4))
for value in (batch[0], batch):
    try:
        print(value.to("meta").device)
    except AttributeError as error:
        print(type(error).__name__)
# Output:
# meta
# AttributeError
# endregion

# region width_on_meta
import torch
from torch import nn

with torch.device("meta"):
    body = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.MaxPool2d(2), nn.Flatten()
    )
    print(body(torch.empty(1, 3, 12, 12)).shape)
# Output:
# torch.Size([1, 100])
# endregion

# region count_on_meta
from torch import nn

layer = nn.Linear(10**6, 10**6, bias=False, device="meta")
print(f"{layer.weight.numel():.0e}")
# Output:
# 1e+12
# endregion

# region values_on_meta
import torch

x = torch.ones(4, device="meta")
for f in (torch.relu, torch.argsort, torch.nonzero):
    try:
        print(f(x).shape)
    except NotImplementedError as error:
        print(type(error).__name__)
# Output:
# torch.Size([4])
# torch.Size([4])
# NotImplementedError
# endregion

# region load_into_meta
import torch
from torch import nn

for assign in (True, False):
    state = nn.Linear(2, 2).state_dict()
    layer = nn.Linear(2, 2, device="meta")
    layer.load_state_dict(state, assign=assign)
    print(layer.weight.device)
# Output:
# cpu
# meta
# endregion

# region proof_argument
import torch
from torch import nn

torch.set_default_device("meta")
with torch.device("cpu"):
    assert torch.ones(2).device.type == "cpu"
    assert nn.Linear(2, 2).weight.device.type == "cpu"
assert torch.ones(2).is_meta
torch.set_default_device("cpu")
with torch.device("meta"):
    assert nn.Linear(2, 2, device="cpu").weight.device.type == "cpu"
    x = torch.ones(2, device="cpu")
    assert x.new_zeros(2).device.type == "cpu"
    assert torch.zeros_like(x).device.type == "cpu"
    assert torch.zeros_like(x, device="meta").is_meta
# endregion

# region proof_names
import torch

assert torch.device("cuda").type == "cuda"
for name in ("gpu", "CUDA", "nvidia"):
    try:
        torch.device(name)
        raise AssertionError
    except RuntimeError as error:
        assert "Expected one of cpu, cuda" in str(error)
# endregion

# region proof_moves
import torch
from torch import nn

for batch in ([torch.ones(2)], (torch.ones(2),), {"x": torch.ones(2)}):
    assert not hasattr(batch, "to")
assert hasattr(nn.Linear(2, 2), "to")
x = torch.ones(2)
assert x.to("meta", non_blocking=True).is_meta
assert x.to("cpu", non_blocking=True) is x
nn.Linear(2, 2).to("meta", non_blocking=True)
# endregion

# region proof_meta
import torch
from torch import nn

conv = nn.Conv2d(3, 4, 3)(torch.ones(1, 3, 12, 12))
assert conv.shape == (1, 4, 10, 10)
assert nn.MaxPool2d(2)(conv).flatten(1).shape == (1, 100)
x = torch.ones(4, device="meta")
for f in (lambda: x.nonzero(), lambda: x[x > 0], lambda: x.unique()):
    try:
        f()
        raise AssertionError
    except NotImplementedError:
        pass
assert torch.where(x > 0, x, 0).shape == (4,)
assert torch.tensor([0.0, 1.0]).nonzero().shape == (1, 1)
assert torch.tensor([1.0, 1.0]).nonzero().shape == (2, 1)
# endregion

# region proof_load_into_meta
import warnings
import torch
from torch import nn

state = nn.Linear(2, 2).state_dict()
layer = nn.Linear(2, 2, device="meta")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    layer.load_state_dict(state)
assert any("no-op" in str(one.message) for one in caught)
layer.load_state_dict(state, assign=True)
assert torch.equal(layer.weight, state["weight"])
assert layer.weight.data_ptr() == state["weight"].data_ptr()
# endregion

# region proof_elements
import torch

x = torch.empty(10**12, device="meta")
assert x.numel() == 10**12 and x.is_meta
assert x.data_ptr() == 0
# endregion
