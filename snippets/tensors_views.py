"""Views and strides: what shares memory, and how shapes change."""

# region strides
import torch

x = torch.zeros(2, 3, 4)
print(x.stride(), x.transpose(0, 2).stride())
# Output:
# (12, 4, 1) (1, 4, 12)
# endregion

# region view_fails
import torch

x = torch.zeros(2, 3).t()
for change in (x.reshape, x.view):
    try:
        print(change(6).shape)
    except RuntimeError:
        print("refused")
# Output:
# torch.Size([6])
# refused
# endregion

# region reshape_may_copy
import torch

x = torch.zeros(2, 3)
y, z = x.reshape(6), x.t().reshape(6)
x[0, 0] = 7
print(y[0].item(), z[0].item())
# Output:
# 7.0 0.0
# endregion

# region reshape_is_not_transpose
import torch

x = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(x.reshape(3, 2))
# Output:
# tensor([[1, 2],
#         [3, 4],
#         [5, 6]])
# endregion

# region clone_strides
import torch

x = torch.zeros(2, 3).t()
print(x.clone().stride(), x.contiguous().stride())
# Output:
# (1, 3) (2, 1)
# endregion

# region expand_stride
import torch

x = torch.zeros(3, 1)
y, z = x.expand(3, 4), x.repeat(1, 4)
x[0] = 7
print(y[0].tolist(), z[0].tolist())
# Output:
# [7.0, 7.0, 7.0, 7.0] [0.0, 0.0, 0.0, 0.0]
# endregion

# region expand_in_place
import torch

x = torch.zeros(3, 1)
for t in (x.repeat(1, 4), x.expand(3, 4)):
    try:
        print(t.add_(1).shape)
    except RuntimeError:
        print("refused")
# Output:
# torch.Size([3, 4])
# refused
# endregion

# region expand_or_repeat
import torch

x = torch.zeros(3, 2)
for change in (x.repeat, x.expand):
    try:
        print(change(3, 4).shape)
    except RuntimeError:
        print("refused")
# Output:
# torch.Size([9, 8])
# refused
# endregion

# region interleave
import torch

x = torch.tensor([1, 2])
print(x.repeat(2), x.repeat_interleave(2))
# Output:
# tensor([1, 2, 1, 2]) tensor([1, 1, 2, 2])
# endregion

# region squeeze
import torch

x = torch.zeros(1, 3, 1)
for y in (x.squeeze(), x.squeeze(0), x.squeeze(1)):
    print(y.shape)
# Output:
# torch.Size([3])
# torch.Size([3, 1])
# torch.Size([1, 3, 1])
# endregion

# region stack_cat
import torch

x = torch.zeros(2, 3)
for join in (torch.stack, torch.cat):
    print(join([x, x], 1).shape)
# Output:
# torch.Size([2, 2, 3])
# torch.Size([2, 6])
# endregion

# region chunk_sizes
import torch

x = torch.arange(6)
for parts in (x.chunk(5), x.tensor_split(5)):
    print([len(part) for part in parts])
# Output:
# [2, 2, 2]
# [2, 1, 1, 1, 1]
# endregion

# region unfold
import torch

x = torch.arange(6)
print(x.unfold(0, 3, 2))
# Output:
# tensor([[0, 1, 2],
#         [2, 3, 4]])
# endregion

# region proof_strides
import torch

x = torch.arange(24).reshape(2, 3, 4)
i = 1 * 12 + 2 * 4 + 3 * 1
assert x.stride() == (12, 4, 1) and x.flatten()[i] == x[1, 2, 3]
y = x.transpose(0, 2)
assert y.stride() == (1, 4, 12) and y.data_ptr() == x.data_ptr()
assert not y.is_contiguous() and y.contiguous().is_contiguous()
assert x.contiguous() is x and y.contiguous() is not y
assert x[1].storage_offset() == 12 and x[1, 2].is_contiguous()
assert y.contiguous().stride() == (6, 2, 1)
# endregion

