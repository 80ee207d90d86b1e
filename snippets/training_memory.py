"""Memory: bytes, gradients, state, and what stays alive."""

# region bytes_of_dtypes
import torch

x = torch.arange(10)
for t in (x, x.float(), x.half(), x > 5):
    print(t.nbytes)
# Output:
# 80
# 40
# 20
# 10
# endregion

# region slice_keeps_all
import torch

big = torch.zeros(1000, 10)
row = big[0]
for t in (row, row.clone()):
    print(t.nbytes, t.untyped_storage().nbytes())
# Output:
# 40 40000
# 40 40
# endregion

# region expanded
import torch

x = torch.ones(1).expand(1000)
print(x.nbytes, x.untyped_storage().nbytes())
# Output:
# 4000 4
# endregion

# region gradients_after_zeros
import torch
from torch import nn

layer = nn.Linear(3, 2)
layer(torch.ones(1, 3)).sum().backward()
layer.zero_grad(set_to_none=False)
size = layer.weight.grad.nbytes
layer.zero_grad()
print(size, layer.weight.grad)
# Output:
# 24 None
# endregion

# region adam_elements
import torch
from torch import nn

layer = nn.Linear(3, 2)
optimizer = torch.optim.Adam(layer.parameters())
layer(torch.ones(1, 3)).sum().backward()
optimizer.step()
kept = optimizer.state.values()
for name in ("exp_avg", "exp_avg_sq"):
    print(sum(state[name].numel() for state in kept))
# Output:
# 8
# 8
# endregion

# region proof_bytes
import torch

for dtype, size in (
    (torch.int64, 8),
    (torch.float32, 4),
    (torch.float16, 2),
    (torch.bool, 1),
):
    t = torch.zeros(3, 5, dtype=dtype)
    assert t.element_size() == size
    assert t.nbytes == t.numel() * t.element_size()
# endregion

# region proof_slice
import torch

big = torch.zeros(1000, 10)
row, copy = big[0], big[0].clone()
del big
assert row.untyped_storage().nbytes() == 40000
assert copy.untyped_storage().nbytes() == 40
x = torch.ones(1)
assert x.expand(9).data_ptr() == x.data_ptr()
# endregion

# region proof_numbers_per_parameter
import torch
from torch import nn

def kept(make):
    layer = nn.Linear(30, 20)
    optimizer = make(layer.parameters())
    layer(torch.ones(1, 30)).sum().backward()
    optimizer.step()
    total = sum(2 * p.numel() for p in layer.parameters())
    for state in optimizer.state.values():
        for value in state.values():
            if torch.is_tensor(value) and value.dim():
                total += value.numel()
    return total / 620

assert kept(lambda params: torch.optim.Adam(params)) == 4
assert kept(lambda params: torch.optim.Adam(params, amsgrad=True)) == 5
assert kept(lambda params: torch.optim.SGD(params, lr=0.1)) == 2
assert kept(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)) == 3
# endregion

# region proof_adam_first_step
import torch

w = torch.ones(2, requires_grad=True)
optimizer = torch.optim.Adam([w])
assert not optimizer.state
w.grad = torch.ones(2)
optimizer.step()
assert set(optimizer.state[w]) == {"step", "exp_avg", "exp_avg_sq"}
# endregion

# region proof_gradient_freed
import weakref
import torch

w = torch.ones(2, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
w.sum().backward()
grad = weakref.ref(w.grad)
optimizer.zero_grad(set_to_none=False)
assert grad() is not None and torch.equal(grad(), torch.zeros(2))
optimizer.zero_grad()
assert grad() is None
# endregion

# region proof_del
import weakref
import torch

y = torch.zeros(3)
ref = weakref.ref(y)
assert ref() is not None
del y
assert ref() is None
# endregion
