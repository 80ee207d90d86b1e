"""Tensors: how they are created, and which dtype they get."""

# region list_dtypes
import torch

for data in ([1, 2], [1, 2.5], [True, False]):
    print(torch.tensor(data).dtype)
# Output:
# torch.int64
# torch.float32
# torch.bool
# endregion

# region copy_or_share
import numpy as np
import torch

a = np.zeros(2)
x, y = torch.tensor(a), torch.as_tensor(a)
a[0] = 5
print(x.tolist(), y.tolist())
# Output:
# [0.0, 0.0] [5.0, 0.0]
# endregion

# region capital_tensor
import torch

print(torch.Tensor(3).shape, torch.tensor(3).shape)
# Output:
# torch.Size([3]) torch.Size([])
# endregion

# region ragged
import torch

for rows in ([[1, 2], [3, 4]], [[1, 2], [3]]):
    try:
        print(torch.tensor(rows).shape)
    except ValueError:
        print("refused")
# Output:
# torch.Size([2, 2])
# refused
# endregion

# region list_of_tensors
import torch

rows = [torch.ones(2), torch.zeros(2)]
for make in (torch.tensor, torch.stack):
    try:
        print(make(rows).shape)
    except (ValueError, RuntimeError):
        print("refused")
# Output:
# refused
# torch.Size([2, 2])
# endregion

# region arange_linspace
import torch

a = torch.arange(0, 4, 2)
b = torch.linspace(0, 4, 2)
print(a.tolist(), b.tolist())
# Output:
# [0, 2] [0.0, 4.0]
# endregion

# region float_step
import torch

print(len(torch.arange(1, 1.3, 0.1)))
# Output:
# 4
# endregion

# region full_dtype
import torch

x = torch.zeros(2)
y = torch.full((2,), 0)
print(x.dtype, y.dtype)
# Output:
# torch.float32 torch.int64
# endregion

# region like_dtype
import torch

x = torch.tensor([1, 2])
print(torch.full_like(x, 0.7))
# Output:
# tensor([0, 0])
# endregion

# region new_zeros
import torch

x = torch.ones(2, dtype=torch.float64)
print(x.new_zeros(3).dtype, x.new_tensor([1, 2]).dtype)
# Output:
# torch.float64 torch.float64
# endregion

# region default_dtype
import torch

torch.set_default_dtype(torch.float64)
names = [torch.ones(1).dtype, torch.tensor([1]).dtype]
torch.set_default_dtype(torch.float32)
print(names)
# Output:
# [torch.float64, torch.int64]
# endregion

# region item
import torch

for x in (torch.tensor([[7]]), torch.tensor([7, 8])):
    try:
        print(x.item())
    except RuntimeError:
        print("refused")
# Output:
# 7
# refused
# endregion

# region proof_tensor_always_copies
import numpy as np
import torch

x, a = torch.ones(2), np.ones(2)
assert torch.as_tensor(x) is x
assert torch.as_tensor(a, device="meta").is_meta
assert torch.as_tensor(x, device="meta") is not x
assert torch.tensor([x[:1], x[:1]]).tolist() == [1, 1]
assert torch.as_tensor(x, dtype=torch.float64) is not x
assert torch.tensor(x.tolist()).dtype == torch.float32
assert x.clone().data_ptr() != x.data_ptr()
b = torch.as_tensor(a, dtype=torch.float32)
assert b.data_ptr() != a.ctypes.data
assert torch.as_tensor(a).data_ptr() == a.ctypes.data
assert torch.from_numpy(a).data_ptr() == a.ctypes.data
assert torch.tensor(a).data_ptr() != a.ctypes.data
assert torch.as_tensor([1, 2]).tolist() == [1, 2]
# endregion

# region proof_from_numpy
import numpy as np
import torch

assert torch.from_numpy(np.ones(1)).dtype == torch.float64
try:
    raise AssertionError(torch.from_numpy([1, 2]))
except TypeError:
    pass
# endregion

# region proof_capital
import torch

assert torch.Tensor([1, 2]).dtype == torch.float32
assert torch.Tensor(2, 3).shape == (2, 3)
assert torch.tensor(3).ndim == 0 and torch.tensor(3) == 3
assert torch.tensor(3).dtype == torch.int64
# endregion

# region proof_ends
import torch

assert (1.3 - 1) / 0.1 > 3
assert torch.linspace(0, 1, 5)[-1] == 1
assert len(torch.linspace(0, 1, 5)) == 5
assert torch.arange(0, 1, 0.25)[-1] == 0.75
last = torch.arange(1, 1.3, 0.1)[-1]
assert torch.isclose(last, torch.tensor(1.3))
assert torch.linspace(0, 10, 11).dtype == torch.float32
assert torch.arange(3).dtype == torch.int64
assert torch.arange(3.0).dtype == torch.float32
assert torch.logspace(0, 3, 4, base=2).tolist() == [1, 2, 4, 8]
assert torch.arange(0, 1.3, 0.1)[:3].dtype == torch.float32
# endregion

# region proof_default_dtype
import torch

torch.set_default_dtype(torch.float64)
assert torch.tensor([1.5]).dtype == torch.float64
assert torch.zeros(1).dtype == torch.float64
assert torch.tensor([True]).dtype == torch.bool
torch.set_default_dtype(torch.float32)
assert torch.full((1,), True).dtype == torch.bool
assert torch.zeros((2, 3)).shape == torch.zeros(2, 3).shape
# endregion

# region proof_like
import torch

x = torch.zeros(2, 3, dtype=torch.float16)
for make in (torch.ones_like, torch.empty_like):
    assert make(x).dtype == x.dtype
    assert make(x).shape == x.shape
assert torch.zeros_like(x, dtype=torch.int8).dtype == torch.int8
y = torch.rand_like(torch.tensor([1]), dtype=torch.float32)
assert 0 <= y < 1
assert x.new_full((5,), 2).dtype == torch.float16
assert x.new_full((5,), 2).tolist() == [2] * 5
assert x.new_tensor([1.5]).dtype == torch.float16
z = torch.full_like(torch.tensor([1]), 0.7, dtype=torch.float32)
assert z.dtype == torch.float32 and z > 0.6
assert torch.full((2,), 0.0).dtype == torch.float32
assert x.new_zeros(3).device == x.device
assert x.to("meta").new_zeros(3).is_meta
# endregion

# region proof_triangles
import torch

x = torch.ones(3, 3)
assert x.triu()[0, 0] == 1 and x.triu(1)[0, 0] == 0
assert x.tril()[1].tolist() == [1, 1, 0]
assert x.tril(-1)[1].tolist() == [1, 0, 0]
assert torch.eye(2, 3).tolist() == [[1, 0, 0], [0, 1, 0]]
assert torch.diag(torch.tensor([1, 2])).tolist() == [[1, 0], [0, 2]]
assert torch.diag(torch.tensor([[1, 2], [3, 4]])).tolist() == [1, 4]
assert torch.eye(2).dtype == torch.float32
# endregion
