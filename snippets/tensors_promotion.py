"""dtypes: what an operation on two of them gives."""

# region int_and_half
import torch

a = torch.ones(2, dtype=torch.int64)
b = torch.ones(2, dtype=torch.float16)
print((a + b).dtype)
# Output:
# torch.float16
# endregion

# region python_number
import torch

a = torch.ones(2, dtype=torch.int8)
b = torch.ones(2, dtype=torch.float16)
print((a * 2).dtype, (b * 2).dtype, (a * 2.5).dtype)
# Output:
# torch.int8 torch.float16 torch.float32
# endregion

# region zero_dim
import torch

a = torch.ones(2)
b = torch.tensor(2.0, dtype=torch.float64)
print((a * b).dtype, (a * b.reshape(1)).dtype)
# Output:
# torch.float32 torch.float64
# endregion

# region zero_dim_category
import torch

a = torch.tensor([1, 2])
b = torch.tensor(1.5, dtype=torch.float64)
print((a * 1.5).dtype, (a * b).dtype)
# Output:
# torch.float32 torch.float64
# endregion

# region true_division
import torch

a = torch.tensor([4, 6])
print((a / 2).dtype, (a // 2).dtype)
# Output:
# torch.float32 torch.int64
# endregion

# region floor_or_trunc
import torch

a = torch.tensor([-7])
b = torch.div(a, 2, rounding_mode="trunc")
print(a // 2, b)
# Output:
# tensor([-4]) tensor([-3])
# endregion

# region remainder
import torch

a = torch.tensor([-7])
print(a % 3, torch.fmod(a, 3))
# Output:
# tensor([2]) tensor([-1])
# endregion

# region bool_plus
import torch

a = torch.tensor([True, True])
print(a + a, a.sum())
# Output:
# tensor([True, True]) tensor(2)
# endregion

# region invert
import torch

print(~torch.tensor([True]), ~torch.tensor([1]))
# Output:
# tensor([False]) tensor([-2])
# endregion

# region float_to_int
import torch

x = torch.tensor([1.9, -1.9])
print(x.long())
# Output:
# tensor([ 1, -1])
# endregion

# region half_even
import torch

x = torch.tensor([0.5, 1.5, 2.5])
print(x.round())
# Output:
# tensor([0., 2., 2.])
# endregion

# region negative_power
import torch

for base in (torch.tensor([2.0]), torch.tensor([2])):
    try:
        print(base**-1)
    except RuntimeError:
        print("refused")
# Output:
# tensor([0.5000])
# refused
# endregion

# region cat_promotes
import torch

a, b = torch.tensor([1, 2]), torch.tensor([0.5])
print(torch.cat([a, b]).dtype)
# Output:
# torch.float32
# endregion

# region proof_categories
import torch

i, h = torch.int64, torch.float16
assert torch.promote_types(i, h) == h
assert torch.promote_types(torch.bool, torch.int8) == torch.int8
assert torch.promote_types(torch.uint8, torch.int8) == torch.int16
assert torch.promote_types(h, torch.float32) == torch.float32
assert torch.finfo(h).max < torch.finfo(torch.bfloat16).max
assert torch.finfo(h).eps < torch.finfo(torch.bfloat16).eps
tops = [torch.finfo(d).max for d in (torch.bfloat16, torch.float32)]
assert torch.finfo(torch.float32).eps < torch.finfo(h).eps
assert tops[0] <= tops[1]
x = torch.ones(1, dtype=h) + torch.ones(1, dtype=torch.float32)
assert x.dtype == torch.float32
# endregion

# region proof_numbers
import torch

for dtype in (torch.int8, torch.int64, torch.float16, torch.float64):
    assert (torch.ones(2, dtype=dtype) + 2).dtype == dtype
assert (torch.ones(2, dtype=torch.bool) + 2).dtype == torch.int64
assert (torch.ones(2, dtype=torch.int8) + 1.5).dtype == torch.float32
assert (torch.ones(2, dtype=torch.float64) + 1.5).dtype == torch.float64
torch.set_default_dtype(torch.float64)
assert (torch.ones(2, dtype=torch.int8) + 1.5).dtype == torch.float64
torch.set_default_dtype(torch.float32)
x, y = torch.ones(2, dtype=torch.int8), torch.tensor(1)
assert (x + y).dtype == torch.int8
z = torch.tensor(1.5, dtype=torch.float16)
assert (x + z).dtype == torch.float16
assert (x + y.reshape(1)).dtype == torch.int64
# endregion

# region proof_result_type
import torch

a = torch.tensor([1, 2], dtype=torch.int8)
assert torch.result_type(a, 1) == torch.int8
assert torch.result_type(a, 1.5) == torch.float32
assert torch.promote_types(torch.int8, torch.int64) == torch.int64
assert torch.can_cast(torch.int64, torch.float16)
assert torch.can_cast(torch.float64, torch.float16)
assert torch.can_cast(torch.int64, torch.int8)
assert not torch.can_cast(torch.float32, torch.int64)
assert not torch.can_cast(torch.int64, torch.bool)
x = torch.ones(2)
assert x.to(torch.float32) is x
assert x.to(torch.float32, copy=True) is not x
assert x.double() is not x and x.float() is x
# endregion

# region proof_division
import torch

a = torch.tensor([-7, 7])
assert (a // 2).tolist() == [-4, 3]
assert (a / 2).tolist() == [-3.5, 3.5]
assert (a % 3).tolist() == [2, 1]
assert (a % -3).tolist() == [-1, -2]
assert torch.fmod(a, -3).tolist() == [-1, 1]
assert torch.remainder(a, 3).tolist() == [2, 1]
assert (torch.tensor([7.5]) // 2).tolist() == [3.0]
assert (torch.tensor([4.0]) // 2).dtype == torch.float32
assert a.float().trunc().equal(a.float())
# endregion

# region proof_bool
import torch

t = torch.tensor([True, False])
assert (t + t).dtype == torch.bool and t.sum().dtype == torch.int64
assert (t * t).equal(t & t) and (t + t).equal(t | t)
assert (t ^ t).equal(torch.logical_xor(t, t)) and not (t ^ t).any()
assert (~t).tolist() == [False, True]
assert (~torch.tensor([1, 0, 5])).tolist() == [-2, -1, -6]
assert torch.logical_not(torch.tensor([1, 0])).tolist() == [False, True]
assert (~torch.tensor([1, 0]).bool()).tolist() == [False, True]
# endregion

# region proof_rounding
import torch

x = torch.tensor([1.9, -1.9])
assert x.trunc().tolist() == [1, -1] == x.to(torch.int32).tolist()
assert x.floor().tolist() == [1, -2]
assert torch.tensor([3.5, 4.5]).round().tolist() == [4, 4]
assert torch.tensor([2.6]).round() == 3
assert x.round().long().tolist() == [2, -2]
assert torch.tensor([2]).pow(3).dtype == torch.int64
assert torch.tensor([2]).pow(torch.tensor([-1])).tolist() == [0]
assert (torch.tensor([4]) // 2.0).dtype == torch.float32
assert torch.tensor([True]).sqrt().dtype == torch.float32
for function in (torch.exp, torch.log, torch.sin):
    assert function(torch.tensor([1])).dtype == torch.float32
# endregion

# region proof_joining
import torch

a, b = torch.tensor([1, 2]), torch.tensor([0.5, 1])
assert torch.stack([a, b]).dtype == torch.float32
for other in (torch.int8, torch.bool, torch.float16, torch.float64):
    c = torch.ones(1, dtype=other)
    assert torch.cat([a, c]).dtype == (a[:1] + c).dtype
assert torch.where(a > 1, a, b).dtype == torch.float32
x = torch.zeros(2, dtype=torch.int64)
x[0] = 2.7
assert x.tolist() == [2, 0]
assert (a == torch.tensor([1.0, 2.5])).tolist() == [True, False]
# endregion
