"""Between backward() and step(): accumulation, clipping, closures."""

# region norm_and_result
import torch
from torch.nn.utils import clip_grad_norm_

w = torch.zeros(2, requires_grad=True)
w.grad = torch.tensor([3.0, 4.0])
norm = clip_grad_norm_([w], max_norm=1.0)
print(norm, w.grad)
# Output:
# tensor(5.) tensor([0.6000, 0.8000])
# endregion

# region one_norm_for_all
import torch
from torch.nn.utils import clip_grad_norm_

a = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
a.grad, b.grad = torch.tensor([6.0]), torch.tensor([8.0])
clip_grad_norm_([a, b], max_norm=5.0)
print(a.grad.round(), b.grad.round())
# Output:
# tensor([3.]) tensor([4.])
# endregion

# region below_the_limit
import torch
from torch.nn.utils import clip_grad_norm_

w = torch.zeros(4, requires_grad=True)
w.grad = torch.full((4,), 5.0)
clip_grad_norm_([w], max_norm=100.0)
print(w.grad)  # prints tensor([5., 5., 5., 5.])
# endregion

# region clip_value
import torch
from torch.nn.utils import clip_grad_value_

w = torch.zeros(3, requires_grad=True)
w.grad = torch.tensor([0.5, -3.0, 40.0])
clip_grad_value_([w], clip_value=1.0)
print(w.grad)
# Output:
# tensor([ 0.5000, -1.0000,  1.0000])
# endregion

# region infinite_norm
import torch
from torch.nn.utils import clip_grad_norm_

a = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
a.grad = torch.tensor([float("inf")])
b.grad = torch.tensor([1.0])
clip_grad_norm_([a, b], max_norm=1.0)
print(a.grad, b.grad)  # prints tensor([nan]) tensor([0.])
# endregion

# region empty_generator
import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_

layer = nn.Linear(2, 1)
params = layer.parameters()
optim.SGD(params, lr=0.1)
layer.weight.grad = torch.full((1, 2), 100.0)
clip_grad_norm_(params, max_norm=1.0)
print(layer.weight.grad)  # prints tensor([[100., 100.]])
# endregion

# region unequal_batches
import torch

w = torch.tensor(0.0, requires_grad=True)
batches = torch.tensor([2.0, 2.0, 2.0, 10.0]).split(3)
for batch in batches:
    ((w * batch).mean() / len(batches)).backward()
print(w.grad)  # prints tensor(6.)
# endregion

# region leftover
import torch

w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
for number, x in enumerate([1.0, 2.0, 4.0], start=1):
    (w * x).backward()
    if number % 2 == 0:
        optimizer.step()
        optimizer.zero_grad()
print(w.item(), w.grad)  # prints -3.0 tensor(4.)
# endregion

# region closure_result
import torch

w = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
def closure():
    optimizer.zero_grad()
    loss = w * w
    loss.backward()
    return loss
loss = optimizer.step(closure)
print(loss.item(), w.item())  # prints 9.0 0.0
# endregion

# region proof_lbfgs_calls
import torch
from torch.optim import LBFGS, SGD
for make, several in ((SGD, False), (LBFGS, True)):
    w, losses = torch.tensor(3.0, requires_grad=True), []
    optimizer = make([w], lr=0.5)
    def closure():
        optimizer.zero_grad()
        losses.append(w * w)
        losses[-1].backward()
        return losses[-1]
    optimizer.step(closure)
    assert (len(losses) > 1) == several
    try:
        make([w], lr=0.5).step()
        assert not several
    except TypeError as error:
        assert several and "closure" in str(error)
# endregion

# region proof_decay_is_not_clipped
import torch
from torch.nn.utils import clip_grad_norm_

w = torch.tensor([8.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0, weight_decay=0.5)
w.grad = torch.tensor([9.0])
assert clip_grad_norm_([w], max_norm=1.0) == 9
optimizer.step()
assert abs(w.item() - (8 - (1 + 4))) < 1e-5
# endregion

# region proof_nonfinite_error
import torch
from torch.nn.utils import clip_grad_norm_

w = torch.zeros(1, requires_grad=True)
w.grad = torch.tensor([float("nan")])
try:
    clip_grad_norm_([w], max_norm=1.0, error_if_nonfinite=True)
    raise AssertionError("not reached")
except RuntimeError as error:
    assert "non-finite" in str(error)
# endregion

# region proof_graphs_are_freed
import torch
from torch.autograd.graph import saved_tensors_hooks
held = []
class Kept:
    def __init__(self, tensor): self.tensor = tensor; held.append(1)
    def __del__(self): held.pop()
w, counts = torch.ones(2, requires_grad=True), []
with saved_tensors_hooks(Kept, lambda kept: kept.tensor):
    for _ in range(3):
        w.exp().sum().backward(); counts.append(len(held))
    total = sum(w.exp().sum() for _ in 'abc'); counts += [len(held)]
assert counts == [0, 0, 0, 3]
# endregion

# region proof_batch_norm
import torch
from torch import nn

x = torch.tensor([[1.0], [3.0], [5.0], [9.0]])
whole = nn.BatchNorm1d(1)(x)
parts = torch.cat([nn.BatchNorm1d(1)(part) for part in x.split(2)])
assert not torch.allclose(whole, parts)
# endregion

# region proof_clip_place
import torch
from torch.nn.utils import clip_grad_norm_

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
(8 * w).sum().backward()
optimizer.step()
clip_grad_norm_([w], max_norm=1.0)
assert w.item() == -8 and abs(w.grad.item() - 1) < 1e-5
# endregion
