"""What the pictures of the optim deck show, as code."""

# region proof_rates
import torch
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import ChainedScheduler, ConstantLR, CyclicLR
from torch.optim.lr_scheduler import CosineAnnealingLR, CosineAnnealingWarmRestarts
from torch.optim.lr_scheduler import ExponentialLR, LinearLR, MultiStepLR
from torch.optim.lr_scheduler import OneCycleLR, PolynomialLR, SequentialLR, StepLR


def rates(make):
    """The learning rate of the steps 0 to 100."""
    optimizer = SGD([nn.Parameter(torch.zeros(1))], lr=1.0, momentum=0.9)
    scheduler, found = make(optimizer), []
    for _ in range(101):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


stair = rates(lambda o: StepLR(o, 25, gamma=0.5))
assert [stair[i] for i in (0, 24, 25, 50, 75)] == [1, 1, 0.5, 0.25, 0.125]
two = rates(lambda o: MultiStepLR(o, [25, 50], gamma=0.5))
assert two[50] == two[100] == 0.25
far = rates(lambda o: MultiStepLR(o, [60, 85], gamma=0.4))
assert far[59] == 1 and far[60] == 0.4 and abs(far[85] - 0.16) < 1e-9
low = rates(lambda o: ConstantLR(o, factor=0.4, total_iters=60))
assert low[0] == 0.4 and low[60] == 1
wave = rates(lambda o: CosineAnnealingLR(o, T_max=100))
falls = [a - b for a, b in zip(wave, wave[1:])]
assert abs(wave[100]) < 1e-9 and max(falls) == max(falls[40:60])
again = rates(lambda o: CosineAnnealingWarmRestarts(o, 15, 2))
assert [i for i, rate in enumerate(again) if rate == 1] == [0, 15, 45]
cycle = rates(lambda o: OneCycleLR(o, 1.0, total_steps=102))
assert 0.25 < cycle.index(max(cycle)) / 102 < 0.31
assert abs(cycle[0] - 0.04) < 1e-9 and cycle[100] < cycle[0] / 4


def after(optimizer):
    """A straight line up, and then half a wave down."""
    parts = LinearLR(optimizer, 0.1, total_iters=20), CosineAnnealingLR(optimizer, 80)
    return SequentialLR(optimizer, list(parts), milestones=[20])


def together(optimizer):
    """Both at every step."""
    parts = LinearLR(optimizer, 0.1, total_iters=20), CosineAnnealingLR(optimizer, 80)
    return ChainedScheduler(list(parts))


ramp, product = rates(after), rates(together)
assert ramp[0] == 0.1 and abs(ramp[20] - 1) < 1e-6 and ramp[100] < 1e-3
assert abs(ramp[10] - 0.55) < 1e-6 and product[20] < 0.9
power = rates(lambda o: ExponentialLR(o, gamma=0.96))
assert all(abs(b / a - 0.96) < 1e-9 for a, b in zip(power, power[1:]))
assert power[0] - power[1] == max(a - b for a, b in zip(power, power[1:]))
zigzag = rates(lambda o: CyclicLR(o, 0.2, 1.0, step_size_up=25))
for step, rate in ((0, 0.2), (25, 1), (50, 0.2), (75, 1), (100, 0.2)):
    assert abs(zigzag[step] - rate) < 1e-9
parabola = rates(lambda o: PolynomialLR(o, total_iters=100, power=2.0))
assert all(abs(r - (1 - i / 100) ** 2) < 1e-9 for i, r in enumerate(parabola))
straight = rates(lambda o: PolynomialLR(o, total_iters=100, power=1.0))
assert abs(straight[50] - 0.5) < 1e-9 and abs(wave[50] - 0.5) < 1e-9
once = rates(lambda o: LinearLR(o, 0.2, 1.0, total_iters=25))
assert once[25:] == [1] * 76 or max(abs(r - 1) for r in once[25:]) < 1e-9
jumps = rates(lambda o: CosineAnnealingWarmRestarts(o, T_0=50))
assert sum(b > a for a, b in zip(jumps, jumps[1:])) == 2  # in one step each
print("learning rates as drawn")
# endregion

# region proof_reactions
import torch
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import ReduceLROnPlateau

optimizer = SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=20)
seen = []
for step in range(101):
    seen.append(optimizer.param_groups[0]["lr"])
    scheduler.step(max(0.8 - step * 0.015, 0.2))
assert seen[40] == 1 and set(seen) == {1, 0.5, 0.25}
assert 60 <= seen.index(0.5) <= 62 and seen.index(0.25) - seen.index(0.5) == 21

weight = nn.Parameter(torch.zeros(1, dtype=torch.float64))
optimizer, before = SGD([weight], lr=1.0, momentum=0.9), 0.0
lengths = []
for _ in range(200):
    weight.grad = torch.ones_like(weight)
    optimizer.step()
    lengths.append(before - weight.item())
    before = weight.item()
assert abs(lengths[2] - (1 + 0.9 + 0.81)) < 1e-9
assert lengths == sorted(lengths) and abs(lengths[-1] - 10) < 1e-6
print("reactions as drawn")
# endregion
