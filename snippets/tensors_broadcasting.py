"""Broadcasting and matrix products: which shapes fit."""

# region align_right
import torch

x = torch.zeros(8, 1, 6, 1)
y = torch.zeros(7, 1, 5)
print((x + y).shape)
# Output:
# torch.Size([8, 7, 6, 5])
# endregion

# region column_against_row
import torch

predicted, labels = torch.ones(4, 1), torch.ones(4)
print((predicted == labels).sum())
# Output:
# tensor(16)
# endregion

# region in_place_shape
import torch

matrix, row = torch.zeros(2, 3), torch.zeros(3)
for x, y in ((matrix, row), (row, matrix)):
    try:
        print(x.add_(y).shape)
    except RuntimeError:
        print("refused")
# Output:
# torch.Size([2, 3])
# refused
# endregion

# region divide_by_rows
import torch

x = torch.tensor([[1.0, 1.0], [2.0, 2.0]])
y = x / x.sum(1)
z = x / x.sum(1, keepdim=True)
print(y.sum(1).tolist(), z.sum(1).tolist())
# Output:
# [0.75, 1.5] [1.0, 1.0]
# endregion

# region differences
import torch

x, y = torch.zeros(5, 2), torch.zeros(3, 2)
print((x[:, None] - y).shape)
# Output:
# torch.Size([5, 3, 2])
# endregion

# region matmul_1d
import torch

x, v = torch.zeros(2, 3), torch.zeros(3)
print((x @ v).shape, (v @ v).shape)
# Output:
# torch.Size([2]) torch.Size([])
# endregion

# region batch_broadcast
import torch

x = torch.zeros(2, 1, 3, 4)
y = torch.zeros(5, 4, 6)
print((x @ y).shape)
# Output:
# torch.Size([2, 5, 3, 6])
# endregion

# region bmm_strict
import torch

x, y = torch.zeros(5, 2, 3), torch.zeros(1, 3, 4)
for product in (torch.matmul, torch.bmm):
    try:
        print(product(x, y).shape)
    except RuntimeError:
        print("refused")
# Output:
# torch.Size([5, 2, 4])
# refused
# endregion

# region matmul_dtypes
import torch

x = torch.ones(2, 2)
y = torch.ones(2, 2, dtype=torch.float64)
for product in (torch.mul, torch.matmul):
    try:
        print(product(x, y).dtype)
    except RuntimeError:
        print("refused")
# Output:
# torch.float64
# refused
# endregion

# region einsum_batch
import torch

x, y = torch.zeros(5, 2, 3), torch.zeros(5, 4, 3)
print(torch.einsum("bij,bkj->bik", x, y).shape)
# Output:
# torch.Size([5, 2, 4])
# endregion

# region einsum_sum
import torch

x = torch.tensor([[1, 2], [3, 4]])
for pattern in ("ij->j", "ii->i", "ii->"):
    print(torch.einsum(pattern, x))
# Output:
# tensor([4, 6])
# tensor([1, 4])
# tensor(5)
# endregion

# region proof_rules
import torch

x = torch.zeros(2, 3)
assert (x + torch.zeros(3)).shape == (2, 3)
assert (x + torch.zeros(2)[:, None]).shape == (2, 3)
assert (x + torch.tensor(1)).shape == (2, 3)
assert (x + torch.zeros(4, 1, 3)).shape == (4, 2, 3)
for size in ((2,), (3, 2), (3, 1), (2, 2), (0,)):
    try:
        raise AssertionError(x + torch.zeros(size))
    except RuntimeError:
        pass
assert torch.broadcast_shapes((2, 1), (3,)) == (2, 3)
a, b = torch.broadcast_tensors(torch.zeros(2, 1), torch.zeros(3))
assert a.shape == b.shape == (2, 3) and a.stride() == (1, 0)
# endregion

# region proof_labels
import torch

p, labels = torch.ones(4, 1), torch.ones(4)
assert (p == labels).shape == (4, 4)
assert (p.squeeze(1) == labels).sum() == 4
assert (p - labels).shape == (4, 4) == (labels - p).shape
# endregion

# region proof_in_place
import torch

x = torch.zeros(1, 3)
try:
    x += torch.zeros(2, 3)
    raise AssertionError(x.shape)
except RuntimeError:
    pass
y = torch.zeros(2, 3)
y += torch.ones(3)
y[:, 0] = 5
y[y == 1] = torch.tensor(7.0)
assert y.tolist() == [[5, 7, 7]] * 2
x = x + y
assert x.shape == (2, 3)
# endregion

# region proof_keepdim
import torch

