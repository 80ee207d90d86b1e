"""Reproducibility: seeds, generators, and deterministic algorithms."""

# region layer_before
import torch
from torch import nn

torch.manual_seed(0)
one = nn.Linear(2, 2)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
print([torch.equal(one.weight, m.weight) for m in model])
# Output:
# [True, False]
# endregion

# region own_generator
import torch

g = torch.Generator().manual_seed(1)
torch.manual_seed(0)
a = torch.rand(3)
torch.manual_seed(0)
torch.rand(5, generator=g)
print(torch.equal(a, torch.rand(3)))
# Output:
# True
# endregion

# region python_random
import random
import torch

torch.manual_seed(0)
a = random.random()
torch.manual_seed(0)
print(a == random.random())
# Output:
# False
# endregion

# region initial_seed
import torch

torch.manual_seed(7)
x = torch.rand(1000)
print(torch.initial_seed())
# Output:
# 7
# endregion

# region save_state
import torch

torch.manual_seed(0)
state = torch.get_rng_state()
a, b = torch.rand(3), torch.rand(3)
torch.set_rng_state(state)
c = torch.rand(3)
print(torch.equal(a, c), torch.equal(b, c))
# Output:
# True False
# endregion

# region fork
import torch

torch.manual_seed(0)
a = torch.rand(3)
torch.manual_seed(0)
with torch.random.fork_rng():
    torch.manual_seed(5)
    torch.rand(100)
print(torch.equal(a, torch.rand(3)))
# Output:
# True
# endregion

# region resume_with_seed
import torch

torch.manual_seed(0)
first = torch.randperm(100)
second = torch.randperm(100)
torch.manual_seed(0)
again = torch.randperm(100)
print(torch.equal(again, first), torch.equal(again, second))
# Output:
# True False
# endregion

# region loader_epochs
import torch
from torch.utils.data import DataLoader

g = torch.Generator().manual_seed(0)
loader = DataLoader(range(100), shuffle=True, generator=g)
first, second = torch.cat([*loader]), torch.cat([*loader])
g.manual_seed(0)
third = torch.cat([*loader])
print(torch.equal(first, second), torch.equal(first, third))
# Output:
# False True
# endregion

# region loader_draws
import torch
from torch.utils.data import DataLoader

torch.manual_seed(0)
a = torch.rand(3)
torch.manual_seed(0)
for batch in DataLoader(range(2)):
    pass
print(torch.equal(a, torch.rand(3)))
# Output:
# False
# endregion

# region put_raises
import torch

index, x = torch.tensor([0, 0]), torch.tensor([1.0, 2.0])
torch.use_deterministic_algorithms(True)
for accumulate in (True, False):
    try:
        torch.zeros(2).put_(index, x, accumulate)
        print("fine")
    except RuntimeError:
        print("error")
torch.use_deterministic_algorithms(False)
# Output:
# fine
# error
# endregion

# region empty_is_filled
import torch

torch.use_deterministic_algorithms(True)
x = torch.empty(2)
torch.use_deterministic_algorithms(False)
print(x.isnan().all().item())
# Output:
# True
# endregion

# region warn_only
import torch

index, x = torch.tensor([0]), torch.zeros(2)
torch.use_deterministic_algorithms(True, warn_only=True)
x.put_(index, torch.tensor([5.0]))
torch.use_deterministic_algorithms(False)
print(x)
# Output:
# tensor([5., 0.])
# endregion

# region order_of_sum
import torch

big, one = torch.tensor(1e8), torch.tensor(1.0)
print((big + one) - big, (big - big) + one)
# Output:
# tensor(0.) tensor(1.)
# endregion

# region proof_seeds
import random
import torch

random.seed(0)
a = random.random()
random.seed(0)
assert a == random.random()
g = torch.Generator()
h = torch.Generator()
h.seed()
a, b = torch.rand(3, generator=g), torch.rand(3, generator=h)
assert not torch.equal(a, b)
torch.manual_seed(3)
assert torch.initial_seed() == 3
torch.rand(9)
assert torch.initial_seed() == 3
# endregion

