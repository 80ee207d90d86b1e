"""Keys and values that are kept while a model writes its text."""

# region cache_bytes
import torch

keys_and_values, layers, heads, length, width = 2, 32, 8, 8192, 128
cache = torch.empty(
    keys_and_values, layers, heads, length, width,
    dtype=torch.bfloat16, device="meta",
)
print(cache.nbytes / 2**30)
# Output:
# 1.0
# endregion

# region projected_tokens
import torch
from torch import nn

rows = []
keys = nn.Linear(4, 4)
keys.register_forward_hook(lambda m, i, out: rows.append(len(out)))
for cached in (False, True):
    rows.clear()
    keys(torch.ones(5, 4))  # the prompt
    for length in (6, 7, 8):
        keys(torch.ones(1 if cached else length, 4))
    print(rows, sum(rows))
# Output:
# [5, 6, 7, 8] 26
# [5, 1, 1, 1] 8
# endregion

# region prefill_and_decode
import torch

q = k = torch.ones(5, 4)  # a prompt of five tokens
print((q @ k.T).shape)
for _ in range(2):
    new = torch.ones(1, 4)
    k = torch.cat([k, new])
    print((new @ k.T).shape)
# Output:
# torch.Size([5, 5])
# torch.Size([1, 6])
# torch.Size([1, 7])
# endregion

# region changed_positions
import torch
import torch.nn.functional as F

x = torch.eye(4)[None]
y = x.clone()
y[0, -1] = 5.0  # another last token
for causal in (True, False):
    f = F.scaled_dot_product_attention
    a, b = (f(t, t, t, is_causal=causal) for t in (x, y))
    print((a != b).any(-1).sum().item())
# Output:
# 1
# 4
# endregion

# region flops_per_byte
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

half = torch.bfloat16
layer = nn.Linear(4096, 4096, False, "meta", half)
for tokens in (1, 1024):
    x = torch.empty(tokens, 4096, dtype=half, device="meta")
    with FlopCounterMode(display=False) as counter:
        layer(x)
    print(counter.get_total_flops() / layer.weight.nbytes)
# Output:
# 1.0
# 1024.0
# endregion

# region proof_cache
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(1, 6, 8)
to_q, to_k, to_v = (nn.Linear(8, 8) for _ in range(3))
f = F.scaled_dot_product_attention
whole = f(to_q(x), to_k(x), to_v(x), is_causal=True)
k, v = to_k(x[:, :5]), to_v(x[:, :5])
k = torch.cat([k, to_k(x[:, 5:])], 1)
v = torch.cat([v, to_v(x[:, 5:])], 1)
last = f(to_q(x[:, 5:]), k, v)  # the query of the new token alone
assert torch.allclose(last, whole[:, 5:], atol=1e-6)
# two new tokens after four
mask = torch.ones(2, 6, dtype=torch.bool).tril(6 - 2)
both = f(to_q(x[:, 4:]), k, v, attn_mask=mask)
assert torch.allclose(both, whole[:, 4:], atol=1e-6)
wrong = f(to_q(x[:, 4:]), k, v, is_causal=True)
assert not torch.allclose(wrong, whole[:, 4:], atol=1e-2)
# endregion

# region proof_growing
import torch

k = torch.ones(5, 4)
longer = torch.cat([k, torch.ones(1, 4)])
assert longer.data_ptr() != k.data_ptr()
assert longer.untyped_storage().nbytes() == 6 * 4 * 4
room = torch.zeros(8, 4)
at = room.data_ptr()
room[5] = 1.0
assert room.data_ptr() == at and room[:6].data_ptr() == at
assert sum(range(6, 106)) == 5550 and 100 * 105 / 2 < 5550
# endregion

# region proof_heads
import torch

def cache(heads, dtype):
    return torch.empty(2, 32, heads, 8192, 128, dtype=dtype, device="meta")

full = cache(32, torch.bfloat16).nbytes
assert cache(8, torch.bfloat16).nbytes * 4 == full
assert cache(8, torch.float8_e4m3fn).nbytes * 8 == full
print("cache as told")
# endregion
