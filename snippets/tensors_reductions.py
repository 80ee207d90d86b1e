"""Reductions: over which dimension, in which dtype, and what NaN does."""

# region which_dim
import torch

x = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(x.sum(0))
# Output:
# tensor([5, 7, 9])
# endregion

# region mean_of_ints
import torch

for x in (torch.tensor([1.0, 2.0]), torch.tensor([1, 2])):
    try:
        print(x.mean())
    except RuntimeError:
        print("refused")
# Output:
# tensor(1.5000)
# refused
# endregion

# region sum_dtype
import torch

x = torch.ones(300, dtype=torch.uint8)
print(x.sum(), x.sum(dtype=torch.uint8))
# Output:
# tensor(300) tensor(44, dtype=torch.uint8)
# endregion

# region correction
import torch

x = torch.tensor([1.0, 3.0])
print(x.var(), x.var(correction=0))
# Output:
# tensor(2.) tensor(1.)
# endregion

# region max_of_dim
import torch

x = torch.tensor([[1, 9], [7, 5]])
values, indices = x.max(1)
print(x.max().item(), values.tolist(), indices.tolist())
# Output:
# 9 [9, 7] [1, 0]
# endregion

# region argmax_flat
import torch

x = torch.tensor([[1, 8, 3], [4, 2, 9]])
print(x.argmax(), x.argmax(0))
# Output:
# tensor(5) tensor([1, 0, 1])
# endregion

# region nan_spreads
import torch

x = torch.tensor([1.0, float("nan"), 3.0])
print(x.max(), x.sum(), x.nansum())
# Output:
# tensor(nan) tensor(nan) tensor(4.)
# endregion

# region median_even
import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0])
print(x.median(), x.quantile(0.5))
# Output:
# tensor(2.) tensor(2.5000)
# endregion

# region ranks
import torch

x = torch.tensor([30, 10, 20])
print(x.argsort(), x.argsort().argsort())
# Output:
# tensor([1, 2, 0]) tensor([2, 0, 1])
# endregion

# region sort_columns
import torch

x = torch.tensor([[3, 1], [2, 4]])
print(x.sort(0).values)
# Output:
# tensor([[2, 1],
#         [3, 4]])
# endregion

# region logsumexp
import torch

x = torch.tensor([1000.0, 0.0])
print(x.exp().sum().log(), x.logsumexp(0))
# Output:
# tensor(inf) tensor(1000.)
# endregion

# region proof_dims
import torch

x = torch.tensor([[1, 2, 3], [4, 5, 6]])
assert x.sum(0).tolist() == [5, 7, 9] and x.sum(1).tolist() == [6, 15]
assert x.sum(-1).equal(x.sum(1)) and x.sum().shape == ()
y = torch.zeros(2, 3, 4)
assert y.sum((0, 2)).shape == (3,)
assert y.sum((0, 2), keepdim=True).shape == (1, 3, 1)
assert y.amax((0, 2)).shape == (3,) == y.amin((0, 2)).shape
try:
    raise AssertionError(y.max((0, 2)))
except TypeError:
    pass
# endregion

# region proof_dtypes
import torch

for dtype in (torch.bool, torch.uint8, torch.int32, torch.int64):
    x = torch.ones(2, dtype=dtype)
    assert x.sum().dtype == x.prod().dtype == torch.int64
    assert x.cumsum(0).dtype == torch.int64
    try:
        raise AssertionError(x.mean())
    except RuntimeError:
        pass
    assert x.mean(dtype=torch.float32) == 1 == x.float().mean()
x = torch.ones(2, dtype=torch.float16)
assert x.sum().dtype == x.mean().dtype == torch.float16
# endregion

# region proof_std
import math
import torch

x = torch.tensor([1.0, 3.0, 5.0])
assert x.var() == 8 / 2 and x.var(correction=0) == torch.tensor(8 / 3)
assert x.std() == 2
assert torch.tensor([7.0]).std(correction=0) == 0
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    assert math.isnan(torch.tensor([7.0]).std())
# endregion

# region proof_max
import torch

x = torch.tensor([[1, 9], [7, 5]])
assert x.max(1).values.equal(x.amax(1))
assert x.max(1).indices.equal(x.argmax(1))
assert torch.maximum(x, torch.tensor(6)).tolist() == [[6, 9], [7, 6]]
assert torch.max(x, x.t()).equal(torch.maximum(x, x.t()))
y = torch.tensor([[1, 2, 3], [4, 9, 6]])
assert y.argmax() == 4 == y.flatten().argmax()
assert y.argmax(1).tolist() == [2, 1]
row, column = torch.unravel_index(y.argmax(), y.shape)
assert (row, column) == (1, 1)
# endregion

# region proof_nan
import torch