# region proof_view
import torch

x = torch.arange(6).reshape(2, 3)
y = x.t()
assert y.contiguous().view(6).equal(y.reshape(6))
assert x.view(6).data_ptr() == x.reshape(6).data_ptr() == x.data_ptr()
assert y.reshape(6).data_ptr() != x.data_ptr()
assert y.view(3, 2, 1).shape == (3, 2, 1)
assert x[:, :2].view(2, 2, 1).data_ptr() == x.data_ptr()
try:
    raise AssertionError(x[:, :2].view(4))
except RuntimeError:
    pass
assert x.reshape(3, 2).flatten().equal(x.flatten())
assert not y.flatten().equal(x.flatten())
# endregion

# region proof_clone
import torch

x = torch.zeros(2, 3).t()
kept = torch.contiguous_format
assert x.clone().stride() == x.stride()
assert x.clone(memory_format=kept).is_contiguous()
assert torch.zeros_like(x).stride() == x.stride()
# endregion

# region proof_flatten
import torch

x = torch.zeros(2, 3)
for method in (torch.flatten, torch.ravel):
    assert method(x).data_ptr() == x.data_ptr()
    assert method(x.t()).data_ptr() != x.data_ptr()
x.flatten()[0] = 1
assert x[0, 0] == 1
assert torch.zeros(2, 3, 4).flatten().shape == (24,)
assert torch.tensor(3).flatten().shape == (1,)
assert x.unflatten(1, (3, 1)).shape == (2, 3, 1)
assert x.flatten().unflatten(0, (2, -1)).equal(x)
# endregion

# region proof_expand
import torch

x = torch.zeros(3, 1)
y = x.expand(-1, 4)
small = torch.zeros(1000)[:2].clone()
assert small.untyped_storage().nbytes() == small.nbytes == 8
assert y.shape == (3, 4) and y.stride() == (1, 0)
assert y.untyped_storage().nbytes() == 12
assert x.expand(2, 3, 1).shape == (2, 3, 1)
for sizes in ((6, 1), (1, 1)):
    try:
        raise AssertionError(x.expand(sizes))
    except RuntimeError:
        pass
assert x.broadcast_to(3, 4).stride() == (1, 0)
assert x.expand(3, 4).clone().add_(1).sum() == 12
assert x.repeat(1, 4).data_ptr() != x.data_ptr()
assert torch.zeros(2).repeat(3, 1).shape == (3, 2)
assert torch.zeros(2).repeat(3).shape == (6,)
assert torch.zeros(2, 3).tile(2).shape == (2, 6)
import numpy as np
a = np.array([1, 2])
assert np.tile(a, 2).tolist() == torch.as_tensor(a).repeat(2).tolist()
assert np.repeat(a, 2).tolist() == [1, 1, 2, 2]
# endregion

# region proof_interleave
import torch

x = torch.tensor([1, 2])
n = torch.tensor([1, 3])
assert x.repeat_interleave(n).tolist() == [1, 2, 2, 2]
y = torch.tensor([[1, 2], [3, 4]])
assert y.repeat_interleave(2).tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
# endregion

# region proof_squeeze
import torch

x = torch.zeros(1, 3, 1)
assert x.squeeze(-1).shape == (1, 3) and x.squeeze((0, 2)).shape == (3,)
assert torch.zeros(1, 1).squeeze().shape == ()
assert torch.zeros(4, 1).squeeze().shape == (4,)
assert torch.zeros(3).unsqueeze(-1).shape == (3, 1)
assert torch.zeros(3).unsqueeze(0).shape == (1, 3)
# endregion

# region proof_joining
import torch

x, y = torch.zeros(2, 3), torch.zeros(4, 3)
assert torch.cat([x, y]).shape == (6, 3)
assert torch.stack([x, x]).shape == (2, 2, 3)
for join, dim in ((torch.stack, 0), (torch.cat, 1)):
    try:
        raise AssertionError(join([x, y], dim))
    except RuntimeError:
        pass
