"""Mixed precision: autocast and GradScaler, on the CPU."""

# region linear
import torch
from torch import nn

layer = nn.Linear(3, 2)
with torch.autocast("cpu"):
    y = layer(torch.ones(1, 3))
print(y.dtype, layer.weight.dtype)
# Output:
# torch.bfloat16 torch.float32
# endregion

# region by_operation
import torch

x = torch.ones(2, 2)
with torch.autocast("cpu"):
    product = x @ x
    total = product + x
print(product.dtype, total.dtype)
# Output:
# torch.bfloat16 torch.float32
# endregion

# region leaving
import torch

x = torch.ones(2, 2)
with torch.autocast("cpu"):
    h = x @ x
for value in (h.float(), h):
    try:
        print((value @ x).dtype)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# torch.float32
# RuntimeError
# endregion

# region gradient_dtypes
import torch
from torch import nn

layer = nn.Linear(3, 2)
with torch.autocast("cpu"):
    y = layer(torch.ones(1, 3))
y.retain_grad()
y.sum().backward()
print(y.grad.dtype, layer.weight.grad.dtype)
# Output:
# torch.bfloat16 torch.float32
# endregion

# region lost_updates
import torch

w = torch.tensor(
    [1.0], dtype=torch.bfloat16, requires_grad=True
)
optimizer = torch.optim.SGD([w], lr=0.001)
for _ in range(1000):
    w.grad = torch.ones_like(w)
    optimizer.step()
print(w.item())  # prints 1.0
# endregion

# region underflow
import torch

gradient = torch.tensor(2.0 ** -30)
scale = 2.0 ** 16
scaled = (gradient * scale).half()
print(gradient.half().item(), scaled.log2().item())
# Output:
# 0.0 -14.0
# endregion

# region scale_and_step
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
scaler.scale((2 * w).sum()).backward()
before = w.grad.item()
scaler.step(optimizer)
print(before, w.grad.item())  # prints 16.0 2.0
# endregion

# region infinite_gradient
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
scaler.scale((float("inf") * w).sum()).backward()
scaler.step(optimizer)
scaler.update()
print(w.item(), scaler.get_scale())  # prints 1.0 4.0
# endregion

# region growth
import torch
w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler(
    "cpu", init_scale=8.0, growth_interval=2
)
for _ in range(4):
    optimizer.zero_grad()
    scaler.scale(w.sum()).backward()
    scaler.step(optimizer)
    scaler.update()
print(scaler.get_scale())  # prints 32.0
# endregion

# region clip_scaled
import torch
from torch.nn.utils import clip_grad_norm_

w = torch.zeros(2, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
loss = w @ torch.tensor([3.0, 4.0])
scaler.scale(loss).backward()
before = clip_grad_norm_([w], max_norm=100.0)
scaler.unscale_(optimizer)
after = clip_grad_norm_([w], max_norm=100.0)
print(before, after)  # prints tensor(40.) tensor(5.)
# endregion

# region disabled
import torch

loss = torch.tensor(2.0)
for enabled in (True, False):
    scaler = torch.amp.GradScaler(
        "cpu", init_scale=8.0, enabled=enabled
    )
    print(scaler.scale(loss))
# Output:
# tensor(16.)
# tensor(2.)
# endregion

# region half_parameters
import torch

for dtype in (torch.float32, torch.float16):
    w = torch.ones(1, dtype=dtype, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    scaler.scale(w.float().sum()).backward()
    try:
        scaler.step(optimizer)
        print(w.grad)
    except ValueError as error:
        print(type(error).__name__)
# Output:
# tensor([1.])
# ValueError
# endregion

# region proof_bfloat16_range
import torch

half = torch.finfo(torch.float16)
brain = torch.finfo(torch.bfloat16)
single = torch.finfo(torch.float32)
assert brain.tiny == single.tiny and half.tiny > 1e-5
assert brain.max > 0.99 * single.max and half.max == 65504
assert brain.eps > half.eps
# endregion

# region proof_skipped_step
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
for factor, fell in ((1.0, False), (float("inf"), True)):
    optimizer.zero_grad()
    scaler.scale((factor * w).sum()).backward()
    before = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    assert (scaler.get_scale() < before) == fell
# endregion

# region proof_closure
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
scaler.scale(w.sum()).backward()
try:
    scaler.step(optimizer, closure=lambda: w.sum())
    raise AssertionError("not reached")
except RuntimeError as error:
    assert "Closure use is not currently supported" in str(error)
# endregion

# region proof_backward_outside
import torch
from torch import nn

layer = nn.Linear(3, 2)
with torch.autocast("cpu"):
    layer(torch.ones(1, 3)).float().sum().backward()
    inside = layer.weight.grad
    layer.zero_grad()
    loss = layer(torch.ones(1, 3)).float().sum()
loss.backward()
assert torch.equal(inside, layer.weight.grad)
# endregion

# region proof_scale_between
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
scaler.scale(w.sum()).backward()
scaler.update(16.0)  # in the middle of an accumulation
scaler.scale(w.sum()).backward()
scaler.step(optimizer)
assert w.item() == -(8 + 16) / 16 != -2
# endregion

# region proof_nested_off
import torch

x = torch.ones(2, 2)
with torch.autocast("cpu"):
    h = x @ x
    with torch.autocast("cpu", enabled=False):
        assert (x @ x).dtype == torch.float32
        assert (h.float() @ x).dtype == torch.float32
        try:
            assert not (h @ x).numel()
        except RuntimeError as error:
            assert "same dtype" in str(error)
# endregion

# region proof_defaults
import torch

assert torch.get_autocast_dtype("cpu") == torch.bfloat16
assert torch.get_autocast_dtype("cuda") == torch.float16
scaler = torch.amp.GradScaler("cpu")
assert scaler.get_scale() == 65536
assert scaler.get_growth_interval() == 2000
assert scaler.get_growth_factor() == 2
assert scaler.get_backoff_factor() == 0.5
# endregion

# region proof_unscaled_once
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
scaler.scale((2 * w).sum()).backward()
scaler.unscale_(optimizer)
scaler.step(optimizer)
assert w.grad.item() == 2 and w.item() == 0
# endregion

# region proof_half_floor
import torch

assert torch.tensor(2.0 ** -24).half().item() == 2.0 ** -24
assert torch.tensor(2.0 ** -25).half().item() == 0
below_one = torch.tensor(1 - 1 / 256).bfloat16().item()
assert below_one == 1 - 1 / 256
assert torch.tensor(1 - 1 / 520).bfloat16().item() == 1
# endregion

# region proof_disabled
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", enabled=False)
scaler.scale(w.sum()).backward()
scaler.unscale_(optimizer)
scaler.step(optimizer)
scaler.update()
assert w.item() == 0.5
# endregion

# region proof_nan_skips
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
scaler.scale((float("nan") * w).sum()).backward()
scaler.step(optimizer)
scaler.update()
assert w.item() == 1 and scaler.get_scale() == 4
# endregion
