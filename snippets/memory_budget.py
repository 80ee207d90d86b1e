"""What training keeps in memory, counted in bytes, and running out of it."""

# region state_follows_dtype
import torch

for dtype in (torch.float32, torch.bfloat16):
    w = torch.ones(1000, dtype=dtype, requires_grad=True)
    optimizer = torch.optim.AdamW([w])
    w.sum().backward()
    optimizer.step()
    state = optimizer.state[w]
    kept = [w, w.grad, state["exp_avg"], state["exp_avg_sq"]]
    print(sum(t.nbytes for t in kept) // w.numel())
# Output:
# 16
# 8
# endregion

# region adafactor_state
import torch

w = torch.ones(1000, 1000, requires_grad=True)
w.grad = torch.ones(1000, 1000)
for kind in (torch.optim.AdamW, torch.optim.Adafactor):
    optimizer = kind([w])
    optimizer.step()
    state = optimizer.state[w].values()
    print(sum(t.numel() for t in state if t.dim()))
# Output:
# 2000000
# 2000
# endregion

# region relu_or_gelu
import torch
import torch.nn.functional as F

x = torch.arange(-1.0, 3.0, requires_grad=True)
hooks = torch.autograd.graph.saved_tensors_hooks
for f in (F.relu, F.gelu):
    saved = []
    with hooks(saved.append, lambda t: t):
        y = f(x)
    print([t.tolist() for t in saved])
# Output:
# [[0.0, 0.0, 1.0, 2.0]]
# [[-1.0, 0.0, 1.0, 2.0]]
# endregion

# region frozen_saves_less
import torch
from torch import nn

x = torch.ones(5, 10, requires_grad=True)
hooks = torch.autograd.graph.saved_tensors_hooks
for train in (True, False):
    layer = nn.Linear(10, 20).requires_grad_(train)
    saved = []
    with hooks(saved.append, lambda t: t):
        y = layer(x)
    print([t.numel() for t in saved])
# Output:
# [50, 200]
# [200]
# endregion

# region autocast_activations
import torch
from torch import nn

x, layer = torch.ones(1000, 100), nn.Linear(100, 100)
hooks = torch.autograd.graph.saved_tensors_hooks
for on in (False, True):
    saved = []
    autocast = torch.autocast("cpu", torch.bfloat16, enabled=on)
    with autocast, hooks(saved.append, lambda t: t):
        y = layer(x)
    print([t.nbytes for t in saved])
# Output:
# [400000]
# [200000]
# endregion

# region micro_batches
import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 10), nn.GELU(), nn.Linear(10, 1))
hooks = torch.autograd.graph.saved_tensors_hooks
for size in (400, 100):
    saved = []
    with hooks(saved.append, lambda t: t):
        loss = net(torch.ones(size, 10)).sum()
    print(sum(t.numel() for t in saved if len(t) == size))
# Output:
# 12000
# 3000
# endregion

# region pairwise_differences
import torch

x = torch.empty(10_000, 64, device="meta")
for y in (x[:, None] - x, torch.cdist(x, x)):
    print(y.nbytes / 1e9)
# Output:
# 25.6
# 0.4
# endregion

# region proof_batch_size
import torch
from torch import nn

def bytes_of(size):
    net = nn.Sequential(nn.Linear(9, 9), nn.Sigmoid(), nn.Linear(9, 1))
    optimizer = torch.optim.Adam(net.parameters())
    own = {p.data_ptr() for p in net.parameters()}
    saved = []
    hooks = torch.autograd.graph.saved_tensors_hooks
    with hooks(saved.append, lambda t: t):
        net(torch.ones(size, 9)).sum()
    activations = {t.data_ptr(): t for t in saved if t.data_ptr() not in own}
    net(torch.ones(size, 9)).sum().backward()
    optimizer.step()
    weights = sum(p.nbytes for p in net.parameters())
    grads = sum(p.grad.nbytes for p in net.parameters())
    state = sum(
        value.nbytes for kept in optimizer.state.values()
        for value in kept.values()
    )
    return weights, grads, state, sum(t.nbytes for t in activations.values())

large, small = bytes_of(64), bytes_of(32)
assert large[:3] == small[:3]
assert large[3] == 2 * small[3]
# endregion

