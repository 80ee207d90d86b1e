"""Devices, shown with the device meta, which every machine has."""

# region to_self_or_new
import torch

x = torch.ones(2)
y = x.to("meta")
print(x.device, y.device)  # prints cpu meta
# endregion

# region to_copy
import torch

x = torch.zeros(2)
for t in (x.to("cpu"), x.to("cpu", copy=True)):
    t += 1
print(x)
# Output:
# tensor([1., 1.])
# endregion

# region to_other
import torch

x = torch.ones(2)
other = torch.ones(3, dtype=torch.float64, device="meta")
y = x.to(other)
print(y.dtype, y.device, y.shape)
# Output:
# torch.float64 meta torch.Size([2])
# endregion

# region map_location
import io
import torch

file = io.BytesIO()
torch.save({"w": torch.ones(2)}, file)
file.seek(0)
state = torch.load(file, map_location="meta")
print(state["w"].device)
# Output:
# meta
# endregion

# region two_devices
import torch

x, y = torch.ones(2), torch.ones(2, device="meta")
for other in (x, x.to(y.device)):
    try:
        print((other + y).device)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# RuntimeError
# meta
# endregion

# region number_tensor
import torch

x = torch.ones(3, device="meta")
for factor in (torch.tensor(2.0), torch.tensor([2.0])):
    try:
        print((factor * x).device)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# meta
# RuntimeError
# endregion

# region made_in_forward
import torch

def forward(x):
    return x + torch.ones(x.shape)

for device in ("cpu", "meta"):
    try:
        print(forward(torch.zeros(2, device=device)).device)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# cpu
# RuntimeError
# endregion

# region like
import torch

x = torch.ones(2, device="meta")
made = torch.zeros(2), torch.zeros_like(x), x.new_zeros(5)
for y in made:
    print(y.device)
# Output:
# cpu
# meta
# meta
# endregion

# region device_index
import torch

a, b = torch.device("cuda"), torch.device("cuda:0")
print(a.index, b.index, a == b)
# Output:
# None 0 False
# endregion

# region device_and_string
import torch

x = torch.ones(2, device="meta")
print(repr(x.device), repr(x.device.type))
# Output:
# device(type='meta') 'meta'
# endregion

# region device_context
import torch
from torch import nn

x = torch.ones(2)
with torch.device("meta"):
    layer = nn.Linear(2, 2)
print(x.device, layer.weight.device)
# Output:
# cpu meta
# endregion

# region default_device
import numpy as np
import torch

torch.set_default_device("meta")
x, y = torch.ones(2), torch.from_numpy(np.ones(2))
torch.set_default_device("cpu")
print(y.device, x.device)
# Output:
# cpu meta
# endregion

# region meta_shape
import torch

x = torch.ones(4, 3, device="meta")
print((x.T @ x).shape)
try:
    print(x.sum().item())
except RuntimeError as error:
    print(type(error).__name__)
# Output:
# torch.Size([3, 3])
# RuntimeError
# endregion

# region proof_to
import torch

x = torch.ones(2)
assert x.to("cpu", torch.float32) is x
assert x.to("cpu", copy=True) is not x
assert x.to(torch.float64) is not x
assert x.to("cpu", non_blocking=True) is x
# endregion

# region proof_numbers_meet_devices
import torch

x, number = torch.ones(3, device="meta"), torch.tensor(2.0)
assert (x + number).is_meta and (number * x).is_meta
try:
    torch.stack([x[0], number])
    raise AssertionError
except RuntimeError:
    pass
for name in ("cpu", "cuda", "cuda:0", "meta"):
    assert torch.device(name) != name and str(torch.device(name)) == name
# endregion

# region proof_devices
import torch

cpu = torch.device("cpu")
assert cpu == torch.device("cpu") and not cpu == "cpu"
assert torch.device("cuda") != torch.device("cuda:0")
assert torch.device("cuda", 0) == torch.device("cuda:0")
x = torch.ones(2, device="meta")
assert (x + torch.ones(x.shape, device=x.device)).is_meta
assert x.dtype == torch.float32 and x.shape == (2,)
# endregion

# region proof_criterion
import torch
from torch import nn

loss = nn.CrossEntropyLoss(weight=torch.ones(3))
assert [name for name, _ in loss.named_buffers()] == ["weight"]
x, y = torch.zeros(2, 3, device="meta"), torch.tensor([0, 1])
try:
    loss(x, y.to("meta"))
    raise AssertionError
except RuntimeError:
    pass
assert loss.to("meta")(x, y.to("meta")).is_meta
assert nn.CrossEntropyLoss()(x, y.to("meta")).is_meta
# endregion

# region proof_default_device
import numpy as np
import torch

assert torch.get_default_device() == torch.device("cpu")
torch.set_default_device("meta")
assert torch.get_default_device() == torch.device("meta")
assert torch.tensor([1.0]).is_meta and torch.arange(2).is_meta
assert torch.ones(1, device="cpu").device.type == "cpu"
torch.set_default_device("cpu")
array = np.ones(2)
torch.from_numpy(array)[0] = 5
assert array[0] == 5
with torch.device("meta"):
    assert torch.get_default_device() == torch.device("meta")
# endregion
