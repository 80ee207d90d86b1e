"""Attention: masks, shapes and defaults."""

# region sdpa_mask
import torch
import torch.nn.functional as F

q, k = torch.zeros(1, 2), torch.zeros(3, 2)
v = torch.tensor([[1.0], [3.0], [8.0]])
mask = torch.tensor([[True, True, False]])
attend = F.scaled_dot_product_attention
print(attend(q, k, v, attn_mask=mask))
# Output:
# tensor([[2.]])
# endregion

# region mha_mask
import torch
from torch import nn

mha = nn.MultiheadAttention(embed_dim=2, num_heads=1)
x = torch.zeros(3, 2)
mask = torch.tensor([[True, True, False]] * 3)
_, weights = mha(x, x, x, attn_mask=mask)
print(weights[0].tolist())
# Output:
# [0.0, 0.0, 1.0]
# endregion

# region key_padding_mask
import torch
from torch import nn

mha = nn.MultiheadAttention(2, 1, batch_first=True)
x = torch.zeros(1, 4, 2)
padded = torch.tensor([[False, False, True, True]])
_, weights = mha(x, x, x, key_padding_mask=padded)
print(weights[0, 3].tolist())
# Output:
# [0.5, 0.5, 0.0, 0.0]
# endregion

# region causal_top_left
import torch
import torch.nn.functional as F

q, k = torch.zeros(1, 2), torch.zeros(3, 2)
v = torch.tensor([[1.0], [3.0], [8.0]])
attend = F.scaled_dot_product_attention
print(attend(q, k, v, is_causal=True))
# Output:
# tensor([[1.]])
# endregion

# region causal_hint
import torch
from torch import nn

mha = nn.MultiheadAttention(embed_dim=2, num_heads=1)
x = torch.zeros(3, 2)
later = torch.ones(3, 3, dtype=torch.bool).triu(1)
for mask in (None, later):
    try:
        out, weights = mha(x, x, x, attn_mask=mask, is_causal=True)
        print(weights[1].tolist())
    except RuntimeError:
        print("refused")
# Output:
# refused
# [0.5, 0.5, 0.0]
# endregion

# region sdpa_dropout
import torch
import torch.nn.functional as F

class Attention(torch.nn.Module):
    def forward(self, q, k, v):
        attend = F.scaled_dot_product_attention
        return attend(q, k, v, dropout_p=1.0)

x = torch.ones(1, 3, 2)
print(Attention().eval()(x, x, x)[0, 0])
# Output:
# tensor([0., 0.])
# endregion

# region sdpa_shapes
import torch
import torch.nn.functional as F

q = torch.ones(2, 8, 5, 16)
k = torch.ones(2, 8, 7, 16)
v = torch.ones(2, 8, 7, 32)
print(F.scaled_dot_product_attention(q, k, v).shape)
# Output:
# torch.Size([2, 8, 5, 32])
# endregion

# region mha_time_first
import torch
from torch import nn

batch, time = 2, 5
mha = nn.MultiheadAttention(embed_dim=8, num_heads=4)
x = torch.ones(batch, time, 8)
out, weights = mha(x, x, x)
print(out.shape, weights.shape)
# Output:
# torch.Size([2, 5, 8]) torch.Size([5, 2, 2])
# endregion

# region averaged_weights
import torch
from torch import nn

mha = nn.MultiheadAttention(8, 4, batch_first=True)
x = torch.ones(2, 5, 8)
for mean in (True, False):
    print(mha(x, x, x, average_attn_weights=mean)[1].shape)
# Output:
# torch.Size([2, 5, 5])
# torch.Size([2, 4, 5, 5])
# endregion

# region encoder_copies
from torch import nn

layer = nn.TransformerEncoderLayer(4, nhead=2, batch_first=True)
nn.init.constant_(layer.linear2.bias, 5)
a, b = nn.TransformerEncoder(layer, num_layers=2).layers
nn.init.zeros_(a.linear2.bias)
print(a.linear2.bias.tolist(), b.linear2.bias.tolist())
# Output:
# [0.0, 0.0, 0.0, 0.0] [5.0, 5.0, 5.0, 5.0]
# endregion

# region square_mask
from torch import nn

mask = nn.Transformer.generate_square_subsequent_mask(3)
print(mask)
# Output:
# tensor([[0., -inf, -inf],
#         [0., 0., -inf],
#         [0., 0., 0.]])
# endregion

# region proof_scale
import torch
import torch.nn.functional as F

q, k, v = torch.rand(3, 2, 4, 16)
want = (q @ k.transpose(1, 2) / 16**0.5).softmax(dim=-1) @ v
got = F.scaled_dot_product_attention(q, k, v)
assert torch.allclose(want, got, atol=1e-6)
got = F.scaled_dot_product_attention(q, k, v, scale=0.25)
assert torch.allclose(want, got, atol=1e-6)
# endregion

# region proof_order_does_not_matter
import torch
from torch import nn

mha = nn.MultiheadAttention(8, num_heads=2, batch_first=True)
x, order = torch.rand(1, 5, 8), torch.tensor([3, 1, 4, 0, 2])
y, _ = mha(x, x, x)
z = x[:, order]
assert torch.allclose(mha(z, z, z)[0], y[:, order], atol=1e-6)
# endregion

