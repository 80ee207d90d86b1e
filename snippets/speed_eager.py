"""Fast eager code: fewer operators, fewer bytes, the right memory format."""

# region loop_or_product
import torch
from torch.profiler import ProfilerActivity, profile

x = torch.ones(100)
for f in (lambda: sum(v * v for v in x), lambda: x @ x):
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        f()
    names = [event.name for event in prof.events()]
    print(names.count("aten::mul"), names.count("aten::dot"))
# Output:
# 100 0
# 0 1
# endregion

# region bytes_allocated
import torch
from torch.profiler import ProfilerActivity, profile

x, y = torch.ones(1000), torch.empty(1000)
cpu = [ProfilerActivity.CPU]
for f in (x.sin, x.sin_, lambda: torch.sin(x, out=y)):
    with profile(activities=cpu, profile_memory=True) as prof:
        f()
    print(prof.events()[0].cpu_memory_usage)
# Output:
# 4000
# 0
# 0
# endregion

# region one_operator
import torch
from torch.profiler import ProfilerActivity, profile

x = torch.ones(1000)
for f in (lambda: x + x * x, lambda: torch.addcmul(x, x, x)):
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        f()
    print([event.name for event in prof.events()])
# Output:
# ['aten::mul', 'aten::add']
# ['aten::addcmul']
# endregion

# region fused_adam
import torch
from torch.profiler import ProfilerActivity, profile

weights = [torch.ones(3, requires_grad=True) for _ in range(10)]
sum(w.sum() for w in weights).backward()
for fused in (False, True):
    adam = torch.optim.Adam(weights, fused=fused)
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        adam.step()
    count = [event.name for event in prof.events()].count
    print(count("aten::sqrt"), count("aten::_fused_adam_"))
# Output:
# 10 0
# 0 1
# endregion

# region channels_last_strides
import torch

x = torch.empty(2, 3, 4, 5)
y = x.to(memory_format=torch.channels_last)
for t in (x, y):
    print(tuple(t.shape), t.stride())
# Output:
# (2, 3, 4, 5) (60, 20, 5, 1)
# (2, 3, 4, 5) (60, 1, 15, 3)
# endregion

# region channels_last_conv
import torch
from torch import nn

x = torch.empty(2, 3, 4, 4)
conv = nn.Conv2d(3, 6, 3)
for order in (torch.contiguous_format, torch.channels_last):
    conv.to(memory_format=order)
    print(conv(x).stride())
# Output:
# (24, 4, 2, 1)
# (24, 1, 12, 6)
# endregion

# region channels_last_view
import torch

x = torch.empty(2, 3, 4, 5).to(memory_format=torch.channels_last)
for f in (lambda: x.view(2, 60), lambda: x.flatten(1)):
    try:
        print(f().stride())
    except RuntimeError:
        print("error")
# Output:
# error
# (60, 1)
# endregion

# region proof_out
import torch

x, y = torch.ones(1000), torch.empty(1000)
before = y.data_ptr()
assert torch.sin(x, out=y) is y and y.data_ptr() == before
assert torch.equal(y, x.sin())
assert x.sin_() is x
w = torch.full((3,), 2.0)
assert torch.equal(torch.addcmul(w, w, w), w + w * w)
# endregion

# region proof_channels_last
import torch
from torch import nn

x = torch.arange(24.0).reshape(1, 2, 3, 4)
y = x.to(memory_format=torch.channels_last)
assert torch.equal(x, y) and y.shape == x.shape
assert y.permute(0, 2, 3, 1).is_contiguous()
assert y.is_contiguous(memory_format=torch.channels_last)
net = nn.Sequential(nn.Conv2d(2, 4, 3), nn.Linear(2, 2))
net.to(memory_format=torch.channels_last)
assert net[0].weight.stride() == (18, 1, 6, 2)
assert net[1].weight.stride() == (2, 1)
flat = y.flatten(1)
assert flat.data_ptr() != y.data_ptr()  # a copy
assert x.flatten(1).data_ptr() == x.data_ptr()
try:
    torch.ones(3, 4, 5).to(memory_format=torch.channels_last)
    raise AssertionError
except RuntimeError as error:
    assert "required rank 4" in str(error)
assert (y + 1).stride() == y.stride()
plain = nn.Conv2d(2, 4, 3)
last = torch.channels_last
assert plain(y).is_contiguous(memory_format=last)
assert not plain(x).is_contiguous(memory_format=last)
assert net[0](x).is_contiguous(memory_format=last)
# endregion

# region proof_foreach_doc
import torch

told = " ".join(torch.optim.AdamW.__doc__.split())
assert "~ sizeof(params) more peak memory than the for-loop version" in told
assert "defaulting to the foreach implementation when the tensors are" in told
assert torch.backends.cudnn.benchmark is False
print("eager as told")
# endregion