# region proof_dropout
import inspect
import torch
from torch import nn

layer, x = nn.Dropout(), torch.ones(100)
masks = []
for seed in (0, 0, 1):
    torch.manual_seed(seed)
    masks.append(layer(x))
assert torch.equal(masks[0], masks[1])
assert not torch.equal(masks[0], masks[2])
names = [*inspect.signature(nn.Dropout).parameters]
names += [*inspect.signature(nn.Dropout.forward).parameters]
assert "generator" not in names
# endregion

# region proof_states
import random
import numpy as np
import torch

torch.manual_seed(0)
state = torch.get_rng_state()
assert state.dtype == torch.uint8
torch.rand(7)
after = torch.get_rng_state()
assert not torch.equal(state, after)
a = torch.rand(3)
torch.set_rng_state(after)
assert torch.equal(a, torch.rand(3))
with torch.random.fork_rng(devices=[]):
    before = torch.get_rng_state()
    torch.rand(3)
assert torch.equal(before, torch.get_rng_state())
with torch.random.fork_rng(devices=[], enabled=False):
    torch.rand(3)
assert not torch.equal(before, torch.get_rng_state())
random.seed(0)
a = random.random()
random.seed(0)
with torch.random.fork_rng(devices=[]):
    b = random.random()
assert a == b and random.random() != a
np.random.seed(0)
a = np.random.rand()
np.random.seed(0)
with torch.random.fork_rng(devices=[]):
    np.random.rand()
assert np.random.rand() != a
# endregion

# region proof_loader_generator
import torch
from torch.utils.data import DataLoader

g = torch.Generator().manual_seed(0)
loader = DataLoader(range(2), generator=g)
torch.manual_seed(0)
state, own = torch.get_rng_state(), g.get_state()
iter(loader)
assert torch.equal(state, torch.get_rng_state())
assert not torch.equal(own, g.get_state())
own = g.get_state()
iter(loader)
assert not torch.equal(own, g.get_state())
iter(DataLoader(range(2)))
assert not torch.equal(state, torch.get_rng_state())
# endregion

# region proof_worker_seeds
import torch
from torch.utils.data import DataLoader, Dataset

class Seeds(Dataset):
    def __len__(self):
        return 2
    def __getitem__(self, i):
        return torch.utils.data.get_worker_info().id, torch.initial_seed()

def read(loader):
    return dict([(int(i), int(s)) for i, s in loader])

g = torch.Generator().manual_seed(0)
kwargs = {"num_workers": 2, "batch_size": None, "generator": g}
loader = DataLoader(Seeds(), multiprocessing_context="fork", **kwargs)
one = read(loader)
two = read(loader)
assert one[1] == one[0] + 1 and two[1] == two[0] + 1
assert one[0] != two[0]
g.manual_seed(0)
assert read(loader) == one
loader = DataLoader(
    Seeds(), multiprocessing_context="fork", persistent_workers=True, **kwargs
)
assert read(loader) == read(loader)
# endregion

# region proof_deterministic
import warnings
import torch

index, x = torch.tensor([0]), torch.zeros(2)
assert not torch.are_deterministic_algorithms_enabled()
torch.use_deterministic_algorithms(True, warn_only=True)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    x.put_(index, torch.tensor([5.0]))
assert len(told) == 1 and x[0] == 5
torch.use_deterministic_algorithms(True)
assert torch.empty(9).isnan().all()
torch.use_deterministic_algorithms(False)
assert torch.tensor(1e8) + 1 == torch.tensor(1e8)
# endregion

# region proof_put
import torch

index, x = torch.tensor([0]), torch.tensor([1.0])
torch.use_deterministic_algorithms(True)
try:
    torch.zeros(2).put_(index, x)
    raise AssertionError
except RuntimeError:
    pass
y = torch.zeros(2).put_(torch.tensor([0, 0]), x.repeat(2), True)
torch.use_deterministic_algorithms(False)
assert y.tolist() == [2.0, 0.0]
# endregion