nan = float("nan")
x = torch.tensor([1.0, nan, 3.0])
for name in ("sum", "mean", "max", "min", "median", "prod", "std"):
    assert getattr(x, name)().isnan()
assert x.nanmean() == 2 and x.nanmedian() == 1 and x.nansum() == 4
assert x.argmax() == 1
assert torch.tensor([nan, 1.0]).sort().values[1].isnan()
assert torch.fmax(x, torch.zeros(3)).tolist() == [1, 0, 3]
assert torch.maximum(x, torch.zeros(3))[1].isnan()
assert torch.nan_to_num(x).tolist() == [1, 0, 3]
assert torch.tensor([nan]).nansum() == 0
assert torch.tensor([nan]).nanmean().isnan()
# endregion

# region proof_empty
import torch

x = torch.ones(0)
assert x.sum() == 0 and x.prod() == 1 and x.mean().isnan()
assert torch.ones(0, 3).sum(0).tolist() == [0, 0, 0]
for name in ("max", "min", "argmax", "amax"):
    try:
        raise AssertionError(getattr(x, name)())
    except (RuntimeError, IndexError):
        pass
assert torch.tensor([1, 2]).all() and not torch.tensor([1, 0]).all()
assert torch.tensor([[1, 0], [1, 1]]).all(1).tolist() == [False, True]
# endregion

# region proof_cumsum
import torch

x = torch.tensor([[1, 2], [3, 4]])
assert x.cumsum(0).tolist() == [[1, 2], [4, 6]]
assert x.cumprod(1).tolist() == [[1, 2], [3, 12]]
try:
    raise AssertionError(x.cumsum())
except TypeError:
    pass
assert x[0].diff().tolist() == [1]
assert x.cummax(1).values.equal(x)
# endregion

# region proof_order
import torch

x = torch.tensor([[4, 1, 9, 7], [0, 2, 1, 3]])
assert x.topk(2).values.tolist() == [[9, 7], [3, 2]]
assert x.topk(2).indices.tolist() == [[2, 3], [3, 1]]
assert x.topk(1, largest=False).values.tolist() == [[1], [0]]
assert x.topk(1, 0).values.tolist() == [[4, 2, 9, 7]]
assert x.sort(descending=True).values[0].tolist() == [9, 7, 4, 1]
assert x.sort().values[0].tolist() == [1, 4, 7, 9]
assert x[0][x[0].argsort()].equal(x[0].sort().values)
assert x.sort(0).values.tolist() == [[0, 1, 1, 3], [4, 2, 9, 7]]
try:
    raise AssertionError(x.topk(5))
except RuntimeError:
    pass
assert x.kthvalue(2).values.tolist() == [4, 1]
# endregion

# region proof_ranks
import torch

x = torch.tensor([30, 10, 20])
assert x.argsort().tolist() == [1, 2, 0]
assert x.argsort().argsort().tolist() == [2, 0, 1]
assert x[x.argsort()].tolist() == [10, 20, 30]
z = torch.tensor([[3, 1], [2, 4]])
assert z[z[:, 0].argsort()].tolist() == [[2, 4], [3, 1]]
assert z.sort(0).values.tolist() == [[2, 1], [3, 4]]
y = torch.tensor([1, 0, 1, 0] * 50)
i = y.sort(stable=True).indices
assert i.tolist() == list(range(1, 200, 2)) + list(range(0, 200, 2))
# endregion

# region proof_counting
import torch

x = torch.tensor([3, 1, 1, 3, 3])
values, places = x.unique(return_inverse=True)
counts = x.unique(return_counts=True)[1]
assert counts.tolist() == [2, 3] and values[places].equal(x)
assert x.unique_consecutive().tolist() == [3, 1, 3]
assert x.sort().values.unique_consecutive().equal(x.unique())
assert x.bincount().tolist() == [0, 2, 0, 3]
assert x.bincount(minlength=6).tolist() == [0, 2, 0, 3, 0, 0]
w = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
assert x.bincount(w).tolist() == [0, 5, 0, 10]
assert torch.tensor([0, 5, 6]).count_nonzero() == 2
# endregion

# region proof_logsumexp
import math
import torch

x = torch.tensor([1000.0, 0.0])
assert x.exp()[0] == math.inf and x.logsumexp(0) == 1000
y = torch.tensor([-1000.0, -1000.0])
assert y.exp().sum().log() == -math.inf
assert torch.isclose(y.logsumexp(0), torch.tensor(-1000 + math.log(2)))
m = torch.tensor([1.0, 2.0, 3.0, 4.0])
assert m.median() == 2 and m.quantile(0.5) == 2.5
assert m[:3].median() == 2 == m[:3].quantile(0.5)
# endregion
