"""Mistakes of training: what raises, and what goes on silently."""

# region target_column
import torch
import torch.nn.functional as F

logits = torch.zeros(3, 5)
label = torch.zeros(3, 1, dtype=torch.int64)
for y in (label, label.squeeze(1)):
    try:
        print(F.cross_entropy(logits, y, reduction="none").shape)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# RuntimeError
# torch.Size([3])
# endregion

# region labels_from_one
import torch
import torch.nn.functional as F

logits, label = 200 * torch.eye(3), torch.tensor([1, 2, 3])
for target in (label, label - 1):
    try:
        print(F.cross_entropy(logits, target))
    except IndexError as error:
        print(type(error).__name__)
# Output:
# IndexError
# tensor(0.)
# endregion

# region one_logit
import torch
import torch.nn.functional as F

logits = torch.tensor([[7.0], [-3.0]], requires_grad=True)
loss = F.cross_entropy(logits, torch.tensor([0, 0]))
loss.backward()
print(loss.item(), logits.grad.tolist())
# Output:
# 0.0 [[0.0], [0.0]]
# endregion

# region tensors_to_init
import torch
from torch import nn

x, y = torch.zeros(2), torch.ones(2)
print(nn.MSELoss()(x, y))
try:
    print(nn.MSELoss(x, y))
except RuntimeError as error:
    print(type(error).__name__)
# Output:
# tensor(1.)
# RuntimeError
# endregion

# region name_taken
import torch
from torch import nn

loss, x = nn.MSELoss(), torch.ones(3)
try:
    for batch in (x, x):
        loss = loss(batch, x)
        print(loss)
except TypeError as error:
    print(type(error).__name__)
# Output:
# tensor(0.)
# TypeError
# endregion

# region bce_of_logits
import torch
import torch.nn.functional as F

logits, y = torch.tensor([-200.0, 200.0]), torch.tensor([0.0, 1.0])
for p in (logits, logits.sigmoid()):
    try:
        print(F.binary_cross_entropy(p, y))
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# RuntimeError
# tensor(0.)
# endregion

# region bce_shapes
import torch
import torch.nn.functional as F

x, y = torch.zeros(2, 1), torch.zeros(2)
for f in (F.mse_loss, F.binary_cross_entropy_with_logits):
    try:
        print(f(x, y))
    except ValueError as error:
        print(type(error).__name__)
# Output:
# tensor(0.)
# ValueError
# endregion

# region sigmoid_twice
import torch

p = torch.tensor([-4.0, 4.0]).sigmoid()
for x in (p, p.sigmoid()):
    print(x.round(decimals=1))
# Output:
# tensor([0., 1.])
# tensor([0.5000, 0.7000])
# endregion

# region relu_on_logits
import torch
import torch.nn.functional as F

w = torch.tensor([[-2.0, -1.0]], requires_grad=True)
loss = F.cross_entropy(w.relu(), torch.tensor([0]))
loss.backward()
print(w.grad)
# Output:
# tensor([[0., 0.]])
# endregion

# region softmax_over_batch
import torch

logits = torch.zeros(4, 2)
for dim in (0, 1):
    print(logits.softmax(dim=dim)[0])
# Output:
# tensor([0.2500, 0.2500])
# tensor([0.5000, 0.5000])
# endregion

# region loss_flag
import torch

w = torch.tensor([2.0], requires_grad=True)
loss = (w.detach() * 3).sum()
loss.requires_grad_()
loss.backward()
print(w.grad, loss.grad)
# Output:
# None tensor(1.)
# endregion

# region train_is_method
from torch import nn

model = nn.Dropout(0.5)
model.eval()
print(type(model.train).__name__, model.training)
# Output:
# method False
# endregion

# region dropout_in_forward
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return nn.Dropout(p=1.0)(x)

print(Net().eval()(torch.ones(3)))
# Output:
# tensor([0., 0., 0.])
# endregion

# region copied_model
import copy
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
twin = copy.deepcopy(w)
(2 * twin).sum().backward()
optimizer.step()
print(w.item(), twin.item())
# Output:
# 1.0 1.0
# endregion

# region nan_stays
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
for x in (1.0, float("nan"), 1.0):
    optimizer.zero_grad()
    (x * w).sum().backward()
    optimizer.step()
    print(w.item())
# Output:
# 0.5
# nan
# nan
# endregion

# region used_up_iterator
from torch.utils.data import DataLoader

batches = iter(DataLoader(range(6), batch_size=2))
for epoch in range(2):
    print(sum(1 for batch in batches))
# Output:
# 3
# 0
# endregion

# region proof_targets
import torch
import torch.nn.functional as F

for t, message in (
    (torch.zeros(3, 1, dtype=torch.int64), "multi-target"),
    (torch.tensor([0, 1, -1]), "Target -1"),
    (torch.tensor([0, 1, 5]), "Target 5"),
):
    try:
        F.cross_entropy(torch.zeros(3, 5), t)
        raise AssertionError
    except (RuntimeError, IndexError) as error:
        assert message in str(error)
F.cross_entropy(torch.zeros(3, 5), torch.full((3, 5), 0.2))
F.cross_entropy(torch.zeros(3, 5), torch.tensor([0, 4, -100]))
F.cross_entropy(torch.zeros(3, 3), torch.tensor([1, 2, 3]) - 1)
# endregion

# region proof_one_logit
import torch
import torch.nn.functional as F

x = torch.tensor([[7.0], [-3.0]])
assert x.softmax(1).tolist() == [[1.0], [1.0]]
try:
    F.cross_entropy(x, torch.tensor([0, 1]))
    raise AssertionError
