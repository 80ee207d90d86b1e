"""Random numbers: seeds, generators, and what each sampler can give."""

# region same_seed
import torch

torch.manual_seed(0)
draws = [torch.rand(1).item(), torch.rand(1).item()]
torch.manual_seed(0)
draws += [torch.rand(1).item(), torch.rand(1).item()]
print([i for i in range(4) if draws[i] == draws[0]])
# Output:
# [0, 2]
# endregion

# region own_generator
import torch

torch.manual_seed(0)
g = torch.Generator().manual_seed(0)
draws = [
    torch.rand(1, generator=h).item() for h in (g, None, g, None)
]
print([draws.index(x) for x in draws])
# Output:
# [0, 0, 2, 2]
# endregion

# region fresh_generators
import torch

draws = set()
for _ in range(3):
    g = torch.Generator()
    draws.add(torch.rand(1, generator=g).item())
print(len(draws))
# Output:
# 1
# endregion

# region fork
import torch

torch.manual_seed(0)
with torch.random.fork_rng():
    inside = torch.rand(3).tolist()
after = torch.rand(3).tolist()
print(len(set(inside + after)))
# Output:
# 3
# endregion

# region dropout_draws
import torch
from torch import nn

draws = []
for layer in (nn.Identity(), nn.Dropout(), nn.Dropout().eval()):
    torch.manual_seed(0)
    layer(torch.ones(4))
    draws.append(torch.rand(1).item())
print([draws.index(x) for x in draws])
# Output:
# [0, 1, 0]
# endregion

# region multinomial_replacement
import torch

weights = torch.tensor([2.0, 5.0, 5.0])
for replacement in (True, False):
    try:
        x = torch.multinomial(weights, 4, replacement)
        print(x.shape)
    except RuntimeError:
        print("refused")
# Output:
# torch.Size([4])
# refused
# endregion

# region proof_seeds
import random
import numpy as np
import torch

before, array = random.getstate(), np.random.get_state()[1].copy()
g = torch.manual_seed(0)
assert g is torch.default_generator
assert random.getstate() == before
assert (np.random.get_state()[1] == array).all()
a = torch.rand(4)
assert torch.initial_seed() == 0
torch.default_generator.manual_seed(0)
assert torch.equal(a, torch.rand(4))
state = torch.get_rng_state()
assert torch.equal(state, torch.default_generator.get_state())
a = torch.randn(4)
torch.set_rng_state(state)
assert torch.equal(a, torch.randn(4))
assert not torch.equal(a, torch.randn(4))
# endregion

# region proof_inserted_call
import torch

torch.manual_seed(0)
a = torch.rand(4)
torch.manual_seed(0)
torch.rand(1)
assert not torch.equal(a, torch.rand(4))
g, h = torch.Generator(), torch.Generator()
assert g.initial_seed() == h.initial_seed()
a = torch.rand(4, generator=g)
assert not torch.equal(a, torch.rand(4, generator=g))
torch.rand(4)
assert torch.equal(a, torch.rand(4, generator=h))
g.seed(), h.seed()
assert torch.Generator().initial_seed() == torch.Generator().initial_seed()
assert g.initial_seed() != h.initial_seed()
# endregion

# region proof_generator_of_sampler
import torch

before = torch.get_rng_state()
g = torch.Generator().manual_seed(0)
torch.randperm(5, generator=g)
torch.ones(3).multinomial(2, generator=g)
torch.zeros(3).normal_(generator=g)
assert torch.equal(before, torch.get_rng_state())
torch.zeros(3).normal_()
assert not torch.equal(before, torch.get_rng_state())
try:
    raise AssertionError(torch.rand_like(torch.ones(2), seed=0))
except TypeError:
    pass
# endregion

# region proof_fork
import torch

torch.manual_seed(3)
with torch.random.fork_rng():
    inside = torch.rand(2)
assert torch.equal(torch.rand(2), inside)
before = torch.get_rng_state()
with torch.random.fork_rng():
    torch.manual_seed(1)
    torch.rand(5)
assert torch.equal(before, torch.get_rng_state())
with torch.random.fork_rng(enabled=False):
    torch.rand(2)
assert not torch.equal(before, torch.get_rng_state())
# endregion

# region proof_uniform
import torch

x = torch.rand(1_000_000)
assert 0 <= x.min() < 0.001 and 0.999 < x.max() < 1
assert x.dtype == torch.float32
tenths = (x * 10).long().bincount()
assert len(tenths) == 10 and 90_000 < tenths.min()
assert tenths.max() < 110_000
x = torch.randint(2, 5, (1000,))
assert x.unique().tolist() == [2, 3, 4] and x.dtype == torch.int64
assert torch.randint(3, (1000,)).unique().tolist() == [0, 1, 2]
try:
    raise AssertionError(torch.randint(2, 2, (1,)))
except RuntimeError:
    pass
x = torch.randn(10_000)
assert x.min() < -1 and x.max() > 1 and abs(x.mean()) < 0.2
assert 0.9 < x.std() < 1.1
for edge, share in ((1, 0.683), (2, 0.954), (3, 0.997)):
    assert abs((x.abs() < edge).float().mean() - share) < 0.02
# endregion

# region proof_permutation
import torch

x = torch.randperm(100)
assert x.sort().values.equal(torch.arange(100))
assert x.dtype == torch.int64 and not x.equal(torch.arange(100))
y = torch.arange(100) * 2
assert y[x].sort().values.equal(y)
# endregion

# region proof_bernoulli
import torch

p = torch.tensor([0.0, 0.5, 1.0]).expand(1000, 3)
x = torch.bernoulli(p)
assert not x[:, 0].any() and x[:, 2].all()
assert x.unique().tolist() == [0, 1] and 300 < x[:, 1].sum() < 700
assert x.dtype == p.dtype
for wrong in (torch.tensor([1.5]), torch.tensor([-0.5])):
    try:
        raise AssertionError(torch.bernoulli(wrong))
    except RuntimeError:
        pass
# endregion

# region proof_normal
import torch

x = torch.normal(torch.tensor([1.0, 5.0]), 0.0)
assert x.tolist() == [1, 5]
x = torch.normal(10.0, 2.0, (10_000,))
assert 9.8 < x.mean() < 10.2 and 1.8 < x.std() < 2.2
try:
    raise AssertionError(torch.normal(0.0, -1.0, (2,)))
except RuntimeError:
    pass
# endregion

# region proof_multinomial
import torch

w = torch.tensor([1.0, 3.0, 0.0])
x = torch.multinomial(w, 4000, replacement=True)
assert x.unique().tolist() == [0, 1] and x.dtype == torch.int64
assert 2700 < x.sum() < 3300
for _ in range(50):
    assert torch.multinomial(torch.ones(5), 4).unique().numel() == 4
    assert torch.multinomial(w, 2).sort().values.tolist() == [0, 1]
try:
    raise AssertionError(torch.multinomial(w, 4))
except RuntimeError:
    pass
assert torch.multinomial(w.expand(6, 3), 2).shape == (6, 2)
# endregion

# region proof_dropout
import torch

for layer in (torch.nn.Dropout(0.5), torch.nn.Linear(2, 2)):
    before = torch.get_rng_state()
    layer.train()(torch.ones(2, 2))
    same = torch.equal(before, torch.get_rng_state())
    assert same == isinstance(layer, torch.nn.Linear)
    before = torch.get_rng_state()
    layer.eval()(torch.ones(2, 2))
    assert torch.equal(before, torch.get_rng_state())
before = torch.get_rng_state()
torch.nn.Linear(2, 2)
assert not torch.equal(before, torch.get_rng_state())
# endregion
