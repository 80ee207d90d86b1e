"""What the pictures of the nn deck show, as code."""

# region proof_masks
import torch
import torch.nn.functional as F
from torch import nn

mask = torch.ones(5, 5, dtype=torch.bool).tril()
assert all(mask[i, j] == (j <= i) for i in range(5) for j in range(5))
q = k = torch.zeros(1, 5, 2)
v = torch.arange(5.0)[None, :, None]
means = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
assert torch.allclose(means.flatten(), torch.arange(5) / 2)
window = torch.ones(6, 6, dtype=torch.bool).tril().triu(-2)
assert all(window[i, j] == (i - 2 <= j <= i) for i in range(6) for j in range(6))
attention = nn.MultiheadAttention(2, 1, batch_first=True)
x = torch.ones(1, 5, 2)
hidden = torch.tensor([[False, False, False, True, True]])
_, weights = attention(x, x, x, key_padding_mask=hidden)
assert weights[0, :, 3:].eq(0).all() and weights[0, :, :3].gt(0).all()
both = torch.cat([x, x])
one_of_two = torch.stack([hidden[0], ~hidden[0]])
_, weights = attention(both, both, both, key_padding_mask=one_of_two)
assert weights[0, :, 3:].eq(0).all() and weights[1, :, :3].eq(0).all()
prompt = torch.ones(5, 5, dtype=torch.bool).tril()
prompt[:, :2] = True
assert all(prompt[i, j] == (j < 2 or j <= i) for i in range(5) for j in range(5))
print("masks as drawn")
# endregion

# region proof_convolutions
import torch
import torch.nn.functional as F
from torch import nn

x = torch.ones(1, 1, 5, 5)
assert nn.Conv2d(1, 1, 3, stride=2)(x).shape[2:] == (2, 2)
x = torch.ones(1, 1, 4, 4)
assert nn.Conv2d(1, 1, 3, padding=1)(x).shape[2:] == (4, 4)
x = torch.zeros(1, 1, 6, 6, requires_grad=True)
spread = nn.Conv2d(1, 1, 3, dilation=2, bias=False)
spread(x)[0, 0, 0, 0].backward()
read = x.grad[0, 0].nonzero().tolist()
assert read == [[i, j] for i in (0, 2, 4) for j in (0, 2, 4)]
assert spread.weight.numel() == 9
rows = [[1, 5, 2, 0], [4, 3, 7, 6], [9, 0, 1, 2], [8, 1, 3, 3]]
pool = nn.MaxPool2d(2)
assert pool.stride == pool.kernel_size == 2
assert pool(torch.tensor([rows]).float()).tolist() == [[[5, 7], [9, 3]]]
up = nn.ConvTranspose1d(1, 1, 3, stride=2, bias=False)
nn.init.ones_(up.weight)
assert up(torch.tensor([[1.0, 2.0]])).tolist() == [[1, 1, 3, 2, 2]]
line = torch.tensor([[1.0, 2, 3, 4]])
assert F.pad(line, (2, 2), mode="reflect").tolist() == [[3, 2, 1, 2, 3, 4, 3, 2]]
columns = F.unfold(torch.arange(16.0).view(1, 1, 4, 4), 2, stride=2)[0]
assert columns.T.tolist()[2] == [8, 9, 12, 13]
square = torch.tensor([[[[1.0, 2], [3, 4]]]])
large = F.interpolate(square, scale_factor=2)
assert large[0, 0].tolist() == [[1, 1, 2, 2]] * 2 + [[3, 3, 4, 4]] * 2
assert torch.equal(large, F.interpolate(square, scale_factor=2, mode="nearest"))
smooth = F.interpolate(square, scale_factor=2, mode="bilinear")
assert not smooth.eq(smooth.round()).all()
print("windows as drawn")
# endregion

# region proof_packed
import torch
from torch.nn.utils.rnn import pack_padded_sequence

packed = pack_padded_sequence(torch.zeros(3, 4, 1), torch.tensor([4, 2, 1]), batch_first=True)
assert packed.batch_sizes.tolist() == [3, 2, 1, 1]
print("packed as drawn")
# endregion

# region proof_norms
import torch
from torch import nn


def reach(norm):
    """The inputs on which one output depends."""
    x = torch.sin(torch.arange(20.0)).view(4, 5).requires_grad_()
    norm(x)[1, 2].backward()
    return x.grad.ne(0)


column, row = torch.zeros(4, 5, dtype=torch.bool), torch.zeros(4, 5, dtype=torch.bool)
column[:, 2] = row[1] = True
assert torch.equal(reach(nn.BatchNorm1d(5)), column)
for norm in (nn.LayerNorm(5), nn.GroupNorm(1, 5), nn.RMSNorm(5)):
    assert torch.equal(reach(norm), row)
assert reach(nn.GroupNorm(5, 5)).sum() <= 1
try:
    nn.BatchNorm1d(4)(torch.ones(4, 5))
    raise AssertionError("four features fit")
except RuntimeError:
    print("norms as drawn")
# endregion

# region proof_curves
import torch
import torch.nn.functional as F
from torch import nn

x = torch.linspace(-3, 3, 601)
assert torch.allclose(nn.LeakyReLU(0.2)(torch.tensor(-3.0)), torch.tensor(-0.6))
assert nn.ELU()(10 * x).min() >= -1
gelu = nn.GELU()(x)
assert gelu.min() < -0.1 and gelu[0] > -0.01
assert nn.Softplus()(x).min() > 0
assert nn.ELU()(torch.tensor(-10.0)) < -0.99
assert 0 < torch.sigmoid(x).min() and torch.sigmoid(x).max() < 1
assert torch.sigmoid(torch.tensor(0.0)) == 0.5
assert torch.tanh(x).min() < -0.9 and torch.tanh(10 * x).min() >= -1
far, zero = torch.tensor(2.0), torch.tensor(0.0)
assert F.smooth_l1_loss(far, zero) == F.l1_loss(far, zero) - 0.5
near = torch.tensor(0.5)
assert F.smooth_l1_loss(near, zero) == F.mse_loss(near, zero) / 2
print("curves as drawn")
assert nn.ReLU()(x).min() == 0
left = torch.tensor([-3.0, -2.0, -1.0])
for activation, straight in ((nn.LeakyReLU(0.2), 1), (nn.ELU(), 0), (nn.GELU(), 0)):
    a, b, c = activation(left)
    assert (c - b).isclose(b - a) == bool(straight)
sharp = nn.SmoothL1Loss(beta=0.25)
assert sharp(far, zero) == F.l1_loss(far, zero) - 0.125
# endregion

# region proof_cache
import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right, causal_upper_left

query, key = torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 5, 4)
value = torch.eye(5)[None, None]
seen = {}
for name, bias in (("lower", causal_lower_right), ("upper", causal_upper_left)):
    mask = bias(2, 5)._materialize(torch.device("cpu"))
    weights = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    seen[name] = weights[0, 0].gt(0).tolist()
assert seen["lower"] == [[True] * 4 + [False], [True] * 5]
assert seen["upper"] == [[True] + [False] * 4, [True] * 2 + [False] * 3]
causal = F.scaled_dot_product_attention(query, key, value, is_causal=True)
assert causal[0, 0].gt(0).tolist() == seen["upper"]
scores = torch.zeros(2, 4, 5, 8) @ torch.zeros(2, 4, 7, 8).mT
assert scores.shape == (2, 4, 5, 7)
cache = torch.cat([torch.zeros(1, 4, 6, 8), torch.zeros(1, 4, 1, 8)], dim=2)
assert cache.shape == (1, 4, 7, 8)
print("cache as drawn")
# endregion