x = torch.tensor([[1.0, 3.0], [2.0, 6.0]])
assert (x / x.sum(1))[0].tolist() == [1 / 4, 3 / 8]
assert (x / x.sum(1, keepdim=True))[1].tolist() == [2 / 8, 6 / 8]
try:
    raise AssertionError(torch.ones(2, 3) / torch.ones(2, 3).sum(1))
except RuntimeError:
    pass
y = torch.ones(2, 3) / torch.ones(2, 3).sum(1, keepdim=True)
assert y.shape == (2, 3)
d = torch.rand(5, 2)[:, None] - torch.rand(3, 2)
assert d.norm(dim=-1).shape == (5, 3)
# endregion

# region proof_products
import torch

x, y, v = torch.ones(2, 3), torch.ones(3, 4), torch.ones(3)
assert (x @ x.t()).shape == (2, 2)
assert torch.mm(x, y).shape == (2, 4) == (x @ y).shape
assert torch.mv(x, v).shape == (2,) and torch.dot(v, v).shape == ()
assert (v @ y).shape == (4,) and torch.outer(v, v).shape == (3, 3)
assert (x @ v[:, None]).shape == (2, 1)
assert (torch.ones(5, 2, 3) @ v).shape == (5, 2)
assert (torch.ones(5, 2, 3) @ y).shape == (5, 2, 4)
assert (v @ torch.ones(5, 3, 6)).shape == (5, 6)
assert (v * v).shape == (3,) and (v @ v) == 3
for wrong in (lambda: torch.mm(x, v), lambda: torch.mv(x, y)):
    try:
        raise AssertionError(wrong())
    except RuntimeError:
        pass
# endregion

# region proof_strict_products
import torch

a, b = torch.ones(5, 2, 3), torch.ones(5, 3, 4)
assert torch.bmm(a, b).shape == (5, 2, 4)
for wrong in ((a, b[0]), (a[0], b[0]), (a, b[:1])):
    try:
        raise AssertionError(torch.bmm(*wrong).shape)
    except RuntimeError:
        pass
try:
    raise AssertionError(torch.mm(a, b))
except RuntimeError:
    pass
i = torch.ones(2, 2, dtype=torch.int64)
assert (i @ i).dtype == torch.int64
try:
    raise AssertionError(i @ torch.ones(2, 2))
except RuntimeError:
    pass
# endregion

# region proof_calls
import torch

x, y = torch.ones(2, 3), torch.ones(3, 4)
bias = torch.arange(4.0)
assert torch.addmm(bias, x, y).equal(bias + x @ y)
assert torch.addmm(bias, x, y, beta=0).equal(x @ y)
m = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
assert torch.linalg.matrix_power(m, 3).equal(m @ m @ m)
a, b = torch.ones(2, 3, 4), torch.ones(4, 3, 5)
c = torch.tensordot(a, b, dims=([1, 2], [1, 0]))
assert c.shape == (2, 5) and (c == 12).all()
# endregion

# region proof_einsum
import torch

x, y = torch.rand(5, 2, 3), torch.rand(5, 4, 3)
scores = torch.einsum("bij,bkj->bik", x, y)
assert torch.allclose(scores, x @ y.mT)
turned = torch.einsum("bij,bkj->kib", x, y)
assert torch.allclose(turned, scores.permute(2, 1, 0))
assert torch.einsum("ba", x[0]).equal(x[0].t())
assert torch.einsum("ba->ba", x[0]).equal(x[0])
m = torch.arange(4.0).reshape(2, 2)
assert torch.einsum("ii", m) == m.trace()
assert torch.einsum("ii->i", m).equal(m.diagonal())
assert torch.einsum("ij->", m) == m.sum()
assert torch.einsum("ij->j", m).equal(m.sum(0))
assert torch.einsum("i,j->ij", m[0], m[1]).equal(m[0].outer(m[1]))
assert torch.einsum("ij,jk", m, m).equal(m @ m)
# endregion

# region proof_vectors
import torch

v = torch.arange(3)
assert v.t().equal(v) and v[:, None].shape == (3, 1)
assert (v[:, None] * v).equal(torch.outer(v, v))
assert (v.t() @ v) == 5
m = torch.tensor([[1, 2], [3, 4]])
assert (m**2).equal(m * m) and not (m**2).equal(m @ m)
# endregion

# region proof_inner_sizes
import torch

for size in (3, 4):
    try:
        y = torch.nn.Linear(4, 2)(torch.zeros(5, size))
        assert size == 4 and y.shape == (5, 2)
    except RuntimeError as error:
        text = "mat1 and mat2 shapes cannot be multiplied (5x3 and 4x2)"
        assert size == 3 and str(error) == text
# endregion
