"""Indexing: what is a view and what a copy, masks, gather and scatter."""

# region view_or_copy
import torch

x = torch.zeros(3)
x[:2][0] = 1
x[[1, 2]][0] = 5
print(x)
# Output:
# tensor([1., 0., 0.])
# endregion

# region assign_by_list
import torch

x = torch.zeros(3)
x[[0, 2]] = 1
y = x[x > 0]
y += 5
print(x)
# Output:
# tensor([1., 0., 1.])
# endregion

# region element_is_view
import torch

x = torch.tensor([3, 4])
first = x[0]
x[0] = 9
print(first)
# Output:
# tensor(9)
# endregion

# region int_slice_list
import torch

x = torch.zeros(2, 3)
for index in (0, slice(0, 1), [0]):
    print(x[index].shape)
# Output:
# torch.Size([3])
# torch.Size([1, 3])
# torch.Size([1, 3])
# endregion

# region new_axis
import torch

x = torch.zeros(2, 3, 4)
print(x[None].shape, x[..., None].shape)
# Output:
# torch.Size([1, 2, 3, 4]) torch.Size([2, 3, 4, 1])
# endregion

# region mask_flattens
import torch

x = torch.tensor([[1, 5], [6, 2]])
print(x[x > 2].shape)
# Output:
# torch.Size([2])
# endregion

# region pairs
import torch

x = torch.arange(9).reshape(3, 3)
print(x[[0, 2], [0, 2]])
# Output:
# tensor([0, 8])
# endregion

# region split_indices
import torch

x = torch.zeros(2, 3, 4, 5)
i = torch.tensor([0, 1, 1, 0, 1, 0])
print(x[:, i, i].shape, x[:, i, :, i].shape)
# Output:
# torch.Size([2, 6, 5]) torch.Size([6, 2, 4])
# endregion

# region duplicates
import torch

x, y = torch.zeros(2), torch.zeros(2)
i = torch.tensor([0, 0, 0])
x[i] += 1
y.index_add_(0, i, torch.ones(3))
print(x.tolist(), y.tolist())
# Output:
# [1.0, 0.0] [3.0, 0.0]
# endregion

# region combine_masks
import torch

x = torch.tensor([1, 5, 9])
a, b = x > 2, x < 8
for both in (lambda: a & b, lambda: a and b):
    try:
        print(both())
    except RuntimeError:
        print("refused")
# Output:
# tensor([False,  True, False])
# refused
# endregion

# region gather_labels
import torch

x = torch.tensor([[1, 2, 3], [4, 5, 6]])
labels = torch.tensor([2, 0])
print(x.gather(1, labels[:, None]))
# Output:
# tensor([[3],
#         [4]])
# endregion

# region gather_rows
import torch

x = torch.tensor([[1, 2], [3, 4], [5, 6]])
i = torch.tensor([[2]])
print(x.gather(0, i), x.take_along_dim(i, 0))
# Output:
# tensor([[5]]) tensor([[5, 6]])
# endregion

# region one_hot
import torch

labels = torch.tensor([2, 0])
x = torch.zeros(2, 3, dtype=torch.int64)
print(x.scatter_(1, labels[:, None], 1))
# Output:
# tensor([[0, 0, 1],
#         [1, 0, 0]])
# endregion

# region nonzero
import torch

x = torch.tensor([[0, 5, 0], [6, 0, 7]])
print(x.nonzero().shape, len(x.nonzero(as_tuple=True)))
# Output:
# torch.Size([3, 2]) 2
# endregion

# region mask_shape
import torch

x = torch.zeros(2, 3)
for size in (2, 3):
    mask = torch.ones(size, dtype=torch.bool)
    try:
        print(x[mask].shape)
    except IndexError:
        print("refused")
# Output:
# torch.Size([2, 3])
# refused
# endregion

# region proof_views
import torch

x = torch.zeros(4, 4)
def place(t): return t.untyped_storage().data_ptr()
for view in (x[0], x[1:], x[..., 1], x[:, None], x[::2], x[0, 0]):
    assert place(view) == place(x)
for copy in (x[[0]], x[x == 0], x[torch.tensor([0, 1])], x[0, [1, 2]]):
    assert place(copy) != place(x)
x[x == 0] = 3
assert (x == 3).all()
x[[0, 1]] += 1
assert x[:2].eq(4).all() and x[2:].eq(3).all()
number = x[0, 0].item()
x[0, 0] = 8
assert type(number) is float and number == 4
# endregion

# region proof_shapes
import torch

