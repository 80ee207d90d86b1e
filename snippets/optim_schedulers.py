"""Schedulers: which learning rate when, and in which order to step."""

# region first_value
import torch
from torch.optim.lr_scheduler import LambdaLR

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=8.0)
LambdaLR(optimizer, lambda epoch: (epoch + 1) / 4)
print(optimizer.param_groups[0]["lr"])  # prints 2.0
# endregion

# region lambda_and_multiplicative
import torch
from torch.optim import SGD, lr_scheduler

w = torch.ones(1, requires_grad=True)
for name in ("LambdaLR", "MultiplicativeLR"):
    optimizer = SGD([w], lr=1.0)
    make = getattr(lr_scheduler, name)
    scheduler = make(optimizer, lambda epoch: 0.5)
    optimizer.step()
    scheduler.step()
    scheduler.step()
    print(name, scheduler.get_last_lr())
# Output:
# LambdaLR [0.5]
# MultiplicativeLR [0.25]
# endregion

# region constant
import torch
from torch.optim.lr_scheduler import ConstantLR

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = ConstantLR(optimizer, factor=0.5, total_iters=2)
for _ in range(4):
    print(scheduler.get_last_lr())
    optimizer.step()
    scheduler.step()
# Output:
# [0.5]
# [0.5]
# [1.0]
# [1.0]
# endregion

# region cosine_comes_back
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = CosineAnnealingLR(optimizer, T_max=2)
for _ in range(5):
    print(round(scheduler.get_last_lr()[0], 2))
    optimizer.step()
    scheduler.step()
# Output:
# 1.0
# 0.5
# 0.0
# 0.5
# 1.0
# endregion

# region sequential
import torch
from torch.optim import SGD, lr_scheduler as lrs

sgd = SGD([torch.ones(1)], lr=1.0)
warm = lrs.LinearLR(sgd, start_factor=0.5, total_iters=2)
decay = lrs.ExponentialLR(sgd, gamma=0.5)
both = lrs.SequentialLR(sgd, [warm, decay], milestones=[2])
for _ in range(4):
    print(both.get_last_lr())
    sgd.step()
    both.step()
# Output:
# [0.5]
# [0.75]
# [1.0]
# [0.5]
# endregion

# region side_by_side
import torch
from torch.optim import SGD, lr_scheduler as lrs

w = torch.ones(1, requires_grad=True)
optimizer = SGD([w], lr=1.0)
first = lrs.ExponentialLR(optimizer, gamma=0.5)
second = lrs.StepLR(optimizer, step_size=2, gamma=0.5)
for _ in range(2):
    optimizer.step()
    first.step()
    second.step()
print(optimizer.param_groups[0]["lr"])  # prints 0.125
# endregion

# region set_by_hand
import torch
from torch.optim import SGD, lr_scheduler as lrs

w = torch.ones(1, requires_grad=True)
for make, arg in ((lrs.ExponentialLR, 0.5),
                  (lrs.LambdaLR, lambda n: 0.5 ** n)):
    optimizer = SGD([w], lr=1.0)
    scheduler = make(optimizer, arg)
    optimizer.step()
    optimizer.param_groups[0]["lr"] = 8.0
    scheduler.step()
    print(make.__name__, scheduler.get_last_lr())
# Output:
# ExponentialLR [4.0]
# LambdaLR [0.5]
# endregion

# region get_lr
import torch
from torch.optim.lr_scheduler import ExponentialLR

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = ExponentialLR(optimizer, gamma=0.5)
optimizer.step()
scheduler.step()
print(scheduler.get_last_lr(), scheduler.get_lr())
# Output:
# [0.5] [0.25]
# endregion

# region groups_keep_ratio
import torch
from torch.optim.lr_scheduler import StepLR

a, b = torch.ones(1), torch.ones(1)
optimizer = torch.optim.SGD(
    [{"params": [a], "lr": 8.0}, {"params": [b]}], lr=1.0
)
scheduler = StepLR(optimizer, step_size=1, gamma=0.5)
optimizer.step()
scheduler.step()
print(scheduler.get_last_lr())  # prints [4.0, 0.5]
# endregion

# region plateau_patience
import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = ReduceLROnPlateau(
    optimizer, patience=1, factor=0.5
)
for loss in (3.0, 3.0, 3.0, 3.0):
    scheduler.step(loss)
    print(optimizer.param_groups[0]["lr"])
# Output:
# 1.0
# 1.0
# 0.5
# 0.5
# endregion

# region plateau_mode
import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = ReduceLROnPlateau(
    optimizer, patience=0, factor=0.5
)
for accuracy in (0.5, 0.7, 0.9):
    scheduler.step(accuracy)
print(optimizer.param_groups[0]["lr"])  # prints 0.25
# endregion

# region one_cycle_start
import torch
from torch.optim.lr_scheduler import OneCycleLR

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=8.0)
OneCycleLR(
    optimizer, max_lr=5.0, total_steps=100, div_factor=10
)
print(optimizer.param_groups[0]["lr"])  # prints 0.5
# endregion

# region proof_order
import torch, warnings
from torch.optim.lr_scheduler import ExponentialLR
w = torch.tensor([0.0], requires_grad=True)
w.grad = torch.tensor([1.0])
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = ExponentialLR(optimizer, 0.5)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    scheduler.step()
assert "before `optimizer.step()`" in str(caught[0])
optimizer.step()
assert w.item() == -0.5  # the rate 1.0 was never used
# endregion

# region proof_calls_count
import torch
from torch.optim.lr_scheduler import StepLR

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = StepLR(optimizer, step_size=30)
for _ in range(60):  # batches of the first epoch
    optimizer.step()
    scheduler.step()
assert abs(scheduler.get_last_lr()[0] - 0.01) < 1e-9
# endregion

# region proof_one_cycle_momentum
import torch
from torch.optim.lr_scheduler import OneCycleLR

w = torch.ones(1, requires_grad=True)
for options, momentum in (({}, 0.95), ({"cycle_momentum": False}, 0)):
    optimizer = torch.optim.SGD([w], lr=8.0)
    cycle = OneCycleLR(optimizer, max_lr=5.0, total_steps=100, **options)
    group = optimizer.param_groups[0]
    assert group["momentum"] == momentum
    optimizer.step(), cycle.step()
    assert (group["momentum"] != momentum) == (momentum > 0)
adam = torch.optim.Adam([w])
OneCycleLR(adam, max_lr=5.0, total_steps=100)
assert adam.param_groups[0]["betas"] == (0.95, 0.999)
# endregion

# region proof_chained
import torch
from torch.optim import SGD, lr_scheduler as lrs

w = torch.ones(1, requires_grad=True)
optimizer = SGD([w], lr=1.0)
first = lrs.ExponentialLR(optimizer, 0.5)
both = lrs.ChainedScheduler([first, lrs.StepLR(optimizer, 1, 0.5)])
optimizer.step()
both.step()
assert both.get_last_lr() == [0.25]
# endregion

# region proof_shapes
import torch
from torch.optim import SGD, lr_scheduler as lrs

def rates(make, *args, **options):
    optimizer, seen = SGD([torch.ones(1)], lr=1.0), []
    scheduler = make(optimizer, *args, **options)
    for _ in range(5):
        seen.append(round(scheduler.get_last_lr()[0], 9))
        optimizer.step(), scheduler.step()
    return seen
assert rates(lrs.MultiStepLR, [1, 3], 0.5) == [1, 0.5, 0.5, 0.25, 0.25]
assert rates(lrs.CosineAnnealingWarmRestarts, 2) == [1, 0.5, 1, 0.5, 1]
# endregion