except IndexError:
    pass
two = x.flatten().requires_grad_()
loss = F.binary_cross_entropy_with_logits(two, torch.tensor([0.0, 1]))
loss.backward()
assert loss > 1 and (two.grad != 0).all()
# endregion

# region proof_tensors_to_init
import torch
from torch import nn

for make in (nn.MSELoss, nn.CrossEntropyLoss):
    try:
        make(torch.zeros(2, 3), torch.tensor([0, 1]))
        raise AssertionError
    except RuntimeError as error:
        assert "Boolean value of Tensor with more than one" in str(error)
# endregion

# region proof_bce
import torch
import torch.nn.functional as F

one = torch.ones(1)
for p in (-0.1, 1.1):
    try:
        F.binary_cross_entropy(one * p, one)
        raise AssertionError
    except RuntimeError as error:
        assert "between 0 and 1" in str(error)
for p in (0.0, 1.0):
    F.binary_cross_entropy(one * p, one)
x, y = torch.zeros(2, 1), torch.zeros(2)
for f in (F.binary_cross_entropy_with_logits, F.binary_cross_entropy):
    f(x + 0.5, y[:, None])
    try:
        f(x + 0.5, y)
        raise AssertionError
    except ValueError:
        pass
assert F.mse_loss(x, y).item() == 0
# endregion

# region proof_sigmoid_range
import torch

p = torch.linspace(0, 1, 101).sigmoid()
assert p.min() == 0.5 and (p < 0.74).all()
# endregion

# region proof_relu
import torch
import torch.nn.functional as F

w = torch.tensor([[-2.0, -1.0]], requires_grad=True)
F.cross_entropy(w, torch.tensor([0])).backward()
assert (w.grad != 0).all()
# endregion

# region proof_softmax_dims
import torch

x = torch.randn(5, 3)
assert torch.allclose(x.softmax(dim=0).sum(dim=0), torch.ones(3))
assert torch.allclose(x.softmax(dim=1).sum(dim=1), torch.ones(5))
# endregion

# region proof_flag
import torch

w = torch.tensor([2.0], requires_grad=True)
loss = (w.detach() * 3).sum()
assert loss.is_leaf and not loss.requires_grad
try:
    loss.backward()
    raise AssertionError
except RuntimeError as error:
    assert "does not require grad" in str(error)
loss.requires_grad_()
assert loss.is_leaf and loss.grad_fn is None
loss.backward()
assert loss.grad.item() == 1 and w.grad is None
# endregion

# region proof_modes
import torch
from torch import nn

net = nn.Dropout(0.5)
assert callable(net.train) and net.training
net.eval()
assert callable(net.train) and not net.training
net.eval
assert not net.training
net.train()
net.eval
assert net.training
class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(1.0)
    def forward(self, x):
        return self.drop(x)
assert Own().eval()(torch.ones(3)).tolist() == [1, 1, 1]
assert nn.Dropout(0.5).training
# endregion

# region proof_copied_model
import copy
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
twin = copy.deepcopy(model)
held = optimizer.param_groups[0]["params"]
assert all(any(p is q for q in held) for p in model.parameters())
assert not any(p is q for p in twin.parameters() for q in held)
# endregion

# region proof_nan
import torch

for x in (1.0, 0.0, 5.0):
    w = torch.tensor([float("nan")], requires_grad=True)
    (x * w).sum().backward()
    torch.optim.SGD([w], lr=0.5).step()
    assert w.isnan().all()
# endregion

# region proof_iterators
from torch.utils.data import DataLoader

loader = DataLoader(range(6), batch_size=2)
assert [sum(1 for _ in loader) for _ in range(2)] == [3, 3]
assert iter(loader) is not iter(loader)
for batch in loader:
    assert batch.tolist() == [0, 1]
    break
assert next(iter(loader)).tolist() == [0, 1]
# endregion

# region proof_kept_losses
import torch
from torch.autograd.graph import saved_tensors_hooks

held = []
class Kept:
    def __init__(self, tensor):
        self.tensor = tensor
        held.append(1)
    def __del__(self):
        held.pop()
w, counts = torch.ones(2, requires_grad=True), []
with saved_tensors_hooks(Kept, lambda kept: kept.tensor):
    losses = []
    for _ in range(3):
        losses.append((w * w).sum())
        counts.append(len(held))
    losses = []
    counts.append(len(held))
    for _ in range(3):
        losses.append((w * w).sum().item())
        counts.append(len(held))
    for _ in range(3):
        losses.append((w * w).sum().detach())
        counts.append(len(held))
    with torch.no_grad():
        losses.append((w * w).sum())
        counts.append(len(held))
assert counts == [2, 4, 6, 0] + [0] * 7, counts
# endregion

# region proof_name_taken
import torch
from torch import nn

loss, done = nn.MSELoss(), 0
try:
    for batch in torch.ones(3, 2):
        loss = loss(batch, batch)
        done += 1
    raise AssertionError
except TypeError as error:
    assert done == 1 and "not callable" in str(error)
# endregion

# region proof_losses_broadcast
import warnings
import torch
import torch.nn.functional as F

x, y = torch.zeros(2, 1), torch.zeros(2)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    pairs = F.mse_loss(x, y, reduction="none")
assert pairs.shape == (2, 2)
assert any("size" in str(one.message) for one in told)
# endregion

# region proof_flags_of_a_loss
import inspect
import torch
from torch import nn

names = [*inspect.signature(nn.MSELoss).parameters]
assert names[:2] == ["size_average", "reduce"]
try:
    bool(torch.zeros(2))
    raise AssertionError
except RuntimeError:
    pass
# endregion
