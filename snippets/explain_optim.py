"""Optimizers explained: proofs of what the cards say about error messages and choices."""

# region proof_errors
import inspect
import torch
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import OneCycleLR, ReduceLROnPlateau, StepLR


def says(message, call, *args, **kwargs):
    """Checks that the call raises an error with this message."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        assert message in str(error), error
        return type(error)
    raise SystemExit("no error")


class Net(nn.Module):
    def __init__(self, container):
        super().__init__()
        self.layers = container([nn.Linear(1, 1) for _ in range(3)])


says("optimizer got an empty parameter list", SGD, Net(list).parameters(), lr=0.1)
SGD(Net(nn.ModuleList).parameters(), lr=0.1)

w = torch.randn(3, requires_grad=True) * 0.1
says("can't optimize a non-leaf Tensor", SGD, [w], lr=0.1)
assert not w.is_leaf
w = (torch.randn(3) * 0.1).requires_grad_()
optimizer = SGD([w], lr=0.1, momentum=0.9)

scheduler = OneCycleLR(optimizer, max_lr=0.1, total_steps=5)
for _ in range(5):
    optimizer.step()
    scheduler.step()
message = "Tried to step 6 times. The specified number of total steps is 5"
says(message, scheduler.step)

optimizer = SGD([w], lr=0.1)
message = "param 'initial_lr' is not specified in param_groups[0]"
says(message, StepLR, optimizer, 30, last_epoch=9)
before = StepLR(SGD([w], lr=0.1), 30)
for _ in range(10):
    before.optimizer.step()
    before.step()
after = StepLR(optimizer, 30)
after.load_state_dict(before.state_dict())
assert after.last_epoch == 10

scheduler = ReduceLROnPlateau(optimizer)
message = "ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'"
says(message, scheduler.step)
scheduler.step(0.5)

scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
for part in range(2):
    scaler.scale(w.sum()).backward()
    if part == 0:
        scaler.unscale_(optimizer)
message = "unscale_() has already been called on this optimizer since the last update()."
says(message, scaler.unscale_, optimizer)
optimizer.zero_grad()
scaler.update()
for _ in range(2):
    scaler.scale(w.sum() / 2).backward()
scaler.unscale_(optimizer)
assert w.grad.tolist() == [1, 1, 1]

optimizer = SGD([w], lr=0.1)
other = torch.ones(1, requires_grad=True)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(other.sum()).backward()
w.grad = None
says("No inf checks were recorded for this optimizer.", scaler.step, optimizer)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(other.sum() + w[:1].sum()).backward()
scaler.step(optimizer)

state = SGD(nn.Linear(1, 1).parameters(), lr=0.1).state_dict()
larger = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
message = "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
says(message, SGD(larger.parameters(), lr=0.1).load_state_dict, state)
print("errors as told")
# endregion

# region proof_choices
import torch
from torch import nn
from torch.optim import SGD, Adagrad, Adam, AdamW, RMSprop


def moved(kind, decay):
    w = torch.ones(2, requires_grad=True)
    optimizer = kind([w], lr=0.01, weight_decay=decay)
    for step in range(20):  # a small and a large gradient
        w.grad = torch.tensor([1.0, 100.0]) * (-1) ** step
        optimizer.step()
    return w.detach()


little, much = (moved(Adam, 0.0) - moved(Adam, 0.1)).flip(0)
assert 0 < little < 0.001 < 0.01 < much  # the large gradient hardly decays
first, second = moved(AdamW, 0.1)
assert torch.allclose(moved(AdamW, 0.0) - moved(AdamW, 0.1), torch.tensor(0.02), atol=1e-3)

steps = {}
for kind in (Adagrad, RMSprop):
    w = torch.zeros(1, requires_grad=True)
    optimizer = kind([w], lr=0.01)
    told = [0.0]
    for _ in range(1000):
        w.grad = torch.ones(1)
        optimizer.step()
        told.append(w.item())
    steps[kind] = told[-2] - told[-1]
assert steps[Adagrad] < 0.01 / 30  # 0.01 / sqrt(1000)
assert abs(steps[RMSprop] - 0.01) < 1e-4

model, x = nn.Linear(2, 1), torch.ones(1, 2)
with torch.autocast("cpu", dtype=torch.bfloat16):
    model(x).sum().backward()
optimizer = Adam(model.parameters())
optimizer.step()
assert model.weight.dtype is model.weight.grad.dtype is torch.float32
assert optimizer.state[model.weight]["exp_avg"].dtype is torch.float32
model = nn.Linear(2, 1).bfloat16()
model(x.bfloat16()).sum().backward()
optimizer = Adam(model.parameters())
optimizer.step()
assert model.weight.dtype is model.weight.grad.dtype is torch.bfloat16
assert optimizer.state[model.weight]["exp_avg"].dtype is torch.bfloat16

model, x, y = nn.Linear(3, 1), torch.randn(32, 3), torch.randn(32, 1)
nn.MSELoss()(model(x), y).backward()
whole = model.weight.grad.clone()
model.zero_grad()
for part, target in zip(x.split(8), y.split(8)):
    (nn.MSELoss()(model(part), target) / 4).backward()
assert torch.allclose(model.weight.grad, whole, atol=1e-6)

ways = {}
for kind in (SGD, Adam):
    for factor in (1, 10):
        w = torch.tensor([1.0, -2.0], requires_grad=True)
        optimizer = kind([w], lr=0.01)
        for _ in range(5):
            optimizer.zero_grad()
            (factor * w.square().sum()).backward()
            optimizer.step()
        ways[kind, factor] = w.detach()
assert torch.allclose(ways[Adam, 1], ways[Adam, 10])
assert not torch.allclose(ways[SGD, 1], ways[SGD, 10], atol=0.1)
print("choices as told")
# endregion
