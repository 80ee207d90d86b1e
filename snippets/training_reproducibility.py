"""Reproducibility: seeds, generators, and deterministic algorithms."""

# region save_state
import torch

state = torch.get_rng_state()
numbers = set()
for _ in range(5):
    torch.set_rng_state(state)
    numbers.add(torch.rand(1).item())
print(len(numbers))
# Output:
# 1
# endregion

# region put_raises
import torch

index, x = torch.tensor([0, 0]), torch.tensor([1.0, 2.0])
torch.use_deterministic_algorithms(True)
for add in (True, False):
    try:
        print(torch.zeros(2).put_(index, x, accumulate=add))
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# tensor([3., 0.])
# RuntimeError
torch.use_deterministic_algorithms(False)
# endregion

# region empty_is_filled
import torch

torch.use_deterministic_algorithms(True)
x = torch.empty(2)
torch.use_deterministic_algorithms(False)
print(x)
# Output:
# tensor([nan, nan])
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
import torch

def epoch():
    return torch.randperm(100), torch.nn.functional.dropout(torch.ones(100))
torch.manual_seed(0)
first, second = epoch(), epoch()
torch.manual_seed(0)
again = epoch()
assert all(map(torch.equal, again, first))
assert not any(map(torch.equal, again, second))
torch.manual_seed(0)
epoch()
state = torch.get_rng_state()
torch.manual_seed(7)
torch.set_rng_state(state)
assert all(map(torch.equal, epoch(), second))
# endregion

# region proof_states
import torch

torch.manual_seed(0)
state = torch.get_rng_state()
torch.rand(7)
after = torch.get_rng_state()
assert not torch.equal(state, after)
a = torch.rand(3)
torch.set_rng_state(after)
assert torch.equal(a, torch.rand(3))
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