z = torch.cat([x, x])
z[0] = 1
assert not x.any() and torch.stack([x, x], -1).shape == (2, 3, 2)
# endregion

# region proof_parts
import torch

x = torch.arange(7)
assert [len(p) for p in x.chunk(3)] == [3, 3, 1]
assert [len(p) for p in x.tensor_split(3)] == [3, 2, 2]
assert [len(p) for p in x.split([5, 2])] == [5, 2]
assert len(torch.arange(6).chunk(5)) == 3
assert len(torch.arange(2).tensor_split(5)) == 5
x.chunk(3)[0][0] = x.split(3)[1][0] = x.tensor_split(2)[1][1] = 70
assert x.tolist() == [70, 1, 2, 70, 4, 70, 6]
try:
    raise AssertionError(x.split([5, 1]))
except RuntimeError:
    pass
parts = torch.zeros(2, 3).unbind(1)
assert type(parts) is tuple and [p.shape for p in parts] == [(2,)] * 3
# endregion

# region proof_unfold
import torch

x = torch.arange(6)
y = x.unfold(0, 3, 2)
assert y.tolist() == [[0, 1, 2], [2, 3, 4]] and y.stride() == (2, 1)
x[2] = 9
assert y[0, 2] == y[1, 0] == 9
assert torch.arange(5).unfold(0, 3, 1).shape == (3, 3)
assert torch.zeros(4, 6).unfold(1, 2, 2).shape == (4, 3, 2)
# endregion

# region proof_order
import torch

x = torch.zeros(2, 3, 4)
assert x.mT.shape == (2, 4, 3) == x.transpose(1, 2).shape
assert x.movedim(0, 2).shape == (3, 4, 2)
assert x.transpose(0, 2).shape == (4, 3, 2)
assert x.permute(2, 0, 1).data_ptr() == x.data_ptr()
y = torch.arange(120).reshape(2, 3, 4, 5)
right = y.movedim(1, -1)
assert right.shape == (2, 4, 5, 3)
assert right[0, 1, 2, 1] == y[0, 1, 1, 2]
assert y.permute(0, 2, 3, 1).equal(right)
assert not y.reshape(2, 4, 5, 3).equal(right)
assert y.transpose(1, 3).shape == (2, 5, 4, 3)
assert y.permute(0, 3, 1, 2).shape == (2, 5, 3, 4)
# endregion

# region proof_names
import torch

x = torch.arange(12).view(3, 4)
part = torch.narrow(x, 1, 1, 2)
assert part.tolist() == x[:, 1:3].tolist()
assert part._base is x or part.data_ptr() == x[:, 1:].data_ptr()
row = torch.arange(3)
wide = torch.broadcast_to(row, (2, 3))
assert wide.shape == (2, 3) and wide.data_ptr() == row.data_ptr()
assert torch.ravel(x).data_ptr() == x.data_ptr()
assert torch.ravel(x.t()).data_ptr() != x.data_ptr()
assert torch.ravel(x.t()).shape == (12,)

a, b = torch.ones(2, 3), torch.ones(3, 4)
assert torch.mm(a, b).shape == (2, 4)
for left, right in ((a[None], b), (a, b[:, 0])):
    try:
        torch.mm(left, right)
        raise SystemExit("multiplied")
    except RuntimeError:
        pass
assert torch.mv(a, b[:, 0]).tolist() == [3, 3]
assert torch.dot(b[:, 0], b[:, 1]) == 3
try:
    torch.dot(b, b)
    raise SystemExit("multiplied")
except RuntimeError:
    pass
means, spreads = torch.tensor([0.0, 1000.0]), torch.tensor([1e-3, 1e-3])
drawn = torch.normal(means, spreads)
assert (drawn - means).abs().max() < 0.1 and not torch.equal(drawn, means)
print("names as told")
# endregion
