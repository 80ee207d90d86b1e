"""The training loop: the order of its calls, and what it counts."""

# region cleared_too_late
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
(2 * w).sum().backward()
optimizer.zero_grad()
optimizer.step()
print(w.item())
# Output:
# 1.0
# endregion

# region one_batch_late
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
for x in (3.0, 5.0):
    loss = (x * w).sum()
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
print(w.item())
# Output:
# -3.0
# endregion

# region no_backward
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
for _ in range(3):
    optimizer.zero_grad()
    loss = (2 * w).sum()
    optimizer.step()
print(w.item(), w.grad)
# Output:
# 1.0 None
# endregion

# region after_the_loop
import torch

w = torch.tensor([1.0], requires_grad=True)
for x in (1.0, 10.0):
    loss = (x * w).sum()
loss.backward()
print(w.grad)
# Output:
# tensor([10.])
# endregion

# region optimizer_in_loop
import torch

w = torch.tensor([0.0], requires_grad=True)
for _ in range(2):
    optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5)
    w.grad = torch.tensor([1.0])
    optimizer.step()
print(w.item())
# Output:
# -2.0
# endregion

# region loss_is_old
import torch

w = torch.tensor(4.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
loss = w**2
loss.backward()
optimizer.step()
print(w.item(), loss.item())
# Output:
# 0.0 16.0
# endregion

# region item_of_many
import torch
import torch.nn.functional as F

x, y = torch.ones(2), torch.zeros(2)
loss = F.mse_loss(x, y, reduction="none")
for value in (loss.mean(), loss):
    try:
        print(value.item())
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# 1.0
# RuntimeError
# endregion

# region float_loss
import torch

w = torch.tensor(4.0, requires_grad=True)
for loss in (w**2, (w**2).item()):
    try:
        loss.backward()
        print(w.grad)
    except AttributeError as error:
        print(type(error).__name__)
# Output:
# tensor(8.)
# AttributeError
# endregion

# region steps_of_an_epoch
from torch.utils.data import DataLoader

loader = DataLoader(range(10), batch_size=4)
step = 0
for epoch in range(2):
    for batch in loader:
        step += 1
print(len(loader), step)
# Output:
# 3 6
# endregion

# region mode_stays
import torch
from torch import nn

model = nn.Dropout(p=1.0)
for epoch in range(3):
    print(model(torch.ones(2)))  # the training
    model.eval()  # for the validation
# Output:
# tensor([0., 0.])
# tensor([1., 1.])
# tensor([1., 1.])
# endregion

# region proof_silent
import warnings
import torch

with warnings.catch_warnings():
    warnings.simplefilter("error")
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5)
    optimizer.step()
    (2 * w).sum().backward()
    optimizer.zero_grad()
    optimizer.step()
    assert w.item() == 1
    optimizer.step
    (2 * w).sum().backward()
    optimizer.step()
    assert w.item() == 0
# endregion

# region proof_orders
import itertools
import torch

found = {}
for order in itertools.permutations("zbs"):
    w = torch.tensor([0.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1.0)
    places = []
    for x in (1.0, 10.0, 100.0):
        loss = (x * w).sum()
        for call in order:
            if call == "z":
                optimizer.zero_grad()
            elif call == "b":
                loss.backward()
            else:
                optimizer.step()
        places.append(w.item())
    found["".join(order)] = places
own = [-1.0, -11.0, -111.0]
assert found["zbs"] == found["bsz"] == own
assert found["zsb"] == found["bzs"] == [0.0, 0.0, 0.0]
assert found["szb"] == [0.0, -1.0, -11.0]
assert found["sbz"] == [0.0, 0.0, 0.0]
# endregion

# region proof_one_optimizer
import torch

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5)
assert len(optimizer.state) == 0
for _ in range(2):
    w.grad = torch.tensor([1.0])
    optimizer.step()
assert w.item() == -2.5
# endregion

# region proof_losses_of_an_epoch
import torch

w = torch.tensor(4.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.25)
losses = []
for _ in range(2):
    optimizer.zero_grad()
    loss = w**2
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
assert losses == [16.0, 4.0] and (w**2).item() == 1.0
# endregion

# region proof_loss_is_a_tensor
import torch

w = torch.tensor(4.0, requires_grad=True)
loss = w**2
loss.backward()
assert w.grad.item() == 8 and loss.grad_fn is not None
with torch.no_grad():
    w -= 4
assert loss.item() == 16 and (w**2).item() == 0
# endregion

# region proof_item_is_a_float
import torch

w = torch.tensor(4.0, requires_grad=True)
loss = (w**2).item()
assert type(loss) is float and not hasattr(loss, "backward")
# endregion

# region proof_zero_grad_places
import torch

ends = []
for at_the_end in (False, True):
    w = torch.tensor([0.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1.0)
    for x in (3.0, 5.0):
        if not at_the_end:
            optimizer.zero_grad()
        (x * w).sum().backward()
        optimizer.step()
        if at_the_end:
            optimizer.zero_grad()
    ends.append(w.item())
assert ends == [-8.0, -8.0]
# endregion
