"""Attention: which memory it needs, and who computes it."""

# region score_matrix
import torch
import torch.nn.functional as F

for length in (4096, 8192):
    q = torch.empty(
        1, 16, length, 64, dtype=torch.float16, device="meta"
    )
    scores = q @ q.mT
    out = F.scaled_dot_product_attention(q, q, q)
    print(scores.nbytes // 2**20, out.nbytes // 2**20)
# Output:
# 512 8
# 2048 16
# endregion

# region largest_saved
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q = torch.ones(1, 1, 500, 8, requires_grad=True)
hooks = torch.autograd.graph.saved_tensors_hooks
for backend in (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION):
    saved = []
    with sdpa_kernel(backend), hooks(saved.append, lambda t: t):
        F.scaled_dot_product_attention(q, q, q)
    print(max(t.numel() for t in saved))
# Output:
# 250000
# 4000
# endregion

# region backend_for_cpu
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q = torch.ones(1, 1, 5, 8)
for name in ("FLASH_ATTENTION", "EFFICIENT_ATTENTION"):
    with sdpa_kernel(getattr(SDPBackend, name)):
        try:
            F.scaled_dot_product_attention(q, q, q)
            print(name, "works")
        except RuntimeError:
            print(name, "error")
# Output:
# FLASH_ATTENTION works
# EFFICIENT_ATTENTION error
# endregion

# region padding_mask
import torch
import torch.nn.functional as F

q = torch.zeros(2, 4, 3, 8)  # batch, heads, length, width
v = torch.tensor([1.0, 3.0, 11.0]).view(3, 1).expand(2, 4, 3, 8)
real = torch.tensor([[True, True, False], [True, True, True]])
out = F.scaled_dot_product_attention(
    q, q, v, attn_mask=real[:, None, None]
)
print(out[:, 0, 0, 0].tolist())
# Output:
# [2.0, 5.0]
# endregion

# region nothing_to_see
import torch
import torch.nn.functional as F

q = torch.ones(1, 2, 4)
v = torch.full((1, 2, 1), 3.0)
mask = torch.tensor([[True, False], [False, False]])
print(F.scaled_dot_product_attention(q, q, v, mask).tolist())
# Output:
# [[[3.0], [0.0]]]
# endregion

# region grouped_heads
import torch
import torch.nn.functional as F

q, k = torch.ones(1, 8, 5, 16), torch.ones(1, 2, 5, 16)
for gqa in (False, True):
    try:
        f = F.scaled_dot_product_attention
        print(f(q, k, k, enable_gqa=gqa).shape)
    except RuntimeError:
        print("error")
# Output:
# error
# torch.Size([1, 8, 5, 16])
# endregion

# region sparsity
from torch.nn.attention.flex_attention import create_block_mask

def causal(batch, head, query, key):
    return query >= key

for size in (128, 256):
    mask = create_block_mask(
        causal, None, None, 512, 512, device="cpu", BLOCK_SIZE=size
    )
    print(mask.sparsity())
# Output:
# 37.5
# 25.0
# endregion

# region proof_blocks
import torch
import torch.nn.functional as F

# keys and values block by block, with a running maximum and sum
torch.manual_seed(0)
q, k, v = (torch.randn(6, 4).double() for _ in range(3))
top = torch.full((6, 1), -torch.inf).double()
total, out = torch.zeros(6, 1).double(), torch.zeros(6, 4).double()
for part in range(0, 6, 2):
    scores = q @ k[part : part + 2].T / 2
    new = torch.maximum(top, scores.amax(1, keepdim=True))
    weights, shrink = (scores - new).exp(), (top - new).exp()
    total = total * shrink + weights.sum(1, keepdim=True)
    out = out * shrink + weights @ v[part : part + 2]
    top = new
assert torch.allclose(out / total, F.scaled_dot_product_attention(q[None], k[None], v[None])[0])
# endregion

# region proof_saved
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q = torch.ones(1, 1, 500, 8, requires_grad=True)
hooks = torch.autograd.graph.saved_tensors_hooks
saved = []
with sdpa_kernel(SDPBackend.FLASH_ATTENTION), hooks(saved.append, lambda t: t):
    F.scaled_dot_product_attention(q, q, q)
assert {tuple(t.shape) for t in saved} == {(1, 1, 500, 8), (1, 1, 500)}
# endregion

# region proof_masks
import torch
import torch.nn.functional as F

q = torch.ones(1, 4, 8)
try:
    mask = torch.ones(4, 4, dtype=torch.bool)
    F.scaled_dot_product_attention(q, q, q, attn_mask=mask, is_causal=True)
    raise AssertionError
except RuntimeError as error:
    assert "should not be set when is_causal=True" in str(error)
causal = torch.ones(4, 4, dtype=torch.bool).tril()
x = torch.randn(1, 4, 8)
a = F.scaled_dot_product_attention(x, x, x, attn_mask=causal)
assert torch.allclose(a, F.scaled_dot_product_attention(x, x, x, is_causal=True), atol=1e-6)
own = torch.tensor([True, True, True, False])  # both in one mask
both = F.scaled_dot_product_attention(x, x, x, attn_mask=causal & own)
assert torch.allclose(both[:, :3], a[:, :3], atol=1e-6)
# endregion

# region proof_gqa
import inspect
import torch
import torch.nn.functional as F

if "enable_gqa" in F.scaled_dot_product_attention.__doc__:
    q, k = torch.randn(1, 8, 5, 16), torch.randn(1, 2, 5, 16)
    a = F.scaled_dot_product_attention(q, k, k, enable_gqa=True)
    wide = k.repeat_interleave(4, 1)
    b = F.scaled_dot_product_attention(q, wide, wide)
    assert torch.allclose(a, b, atol=1e-6)
    assert wide.nbytes == 4 * k.nbytes
# endregion

# region proof_flex
import warnings
import torch
import torch.nn.functional as F

try:
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
except ImportError:  # before torch 2.5
    flex_attention = None

if flex_attention:
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 1, 128, 16) for _ in range(3))

    def score_mod(score, batch, head, query, key):
        return score - (query - key).abs()

    def mask_mod(batch, head, query, key):
        return query >= key

    place = torch.arange(128)
    bias = -(place[:, None] - place).abs()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        out = flex_attention(q, k, v, score_mod=score_mod)
    told = " ".join(str(w.message) for w in caught)
    assert not told or "materializes the full scores matrix" in told
    bias = bias.float()
    want = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    assert torch.allclose(out, want, atol=1e-5)
    blocks = create_block_mask(mask_mod, None, None, 128, 128, device="cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = flex_attention(q, k, v, block_mask=blocks)
    want = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert torch.allclose(out, want, atol=1e-5)
print("attention as told")
# endregion
