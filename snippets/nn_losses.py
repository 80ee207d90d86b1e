"""Losses: what they expect, and what they average over."""

# region softmax_twice
import torch
import torch.nn.functional as F

p = torch.tensor([[1.0, 0.0]])
loss = F.cross_entropy(p, torch.tensor([0]))
print(round(loss.item(), 2))
# Output:
# 0.31
# endregion

# region class_dim
import torch
import torch.nn.functional as F

target = torch.zeros(2, 7, dtype=torch.int64)
for logits in (torch.zeros(2, 5, 7), torch.zeros(2, 7, 5)):
    try:
        loss = F.cross_entropy(logits, target, reduction="none")
        print(loss.shape)
    except RuntimeError:
        print("error")
# Output:
# torch.Size([2, 7])
# error
# endregion

# region target_dtypes
import torch
import torch.nn.functional as F

logits = torch.tensor([[0.0, 100.0]])
target = torch.tensor([0])
for t in (target, target.int()):
    try:
        print(F.cross_entropy(logits, t))
    except RuntimeError:
        print("error")
# Output:
# tensor(100.)
# error
# endregion

# region one_hot_target
import torch
import torch.nn.functional as F

hot = F.one_hot(torch.tensor([0, 1]))
for t in (hot, hot.float()):
    try:
        print(F.cross_entropy(-100.0 * hot, t))
    except RuntimeError:
        print("error")
# Output:
# error
# tensor(100.)
# endregion

# region ignore_index
import torch
import torch.nn.functional as F

log_p = torch.tensor([[-1.0, -9], [-9.0, -9], [-3.0, -9]])
print(F.nll_loss(log_p, torch.tensor([0, -100, 0])))
# Output:
# tensor(2.)
# endregion

# region all_ignored
import torch
import torch.nn.functional as F

logits = torch.zeros(2, 3)
print(F.cross_entropy(logits, torch.tensor([-100, -100])))
# Output:
# tensor(nan)
# endregion

# region class_weights
import torch
import torch.nn.functional as F

log_p = torch.tensor([[-2.0, -9.0], [-9.0, -4.0]])
weight = torch.tensor([1.0, 3.0])
target = torch.tensor([0, 1])
print(F.nll_loss(log_p, target, weight=weight))
# Output:
# tensor(3.5000)
# endregion

# region nll_takes_logs
import torch
import torch.nn.functional as F

p = torch.tensor([[0.25, 0.75]])
print(F.nll_loss(p, torch.tensor([1])))
# Output:
# tensor(-0.7500)
# endregion

# region mse_broadcast
import torch
import torch.nn.functional as F

prediction = torch.tensor([[1.0], [3.0]])
target = torch.tensor([1.0, 3.0])
print(F.mse_loss(prediction, target))
# Output:
# tensor(2.)
# endregion

# region bce_dtype
import torch
from torch import nn

loss, x = nn.BCEWithLogitsLoss(), torch.tensor([100.0, -100.0])
target = torch.tensor([0, 1])
for t in (target, target.float()):
    try:
        print(loss(x, t))
    except RuntimeError:
        print("error")
# Output:
# error
# tensor(100.)
# endregion

# region pos_weight
import torch
from torch import nn

plain = nn.BCEWithLogitsLoss(reduction="none")
heavy = nn.BCEWithLogitsLoss(
    reduction="none", pos_weight=torch.tensor(3.0)
)
args = torch.zeros(2), torch.tensor([0.0, 1.0])
print(heavy(*args) / plain(*args))
# Output:
# tensor([1., 3.])
# endregion

# region batchmean
import torch
import torch.nn.functional as F

p = torch.eye(4)[:2]
log_q = torch.full((2, 4), 0.25).log()
batch = F.kl_div(log_q, p, reduction="batchmean")
print(batch / F.kl_div(log_q, p, reduction="mean"))
# Output:
# tensor(4.)
# endregion

# region log_of_softmax
import torch

x = torch.tensor([0.0, 200.0])
for y in (x.softmax(dim=0).log(), x.log_softmax(dim=0)):
    print(y.tolist())
# Output:
# [-inf, 0.0]
# [-200.0, 0.0]
# endregion

# region proof_cross_entropy
import torch
import torch.nn.functional as F

x, t = torch.tensor([[2.0, 0.0], [1.0, 5.0]]), torch.tensor([0, 1])
whole = F.cross_entropy(x, t)
assert torch.allclose(whole, F.nll_loss(x.log_softmax(1), t))
hot = F.one_hot(t).float()
assert torch.allclose(whole, F.cross_entropy(x, hot))
smooth = F.cross_entropy(x, t, label_smoothing=0.2)
mixed = 0.8 * hot + 0.2 / 2
assert torch.allclose(smooth, F.cross_entropy(x, mixed))
# endregion

# region proof_class_weights
import torch
import torch.nn.functional as F

x, t = torch.tensor([[2.0, 0.0], [1.0, 5.0]]), torch.tensor([0, 1])
w = torch.tensor([1.0, 3.0])
each = F.cross_entropy(x, t, weight=w, reduction="none")
mean = F.cross_entropy(x, t, weight=w)
assert torch.allclose(mean, each.sum() / 4)
half = F.cross_entropy(x[:1], t[:1], weight=w)
assert torch.allclose(half, F.cross_entropy(x[:1], t[:1]))
# endregion