# region proof_state_is_late
import torch
from torch import nn

layer = nn.Linear(30, 20)
optimizer = torch.optim.Adam(layer.parameters())
layer(torch.ones(1, 30)).sum().backward()
assert not optimizer.state
optimizer.step()
made = sum(
    value.nbytes for state in optimizer.state.values()
    for value in state.values() if value.dim()
)
assert made == 2 * sum(p.nbytes for p in layer.parameters())
before = {id(v) for s in optimizer.state.values() for v in s.values()}
optimizer.step()
after = {id(v) for s in optimizer.state.values() for v in s.values()}
assert before == after  # later steps make none
# endregion

# region proof_weights_of_seven_billion
import torch

weights = torch.empty(7 * 10**9, dtype=torch.bfloat16, device="meta")
assert weights.nbytes == 14 * 10**9
assert weights.float().nbytes == 28 * 10**9
# endregion

# region proof_two_outputs
import weakref
import torch

alive = []

def net(x):
    alive.append(last() is not None)
    return x + 1

last = lambda: None
for _ in range(2):
    out = net(torch.ones(3))
    last = weakref.ref(out)
assert alive == [False, True]
alive.clear()
for _ in range(2):
    out = net(torch.ones(3))
    last = weakref.ref(out)
    del out
assert alive == [True, False]  # the first one is left from above
# endregion

# region proof_except_block
import weakref
import torch

seen = []

def step():
    big = torch.zeros(1000)
    seen.append(weakref.ref(big))
    raise torch.OutOfMemoryError("simulated")

failed = False
try:
    step()
except RuntimeError:
    assert seen[0]() is not None  # kept by the traceback
    failed = True
assert failed and seen[0]() is None
# endregion

# region proof_backward_frees
import weakref
import torch

class Box:
    def __init__(self, tensor):
        self.tensor = tensor

boxes = []

def pack(tensor):
    box = Box(tensor)
    boxes.append(weakref.ref(box))
    return box

order = []

def unpack(box):
    order.append([ref() is not None for ref in boxes])
    return box.tensor

x = torch.ones(4, requires_grad=True)
hooks = torch.autograd.graph.saved_tensors_hooks
with hooks(pack, unpack):
    loss = x.sin().sin().sin().sum()
assert [ref() is not None for ref in boxes] == [True, True, True]
loss.backward()
assert order[0] == [True, True, True]
assert order[1] == [True, True, False]
assert order[2] == [True, False, False]
assert [ref() is not None for ref in boxes] == [False, False, False]
# endregion

# region proof_relu_shares
import torch
import torch.nn.functional as F

x = torch.ones(4, 9, requires_grad=True)
y = F.relu(x)
assert torch.equal(y.grad_fn._saved_result, y)
assert y.grad_fn._saved_result.data_ptr() == y.data_ptr()
assert F.gelu(x).grad_fn._saved_self.data_ptr() == x.data_ptr()
assert not hasattr(F.gelu(x).grad_fn, "_saved_result")
product = F.linear(y, torch.ones(5, 9, requires_grad=True))
kept = [getattr(product.grad_fn, n) for n in dir(product.grad_fn) if n.startswith("_saved_")]
kept = [t for t in kept if torch.is_tensor(t)]
assert y.data_ptr() in {t.data_ptr() for t in kept}
# the gradient of the input of a linear layer needs its weight, that of
# the weight its input
a = torch.ones(5, 10, requires_grad=True)
w = torch.ones(20, 10)
hooks = torch.autograd.graph.saved_tensors_hooks
saved = []
with hooks(saved.append, lambda t: t):
    z = F.linear(a, w)
assert [t.data_ptr() for t in saved] == [w.data_ptr()]
saved.clear()
with hooks(saved.append, lambda t: t):
    z = F.linear(a.detach(), w.clone().requires_grad_())
assert [t.data_ptr() for t in saved] == [a.data_ptr()]
# endregion

# region proof_cdist_agrees
import torch

x = torch.arange(12.0).reshape(4, 3)
distances = (x[:, None] - x).square().sum(-1).sqrt()
assert (x[:, None] - x).shape == (4, 4, 3)
assert torch.allclose(distances, torch.cdist(x, x), atol=1e-4)
print("budget as told")
# endregion
