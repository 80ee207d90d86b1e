"""What the pictures of the tensors deck show, as code."""

# region proof_storage
import torch

x = torch.arange(6).view(2, 3)
assert x.stride() == (3, 1)
assert x.t().stride() == (1, 3) and not x.t().is_contiguous()
assert torch.equal(x.t(), torch.tensor([[0, 3], [1, 4], [2, 5]]))
assert x.view(3, 2).tolist() == [[0, 1], [2, 3], [4, 5]]
row = torch.arange(3)
assert row.expand(2, 3).stride() == (0, 1)
assert row.expand(2, 3).data_ptr() == row.data_ptr()
y = torch.arange(8)[1::2]
assert (y.tolist(), y.storage_offset(), y.stride()) == ([1, 3, 5, 7], 1, (2,))
d = torch.arange(16).view(4, 4).diagonal()
assert (d.tolist(), d.stride()) == ([0, 5, 10, 15], (5,))
layers = torch.arange(12).view(2, 2, 3)
assert layers.stride() == (6, 3, 1) and layers.is_contiguous()
assert layers[1].tolist() == [[6, 7, 8], [9, 10, 11]]
print("storage as drawn")
# endregion

# region proof_shapes
import torch

total = torch.tensor([[0], [10], [20]]) + torch.tensor([[1, 2, 3, 4]])
assert total[1, 2] == 13
x = torch.arange(6).view(2, 3)
assert x.sum(dim=0).tolist() == [3, 5, 7]
assert x.sum(dim=1).tolist() == [3, 12]
a, b = torch.arange(4).view(2, 2), torch.arange(4, 8).view(2, 2)
wanted = torch.tensor([[0, 1, 4, 5], [2, 3, 6, 7]])
assert torch.equal(torch.cat([a, b], dim=1), wanted)
assert torch.cat([a, b]).shape == (4, 2)
for dim in (0, 1):
    assert torch.stack([a, b], dim=dim).dim() == 3
assert (torch.ones(2, 1, 4) + torch.ones(3, 1)).shape == (2, 3, 4)
assert torch.arange(6).roll(2).tolist() == [4, 5, 0, 1, 2, 3]
print("shapes as drawn")
# endregion

# region proof_picking
import torch

x = torch.tensor([[5, 6, 7], [8, 9, 4], [3, 2, 1]])
index = torch.tensor([[2], [0], [1]])
assert x.gather(1, index).tolist() == [[7], [8], [2]]
assert x.gather(0, index).tolist() == [[3], [5], [8]]
x = torch.tensor([[1, -2, 3], [-4, 5, -6]])
assert x[x > 0].tolist() == [1, 3, 5]
windows = torch.arange(7).unfold(0, 3, 2)
assert windows.tolist() == [[0, 1, 2], [2, 3, 4], [4, 5, 6]]
src, index = torch.tensor([7, 8, 9]), torch.tensor([3, 0, 4])
row = torch.zeros(5, dtype=torch.int64).scatter(0, index, src)
assert row.tolist() == [8, 0, 0, 7, 9]
place = torch.searchsorted(torch.tensor([1, 3, 5, 7, 9]), 6)
assert place.shape == () and place == 3
print("picked as drawn")
# endregion