# region proof_parts_of_a_batch
import torch
import torch.nn.functional as F

x = torch.tensor([[2.0, 0], [1.0, 5], [3.0, 3], [4.0, 0]])
def agree(t, w=None):
    one = F.cross_entropy(x[:2], t[:2], weight=w)
    two = F.cross_entropy(x[2:], t[2:], weight=w)
    return ((one + two) / 2).isclose(F.cross_entropy(x, t, weight=w))
even, odd = torch.tensor([0, 1, 0, 1]), torch.tensor([0, 0, 1, 1])
assert agree(odd) and agree(even, x[0] + 1)
assert not agree(odd, x[0] + 1)
assert not agree(torch.tensor([0, -100, 0, 1]))
# endregion

# region proof_softmax_twice
import math
import torch
import torch.nn.functional as F

probabilities = torch.tensor([[1.0, 0.0]])
loss = F.cross_entropy(probabilities, torch.tensor([0])).item()
assert abs(loss - math.log(1 + 1 / math.e)) < 1e-6
assert 0.31 < loss < 0.32
x = torch.zeros(2, 7, 5)
y = torch.zeros(2, 7, dtype=torch.int64)
assert F.cross_entropy(x.transpose(1, 2), y) > 1
# endregion

# region proof_kl_order
import torch
import torch.nn.functional as F

p, q = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.25, 0.75]])
kl_p_q = (p * (p / q).log()).sum()
given = F.kl_div(q.log(), p, reduction="batchmean")
assert torch.allclose(given, kl_p_q)
assert F.kl_div(q, p, reduction="batchmean") < 0
# endregion

# region proof_bce_with_logits
import torch
import torch.nn.functional as F

x, one = torch.tensor([-200.0], requires_grad=True), torch.ones(1)
F.binary_cross_entropy(x.sigmoid(), one).backward()
assert x.grad.item() == 0
x.grad = None
F.binary_cross_entropy_with_logits(x, one).backward()
assert x.grad.item() == -1
y = torch.tensor([30.0], requires_grad=True)
F.binary_cross_entropy(y.sigmoid(), one - 1).backward()
assert y.grad.item() == 0
# endregion

# region proof_ctc
import math
import torch
from torch import nn

log_p = torch.full((2, 1, 4), 0.25).log()
target, long, short = torch.tensor([[1]]), [2], [1]
loss = nn.CTCLoss(reduction="sum")(log_p, target, long, short)
ways = 3  # 1 1, 1 blank, blank 1
assert abs(loss.item() + math.log(ways / 16)) < 1e-5
# endregion

# region proof_dtypes_of_targets
import torch
import torch.nn.functional as F

x, t = torch.zeros(2, 3), torch.tensor([0, 1])
assert F.cross_entropy(x, t) == F.cross_entropy(x, t.byte())
for wrong in (t.int(), t.short(), t.char(), t.bool(), t.float()):
    try:
        F.cross_entropy(x, wrong)
        raise AssertionError
    except RuntimeError:
        pass
p = torch.full((2,), 0.5)
for loss in (F.binary_cross_entropy, F.binary_cross_entropy_with_logits):
    assert loss(p, t.float()) > 0
    for wrong in (t, t.int(), t.bool()):
        try:
            loss(p, wrong)
            raise AssertionError
        except RuntimeError:
            pass
one = F.cross_entropy(torch.zeros(3), torch.tensor(1))
assert one == F.cross_entropy(torch.zeros(1, 3), torch.tensor([1]))
# endregion

# region proof_large_logits
import torch
import torch.nn.functional as F

for logit, target in ((30.0, 0.0), (-200.0, 1.0)):
    x, target = torch.tensor([logit]), torch.tensor([target])
    a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
    assert a.sigmoid().item() == 1 - target.item()
    F.binary_cross_entropy(a.sigmoid(), target).backward()
    F.binary_cross_entropy_with_logits(b, target).backward()
    assert a.grad.item() == 0 and b.grad.abs().item() == 1
# endregion

# region proof_reductions
import warnings
import torch
import torch.nn.functional as F

p, log_q = torch.eye(4)[:2], torch.full((2, 4), 0.25).log()
each = [F.kl_div(log_q[i], p[i], reduction="sum") for i in (0, 1)]
batch = F.kl_div(log_q, p, reduction="batchmean")
assert batch.isclose(sum(each) / 2)
whole = F.kl_div(log_q, p, reduction="sum")
assert whole.isclose(2 * batch)
none = torch.tensor([-100, -100])
assert F.cross_entropy(torch.zeros(2, 3), none, reduction="sum") == 0
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    F.mse_loss(torch.zeros(2, 1), torch.zeros(2))
    assert len(seen) == 1
    F.mse_loss(torch.zeros(2), torch.zeros(2))
    assert len(seen) == 1
weight = torch.tensor([3.0])
loss = F.binary_cross_entropy_with_logits
x, t = torch.tensor([0.5, -2.0]), torch.tensor([0.0, 1.0])
plain = loss(x, t, reduction="none")
heavy = loss(x, t, reduction="none", pos_weight=weight)
assert torch.allclose(heavy, plain * torch.tensor([1.0, 3.0]))
# endregion
