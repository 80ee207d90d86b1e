"""backward: where it may start, how gradients add up, and which numbers come out."""

# region implicit_scalar
import torch

for shape in ((), (1, 1), (2,)):
    x = torch.ones(shape, requires_grad=True)
    try:
        x.backward()
        print(x.grad)
    except RuntimeError:
        print("refused")
# Output:
# tensor(1.)
# tensor([[1.]])
# refused
# endregion

# region vector
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x ** 2
y.backward(torch.tensor([1.0, 10.0]))
print(x.grad)  # prints tensor([ 2., 40.])
# endregion

# region accumulates
import torch

w = torch.tensor(2.0, requires_grad=True)
(w * 3).backward()
(w * 4).backward()
print(w.grad)  # prints tensor(7.)
# endregion

# region micro_batches
import torch

w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([1.0, 3.0])
(w * x).mean().backward()
whole, w.grad = w.grad, None
for part in x.split(1):
    (w * part).mean().backward()
print(whole, w.grad)
# Output:
# tensor(2.) tensor(4.)
# endregion

# region proof_micro_batches
import torch

w = torch.tensor(1.0, requires_grad=True)
for part in torch.tensor([1.0, 3.0]).split(1):
    ((w * part).mean() / 2).backward()
assert w.grad == 2.0
# endregion

# region second_backward
import torch

x = torch.ones(2, requires_grad=True)
for loss in ((x + 1).sum(), x.exp().sum()):
    try:
        loss.backward()
        loss.backward()
        print(x.grad)
    except RuntimeError:
        print("refused")
# Output:
# tensor([2., 2.])
# refused
# endregion

# region proof_retain_graph
import torch

x = torch.zeros(2, requires_grad=True)
loss = x.exp().sum()
loss.backward(retain_graph=True)
loss.backward()
assert not x.grad.requires_grad and x.grad.tolist() == [2.0, 2.0]
try:
    loss.backward()
    raise AssertionError("the graph is still there")
except RuntimeError:
    pass
# endregion

# region proof_two_losses
import torch

x = torch.zeros(2, requires_grad=True)
trunk = x.exp()
((trunk * 2).sum() + (trunk * 3).sum()).backward()
assert x.grad.tolist() == [5.0, 5.0]
trunk = x.exp()
(trunk * 2).sum().backward()
try:
    raise AssertionError((trunk * 3).sum().backward())
except RuntimeError:
    pass
# endregion

# region retain_grad
import torch

x = torch.tensor(2.0, requires_grad=True)
h = x * 3
h.retain_grad()
(h ** 2).backward()
print(h.grad, x.grad)
# Output:
# tensor(12.) tensor(36.)
# endregion

# region unused
import torch

used = torch.tensor(2.0, requires_grad=True)
times_zero = torch.tensor(2.0, requires_grad=True)
unused = torch.tensor(2.0, requires_grad=True)
(used * 3 + times_zero * 0).backward()
print(times_zero.grad, unused.grad)
# Output:
# tensor(0.) None
# endregion

# region broadcast
import torch

bias = torch.zeros(1, requires_grad=True)
(torch.ones(4) + bias).sum().backward()
print(bias.grad)  # prints tensor([4.])
# endregion

# region repeated_index
import torch

table = torch.ones(3, requires_grad=True)
table[[0, 0, 1]].sum().backward()
print(table.grad)  # prints tensor([2., 1., 0.])
# endregion

# region at_zero
import torch

zero = torch.zeros(())
x = torch.zeros(2, requires_grad=True)
(x[0].relu() + torch.maximum(x[1], zero)).backward()
print(x.grad.tolist())  # prints [0.0, 0.5]
# endregion

# region norm_of_zeros
import torch

def by_hand(v):
    return (v ** 2).sum().sqrt()

for length in (by_hand, torch.linalg.vector_norm):
    x = torch.zeros(2, requires_grad=True)
    length(x).backward()
    print(x.grad)
# Output:
# tensor([nan, nan])
# tensor([0., 0.])
# endregion

# region where_nan
import torch

x = torch.tensor([0.0, 4.0], requires_grad=True)
y = torch.where(x > 0, x.sqrt(), 0.0)
y.sum().backward()
print(y.tolist(), x.grad.tolist())  # prints [0.0, 2.0] [nan, 0.25]
# endregion

# region proof_where_safe
import torch

x = torch.tensor([0.0, 4.0], requires_grad=True)
safe = torch.where(x > 0, x, 1.0)
torch.where(x > 0, safe.sqrt(), 0.0).sum().backward()
assert x.grad.tolist() == [0.0, 0.25]
# endregion

# region rounding
import torch

x = torch.tensor([1.2, 2.7], requires_grad=True)
x.round().sum().backward()
print(x.grad)  # prints tensor([0., 0.])
# endregion

# region proof_anomaly
import warnings
import torch

x = torch.zeros(2, requires_grad=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with torch.autograd.detect_anomaly():
        try:
            raise AssertionError((x ** 2).sum().sqrt().backward())
        except RuntimeError as error:
            assert "nan" in str(error)
assert any("Traceback" in str(w.message) for w in caught)
y = (x ** 2).sum().sqrt()  # outside: its call is not known
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with torch.autograd.detect_anomaly():
        try:
            raise AssertionError(y.backward())
        except RuntimeError as error:
            assert "nan" in str(error)
assert not any("Traceback" in str(w.message) for w in caught)
# endregion

# region proof_not_retained
import warnings
import torch

warnings.simplefilter("ignore")
h = torch.tensor(2.0, requires_grad=True) * 3
(h ** 2).backward()
assert h.grad is None
# endregion

# region proof_none_is_skipped
import torch

for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad"):
    for grad in (None, torch.tensor([0.0])):
        w = torch.tensor([8.0], requires_grad=True)
        w.grad = grad
        make = getattr(torch.optim, name)
        make([w], lr=0.5, weight_decay=1.0).step()
        assert (w.item() == 8.0) is (grad is None)
# endregion
