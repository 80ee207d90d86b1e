"""Numbers: what floats and integers of a fixed width do."""

# region float_equality
import torch

x = torch.tensor([0.1, 0.2], dtype=torch.float64).sum()
y = torch.tensor(0.3, dtype=torch.float64)
print(x == y, torch.isclose(x, y))
# Output:
# tensor(False) tensor(True)
# endregion

# region integers_in_float32
import torch

x = torch.tensor([2**24 - 1, 2**24, 2**24 + 1, 2**24 + 2])
print(x.float().long() - 2**24)
# Output:
# tensor([-1,  0,  0,  2])
# endregion

# region uint8_minus
import torch

x = torch.tensor([3], dtype=torch.uint8)
y = torch.tensor([5], dtype=torch.uint8)
print(x - y, x.int() - y)
# Output:
# tensor([254], dtype=torch.uint8) tensor([-2], dtype=torch.int32)
# endregion

# region half_range
import torch

x = torch.tensor([70000.0, 1e-8])
print(x.half(), x.bfloat16() > 0)
# Output:
# tensor([inf, 0.], dtype=torch.float16) tensor([True, True])
# endregion

# region equal_or_eq
import torch

x, y = torch.ones(2, 3), torch.ones(3)
print((x == y).sum(), torch.equal(x, y))
# Output:
# tensor(6) False
# endregion

# region allclose_small
import torch

x = torch.tensor([1e-9, 1e-7, 1e-5])
for atol in (1e-8, 0):
    print(x[torch.isclose(x, 2 * x, atol=atol)])
# Output:
# tensor([1.0000e-09])
# tensor([])
# endregion

# region masked_nan
import torch

x = torch.tensor([float("nan"), 2.0])
mask = torch.tensor([0.0, 1.0])
print(x * mask, torch.where(mask > 0, x, 0.0))
# Output:
# tensor([nan, 2.]) tensor([0., 2.])
# endregion

# region running_sum
import torch

total = torch.tensor(0, dtype=torch.float16)
for _ in range(3000):
    total += 1
print(total.item())
# Output:
# 2048.0
# endregion

# region proof_floats
import torch

x = torch.tensor([0.1, 0.2], dtype=torch.float64).sum()
assert x != 0.3 and abs(x - 0.3) < 1e-15
from fractions import Fraction
for n in (1, 2, 3):
    assert Fraction(n / 10) != Fraction(n, 10)
assert torch.tensor(0.5).item() == 0.5
assert torch.tensor(0.1).item() != 0.1
a = torch.tensor([1e8, 1.0, -1e8])
assert (a[0] + a[1]) + a[2] == 0 and (a[0] + a[2]) + a[1] == 1
# endregion

# region proof_integers
import torch

edge = 2**24
x = torch.arange(edge - 1000, edge + 1)
assert x.float().long().equal(x)
y = torch.tensor([edge + 1, edge + 2])
assert y.float().tolist() == [edge, edge + 2]
assert y.double().long().equal(y)
assert torch.tensor([2**53 + 1]).double().long().item() == 2**53
# endregion

# region proof_wrap
import torch

x = torch.tensor([3], dtype=torch.uint8)
assert (x - 5).item() == 254 == (3 - 5) % 256
assert torch.tensor([127], dtype=torch.int8).add(1).item() == -128
assert torch.tensor([2**63 - 1]).add(1).item() == -(2**63)
assert (x.int() - 5).item() == -2
# endregion

# region proof_halves
import torch

assert torch.finfo(torch.float16).max == 65504
assert torch.tensor(65504.0).half().isfinite()
x = torch.tensor([70000.0, 1e-8])
assert x.half()[0].isinf() and x.half()[1] == 0
assert x.bfloat16().isfinite().all() and (x.bfloat16() > 0).all()
y = torch.tensor([256.0, 257.0])
assert y.bfloat16().tolist() == [256, 256]
assert y.half().tolist() == [256, 257]
assert torch.tensor(2048.0).half() + 1 == 2048
assert torch.tensor(2048.0).half() + 2 == 2050
assert torch.ones(3000).half().sum() == 3000
total = torch.tensor(0.0)
for _ in range(3000):
    total += 1
assert total == 3000
# endregion

# region proof_nan
import torch

nan = float("nan")
x = torch.tensor([1.0, nan])
assert not (x == nan).any() and (x != x).tolist() == [False, True]
assert x.isnan().tolist() == [False, True]
assert not torch.equal(x, x.clone()) and not torch.allclose(x, x)
assert torch.allclose(x, x, equal_nan=True)
assert not (x > nan).any() and not (x <= nan).any()
assert not (x > float("inf")).any()
assert (x * 0)[1].isnan() and (torch.tensor(0.0) * float("inf")).isnan()
assert torch.where(x.isnan(), 0.0, x).tolist() == [1, 0]
assert torch.nan_to_num(x).tolist() == [1, 0]
# endregion

# region proof_close
import torch

x, y = torch.tensor([1e-9]), torch.tensor([2e-9])
assert torch.allclose(x, y, rtol=0) and not torch.allclose(x, y, atol=0)
assert not torch.allclose(x, y, atol=1e-10)
a, b = torch.tensor([1000.0]), torch.tensor([1000.005])
assert torch.allclose(a, b)
assert not torch.allclose(a, b, rtol=0)
assert not torch.isclose(torch.tensor(1.0), torch.tensor(1.1))
# endregion

# region proof_equal
import torch

x = torch.ones(2)
assert torch.equal(x, x.clone()) is True
assert not torch.equal(x, x[:, None])
assert (x == x[:, None]).shape == (2, 2)
try:
    raise AssertionError(torch.ones(2) == torch.ones(3))
except RuntimeError:
    assert not torch.equal(torch.ones(2), torch.ones(3))
# endregion