# region proof_causal
import torch
import torch.nn.functional as F

q, k, v = torch.rand(3, 2, 4, 8)
attend = F.scaled_dot_product_attention
mask = torch.ones(4, 4, dtype=torch.bool).tril()
whole = attend(q, k, v, is_causal=True)
assert torch.allclose(whole, attend(q, k, v, attn_mask=mask))
last = attend(q[:, 3:], k, v)
assert torch.allclose(last, whole[:, 3:], atol=1e-6)
# endregion

# region proof_mha_defaults
import torch
from torch import nn

mha, x = nn.MultiheadAttention(8, num_heads=2), torch.rand(3, 1, 8)
assert mha(x, x, x, need_weights=False)[1] is None
assert mha(x, x[:2], x[:2])[0].shape == (3, 1, 8)
# endregion

# region proof_mha_causal_mask
import torch
from torch import nn

mha, x = nn.MultiheadAttention(8, num_heads=2), torch.rand(3, 1, 8)
mask = nn.Transformer.generate_square_subsequent_mask(3)
a, weights = mha(x, x, x, attn_mask=mask)
b, _ = mha(x, x, x, attn_mask=mask, is_causal=True)
assert torch.allclose(a, b, atol=1e-6)
assert weights[0, 0, 1:].tolist() == [0, 0]
# endregion

# region proof_layer_defaults
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2)
assert not layer.norm_first and not layer.self_attn.batch_first
assert layer.linear1.out_features == 2048 and layer.dropout.p == 0.1
made = nn.TransformerEncoder(layer, 2).layers
assert made[0] is not layer
cross = nn.TransformerDecoderLayer(8, 2).multihead_attn
assert isinstance(cross, nn.MultiheadAttention)
# endregion

# region proof_padding_rows
import torch
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2, batch_first=True, dropout=0.0)
x = torch.rand(1, 4, 8)
padded = torch.tensor([[False, False, True, True]])
out = layer(x, src_key_padding_mask=padded)
assert out[:, 2:].abs().sum() > 0
short = layer(x[:, :2])
assert torch.allclose(out[:, :2], short, atol=1e-5)
# endregion

# region proof_saturation
import torch
from torch import nn

dots = {}
for width in (16, 1024):
    q, k = torch.randn(2, 4000, width)
    dots[width] = (q * k).sum(dim=1).var().item() / width
assert all(0.85 < one < 1.15 for one in dots.values())
x = torch.tensor([90.0, 10.0, 0.0], requires_grad=True)
x.softmax(dim=0)[0].backward()
assert x.grad.abs().max() < 1e-6
# endregion

# region proof_choices
from torch import nn

made = []
for heads in (1, 4, 12, 5):
    try:
        nn.MultiheadAttention(embed_dim=12, num_heads=heads)
        made.append(heads)
    except (AssertionError, ValueError):
        pass
assert made == [1, 4, 12]
# endregion

# region proof_width_of_keys
import torch
import torch.nn.functional as F

attend = F.scaled_dot_product_attention
q, k = torch.rand(3, 4), torch.rand(5, 6)
try:
    attend(q, k, k)
    raise AssertionError
except RuntimeError:
    pass
x = torch.rand(4, 3, 8)
assert not torch.equal(attend(x, x, x, dropout_p=0.5), attend(x, x, x))
# endregion

# region proof_norm_first
import torch
from torch import nn

x = torch.rand(3, 1, 8) + 5
for first in (False, True):
    layer = nn.TransformerEncoderLayer(8, 2, norm_first=first)
    means = layer(x).mean(dim=-1).abs().max()
    assert means > 1 if first else means < 1e-5
# endregion

# region proof_masks_of_attention
import torch
import torch.nn.functional as F
from torch import nn

mha = nn.MultiheadAttention(8, 2, batch_first=True).eval()
x = torch.rand(2, 4, 8)
hidden = torch.tensor([[False, False, False, True]] * 2)
_, weights = mha(x, x, x, key_padding_mask=hidden)
assert weights[:, :, 3].eq(0).all() and weights[:, :, :3].gt(0).all()
for extra in ({}, {"need_weights": False}):
    try:
        mha(x, x, x, is_causal=True, **extra)
        raise AssertionError
    except RuntimeError:
        pass
q, k = torch.rand(1, 1, 8), torch.rand(1, 4, 8)
added = torch.tensor([[0.0, 0.0, float("-inf"), 0.0]])
attend = F.scaled_dot_product_attention
half = attend(q, k, k, attn_mask=added)
assert torch.allclose(half, attend(q, k, k, attn_mask=added == 0), atol=1e-6)
mean, each = (mha(x, x, x, average_attn_weights=a)[1] for a in (True, False))
assert torch.allclose(each.mean(dim=1), mean, atol=1e-6)
# endregion

# region proof_order_matters_with_a_mask
import torch
from torch import nn

mha = nn.MultiheadAttention(8, num_heads=2, batch_first=True)
x, order = torch.rand(1, 5, 8), torch.tensor([3, 1, 4, 0, 2])
late = torch.ones(5, 5, dtype=torch.bool).triu(1)
y, _ = mha(x, x, x, attn_mask=late)
z = x[:, order]
assert not torch.allclose(mha(z, z, z, attn_mask=late)[0], y[:, order], atol=1e-4)
# endregion