x = torch.zeros(2, 3, 4)
assert x[..., None].shape == (2, 3, 4, 1) and x[..., 0].shape == (2, 3)
assert x[None].shape == (1, 2, 3, 4) == x.unsqueeze(0).shape
assert x[0].shape == (3, 4) and x[0:1].shape == (1, 3, 4)
assert x[:, :, 0].shape == x[..., 0].shape
mask = torch.zeros(2, 3, dtype=torch.bool)
assert x[mask].shape == (0, 4)
i = torch.tensor([0, 1, 1])
assert x[i, :, i].shape == (3, 3) == x[0, :, i].shape[::-1]
assert x[0][:, i].shape == (3, 3) and x[:, i, i].shape == (2, 3)
x = torch.zeros(2, 7, 4)
assert x[i, :, i].shape == (3, 7) and x[0][:, i].shape == (7, 3)
# endregion

# region proof_pairs
import torch

x = torch.arange(9).reshape(3, 3)
assert x[[0, 2]][:, [0, 2]].tolist() == [[0, 2], [6, 8]]
rows, columns = torch.tensor([[0], [2]]), torch.tensor([0, 2])
assert x[rows, columns].tolist() == [[0, 2], [6, 8]]
assert x[[0, 2], [0, 2]].tolist() == [x[0, 0], x[2, 2]]
try:
    raise AssertionError(x[[0, 1], [0, 1, 2]])
except IndexError:
    pass
# endregion

# region proof_duplicates
import torch

i = torch.tensor([0, 0])
x = torch.zeros(2)
x.index_put_((i,), torch.ones(2), accumulate=True)
assert x.tolist() == [2, 0]
x.index_put_((i,), torch.ones(2))
assert x.tolist() == [1, 0]
y = torch.zeros(2).scatter(0, i, torch.tensor([1.0, 1.0]))
assert y.tolist() == [1, 0]
x = torch.zeros(3, 2).index_add(0, i, torch.ones(2, 2))
assert x.tolist() == [[2, 2], [0, 0], [0, 0]]
# endregion

# region proof_gather
import torch

x = torch.tensor([[3, 1, 2], [5, 6, 4]])
order = x.argsort(1)
assert x.gather(1, order).equal(x.sort(1).values)
assert x.take_along_dim(order, 1).equal(x.sort(1).values)
labels = torch.tensor([2, 0])
picked = x.gather(1, labels[:, None])
assert picked.shape == (2, 1) and picked.squeeze(1).tolist() == [2, 5]
assert x[torch.arange(2), labels].tolist() == [2, 5]
assert not x[:, labels].shape == (2,)
assert x.gather(1, torch.tensor([[1]])).tolist() == [[1]]
try:
    raise AssertionError(x.gather(1, labels))
except RuntimeError:
    pass
# endregion

# region proof_scatter
import torch

source = torch.tensor([[5, 6]])
x = torch.zeros(2, 3, dtype=torch.int64)
y = x.scatter(1, torch.tensor([[2, 0]]), source)
assert y.tolist() == [[6, 0, 5], [0, 0, 0]] and not x.any()
assert y.gather(1, torch.tensor([[2, 0]])).equal(source)
z = torch.zeros(2, 3).index_fill(1, torch.tensor([0]), 4)
assert z.tolist() == [[4, 0, 0], [4, 0, 0]]
assert z.index_select(1, torch.tensor([0])).shape == (2, 1)
assert z.index_select(0, torch.tensor([1, 0, 1])).shape == (3, 3)
assert z.masked_select(z > 0).tolist() == [4, 4]
assert z.take(torch.tensor([3])).tolist() == [4]
# endregion

# region proof_masks
import torch

x = torch.tensor([1, 5, 9])
assert ((x < 2) | (x > 8)).tolist() == [True, False, True]
assert (x > 2 & x).tolist() == (x > (2 & x)).tolist() == [True] * 3
for wrong in (lambda: x > 2 & x < 8, lambda: not x, lambda: bool(x)):
    try:
        raise AssertionError(wrong())
    except RuntimeError as error:
        assert "ambiguous" in str(error)
assert bool(torch.tensor([5])) is True and not torch.tensor(0)
assert torch.where(x > 4, x, 0).tolist() == [0, 5, 9]
assert torch.where(x > 4)[0].tolist() == [1, 2]
assert torch.nonzero(x > 4).tolist() == [[1], [2]]
assert x[(x > 4).nonzero(as_tuple=True)].tolist() == [5, 9]
assert x[::2].tolist() == [1, 9] and x.flip(0).tolist() == [9, 5, 1]
assert x.flip(0).data_ptr() != x.data_ptr() and x[-1] == 9
# endregion

# region proof_mask_shapes
import torch

x = torch.zeros(2, 3)
columns = torch.tensor([True, False, True])
assert x[:, columns].shape == (2, 2)
assert x.masked_fill(columns, 7)[1].tolist() == [7, 0, 7]
rows = torch.tensor([True, False])
assert x[rows].shape == (1, 3)
y = x.masked_fill(rows[:, None], 7)
assert y.tolist() == [[7, 7, 7], [0, 0, 0]]
# endregion
