"""DataLoader: from a dataset to batches."""

# region last_batch
from torch.utils.data import DataLoader

for batch in DataLoader(range(5), batch_size=2):
    print(batch)
# Output:
# tensor([0, 1])
# tensor([2, 3])
# tensor([4])
# endregion

# region drop_last
from torch.utils.data import DataLoader

loader = DataLoader(range(7), batch_size=3, drop_last=True)
print(list(loader))  # prints [tensor([0, 1, 2]), tensor([3, 4, 5])]
# endregion

# region length
from torch.utils.data import DataLoader

data = range(10)
keep = DataLoader(data, batch_size=4)
drop = DataLoader(data, batch_size=4, drop_last=True)
print(len(keep), len(drop))  # prints 3 2
# endregion

# region default_batch_size
from torch.utils.data import DataLoader

print(list(DataLoader([3, 1, 2])))
# Output:
# [tensor([3]), tensor([1]), tensor([2])]
# endregion

# region no_batching
from torch.utils.data import DataLoader

ready = [["a", "b"], ["c"]]
print(list(DataLoader(ready, batch_size=None)))
# Output:
# [['a', 'b'], ['c']]
# endregion

# region pairs
import torch
from torch.utils.data import DataLoader, TensorDataset

x, y = torch.zeros(10, 3), torch.zeros(10)
loader = DataLoader(TensorDataset(x, y), batch_size=4)
features, labels = next(iter(loader))
print(features.shape, labels.shape)
# Output:
# torch.Size([4, 3]) torch.Size([4])
# endregion

# region first_again
from torch.utils.data import DataLoader

loader = DataLoader("abcdef", batch_size=2)
print(next(iter(loader)), next(iter(loader)))
# Output:
# ['a', 'b'] ['a', 'b']
# endregion

# region chosen_samplers
from torch.utils.data import DataLoader

plain = DataLoader(range(8))
mixed = DataLoader(range(8), shuffle=True)
for loader in (plain, mixed):
    print(type(loader.sampler).__name__)
# Output:
# SequentialSampler
# RandomSampler
# endregion

# region epochs_differ
import torch
from torch.utils.data import DataLoader

g = torch.Generator().manual_seed(0)
loader = DataLoader(range(100), shuffle=True, generator=g)
orders = set()
for epoch in range(3):
    orders.add(tuple(int(batch) for batch in loader))
print(len(orders))  # prints 3
# endregion

# region proof_no_batching_converts
import numpy as np
import torch
from torch.utils.data import DataLoader

(item,) = DataLoader([(np.array([1, 2]), 5)], batch_size=None)
assert torch.equal(item[0], torch.tensor([1, 2])) and item[1] == 5
# endregion

# region proof_length_with_sampler
from torch.utils.data import DataLoader

loader = DataLoader(range(10), batch_size=2, sampler=[1, 2, 3])
assert len(loader) == 2 and len(loader.dataset) == 10
# endregion

# region proof_batch_norm_of_one
import torch
from torch import nn

nn.BatchNorm2d(3)(torch.ones(1, 3, 4, 4))
nn.BatchNorm1d(3).eval()(torch.ones(1, 3))
try:
    nn.BatchNorm1d(3)(torch.ones(1, 3))
    raise AssertionError
except ValueError:
    pass
# endregion

# region proof_frozen
from torch.utils.data import DataLoader

loader = DataLoader(range(4), batch_size=2)
for name in ("batch_size", "sampler", "drop_last", "dataset"):
    try:
        setattr(loader, name, getattr(loader, name))
        raise AssertionError(name)
    except ValueError:
        assert loader.batch_sampler.batch_size == 2
# endregion

# region proof_prefetch
from torch.utils.data import DataLoader

loader = DataLoader(range(50), num_workers=2, prefetch_factor=3)
batches = iter(loader)
assert batches._send_idx == 2 * 3 and len(list(batches)) == 50
assert DataLoader([1], num_workers=1).prefetch_factor == 2
assert DataLoader([1]).prefetch_factor is None
# endregion

# region proof_persistent
import os
from torch.utils.data import DataLoader

for stay in (True, False):
    loader = DataLoader(
        [0], num_workers=1, persistent_workers=stay,
        collate_fn=lambda _: os.getpid(),
    )
    assert (list(loader) == list(loader)) is stay
# endregion

# region proof_worker_init
import torch
from torch.utils.data import DataLoader, get_worker_info
seen = []
def init(number):
    seen.append((number, torch.initial_seed()))
loader = DataLoader(
    range(4), num_workers=2, worker_init_fn=init,
    collate_fn=lambda _: (seen, get_worker_info().seed),
)
for i, (calls, seed) in enumerate(loader):
    assert calls == [(i % 2, seed)]
# endregion

# region proof_on_demand
from torch.utils.data import DataLoader

class Spy(list):
    def __getitem__(self, i):
        asked.append(i)
        return i
asked = []
next(iter(DataLoader(Spy("abcdef"), batch_size=2)))
assert asked == [0, 1]
# endregion

# region proof_no_guard
import subprocess, sys
from pathlib import Path

Path("no_guard.py").write_text("""
from torch.utils.data import DataLoader
list(DataLoader([1], num_workers=1, multiprocessing_context="spawn"))
""")
ran = subprocess.run([sys.executable, "no_guard.py"], capture_output=True)
assert ran.returncode and b"RuntimeError" in ran.stderr
assert b"bootstrapping phase" in ran.stderr
# endregion

# region proof_lambda_spawned
import pickle
from torch.utils.data import DataLoader, default_collate
pickle.dumps(default_collate)
try:
    iter(DataLoader([1], num_workers=1, collate_fn=lambda s: s,
                    multiprocessing_context="spawn"))
    raise RuntimeError("it was sent")
except (AttributeError, pickle.PicklingError) as error:
    assert "pickle" in str(error)
# endregion

# region proof_worker_seeds
import random
import torch
from torch.utils.data import DataLoader, get_worker_info
def seeds(_):
    same = random.random() == random.Random(torch.initial_seed()).random()
    return get_worker_info().seed, torch.initial_seed(), same
loader = DataLoader(range(2), num_workers=2, collate_fn=seeds)
(a, x, s), (b, y, t) = loader
assert a + 1 == b and (x, y) == (a, b) and s and t
# endregion

# region proof_numpy_seeds
import numpy as np
from torch.utils.data import DataLoader

own = np.random.default_rng(0)
loader = DataLoader(
    range(2), num_workers=2,
    collate_fn=lambda _: (np.random.random(), own.random()),
)
(a, x), (b, y) = loader
assert a != b and x == y
# endregion

# region proof_excluded
from torch.utils.data import DataLoader

for more in ({"batch_size": 2}, {"shuffle": True}, {"drop_last": True},
             {"sampler": [0]}, {}):
    try:
        DataLoader([1], batch_sampler=[[0]], **more)
        assert not more
    except ValueError:
        assert more
# endregion

# region proof_sampler_excludes_shuffle
from torch.utils.data import DataLoader

try:
    DataLoader([1], sampler=[0], shuffle=True)
    raise AssertionError
except ValueError as error:
    assert "mutually exclusive" in str(error)
# endregion

# region proof_generator
import torch
from torch.utils.data import DataLoader, get_worker_info

def seed():
    g = torch.Generator().manual_seed(3)
    return next(iter(DataLoader(
        [0], num_workers=1, generator=g,
        collate_fn=lambda _: get_worker_info().seed,
    )))
assert seed() == seed()
# endregion

# region proof_in_order
import inspect, time
from pathlib import Path
from torch.utils.data import DataLoader
def wait(samples):
    while samples == [0] and not Path("go").exists():
        time.sleep(0.01)
    return samples[0]
if "in_order" in inspect.signature(DataLoader).parameters:
    loader = iter(DataLoader(range(2), num_workers=2,
                             in_order=False, collate_fn=wait))
    assert (next(loader), Path("go").touch(), next(loader))[::2] == (1, 0)
# endregion

# region proof_new_base_seed
from torch.utils.data import DataLoader, get_worker_info

for stay in (False, True):
    loader = DataLoader(
        [0], num_workers=1, persistent_workers=stay,
        collate_fn=lambda _: get_worker_info().seed,
    )
    assert (list(loader) == list(loader)) is stay
# endregion

# region proof_numpy_alone_converts
import numpy as np
import torch
from torch.utils.data import DataLoader

item = {"a": np.float32(1), "b": 2, "c": "d", "e": None}
(got,) = DataLoader([item], batch_size=None)
assert isinstance(got.pop("a"), torch.Tensor)
assert got == {"b": 2, "c": "d", "e": None}
# endregion

# region proof_same_orders_again
import torch
from torch.utils.data import DataLoader

g = torch.Generator().manual_seed(0)
loader = DataLoader(range(100), shuffle=True, generator=g)
first = [torch.cat([*loader]).tolist() for _ in range(3)]
g.manual_seed(0)
assert [torch.cat([*loader]).tolist() for _ in range(3)] == first
assert all(sorted(order) == [*range(100)] for order in first)
batches = iter(DataLoader("abcdef", batch_size=2))
assert (next(batches), next(batches)) == (["a", "b"], ["c", "d"])
# endregion
