"""DistributedSampler: which indices each rank gets, and how many."""

# region every_second
from torch.utils.data import DistributedSampler

data = list("abcdef")
for rank in (0, 1):
    s = DistributedSampler(
        data, num_replicas=2, rank=rank, shuffle=False
    )
    print(list(s))
# Output:
# [0, 2, 4]
# [1, 3, 5]
# endregion

# region padding_wraps
from torch.utils.data import DistributedSampler

data = range(5)
for rank in (0, 1, 2, 3):
    s = DistributedSampler(
        data, num_replicas=4, rank=rank, shuffle=False
    )
    print(list(s))
# Output:
# [0, 4]
# [1, 0]
# [2, 1]
# [3, 2]
# endregion

# region tiny_dropped
from torch.utils.data import DistributedSampler

data = range(11)
for drop in (False, True):
    s = DistributedSampler(
        data, num_replicas=4, rank=0, drop_last=drop
    )
    print(len(s), s.total_size)
# Output:
# 3 12
# 2 8
# endregion

# region same_epoch
from torch.utils.data import DistributedSampler

s = DistributedSampler(range(100), num_replicas=2, rank=0)
for use in (False, True):
    orders = set()
    for epoch in range(8):
        if use:
            s.set_epoch(epoch)
        orders.add(tuple(s))
    print(use, len(orders))
# Output:
# False 1
# True 8
# endregion

# region epoch_without_shuffle
from torch.utils.data import DistributedSampler

s = DistributedSampler(
    range(6), num_replicas=2, rank=1, shuffle=False
)
s.set_epoch(1)
print(list(s))
# Output:
# [1, 3, 5]
# endregion

# region seed_plus_epoch
from torch.utils.data import DistributedSampler

data = range(100)
a = DistributedSampler(data, num_replicas=2, rank=0, seed=3)
b = DistributedSampler(data, num_replicas=2, rank=0, seed=0)
for epoch in range(10):
    b.set_epoch(epoch)
    if list(b) == list(a):
        print(epoch)
# Output:
# 3
# endregion

# region global_seed
import torch
from torch.utils.data import DistributedSampler, RandomSampler

data = range(100)
for s in (RandomSampler(data), DistributedSampler(data, 2, 0)):
    orders = set()
    for seed in range(3):
        torch.manual_seed(seed)
        orders.add(tuple(s))
    print(type(s).__name__, len(orders))
# Output:
# RandomSampler 3
# DistributedSampler 1
# endregion

# region loader_length
from torch.utils.data import DataLoader, DistributedSampler

data = range(100)
s = DistributedSampler(data, num_replicas=4, rank=0)
loader = DataLoader(data, batch_size=10, sampler=s)
print([len(batch) for batch in loader])
# Output:
# [10, 10, 5]
# endregion

# region proof_sampler
import inspect
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

# every index is drawn; the padding repeats indices from the start of the order
for n in range(1, 20):
    for world in range(1, 6):
        parts = [list(DistributedSampler(range(n), world, r)) for r in range(world)]
        assert len({len(p) for p in parts}) == 1
        flat = [parts[i % world][i // world] for i in range(world * len(parts[0]))]
        assert set(flat) == set(range(n))
        assert all(flat[i] == flat[i % n] for i in range(len(flat)))
        dropped = [list(DistributedSampler(range(n), world, r, drop_last=True)) for r in range(world)]
        flat = sum(dropped, [])
        assert len(set(flat)) == len(flat) == n // world * world
assert inspect.signature(DistributedSampler).parameters["shuffle"].default is True
assert inspect.signature(DistributedSampler).parameters["seed"].default == 0
# nothing but seed, epoch and the length decides the order: not the global generator, not the samples
def order(data, seed, epoch):
    s = DistributedSampler(data, 1, 0, seed=seed)
    s.set_epoch(epoch)
    return list(s)


for seed in range(4):
    for epoch in range(4):
        torch.manual_seed(10 * seed + epoch)
        assert order("x" * 50, seed, epoch) == order(range(50), seed + epoch, 0)
assert len({tuple(order(range(50), 0, epoch)) for epoch in range(20)}) == 20
# seeds that differ: some samples twice, others never
both = list(DistributedSampler(range(100), 2, 0, seed=0)) + list(DistributedSampler(range(100), 2, 1, seed=1))
assert len(both) == 100 and len(set(both)) < 100
# without a group, both have to be given
for known in ({}, {"num_replicas": 2}, {"rank": 0}):
    try:
        DistributedSampler(range(8), **known)
        raise SystemExit("not asked for")
    except ValueError:
        pass
# with a group, number and rank come from it
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
s = DistributedSampler(range(8))
assert (s.num_replicas, s.rank) == (1, 0)
dist.destroy_process_group()
# a full step over four ranks with batch_size 10 uses 40 samples, the last one of 100 only 20
sizes = [[len(b) for b in DataLoader(range(100), 10, sampler=DistributedSampler(range(100), 4, r))] for r in range(4)]
assert [sum(step) for step in zip(*sizes)] == [40, 40, 20]
# the loader does not shuffle beside a sampler
for shuffle in (False, True):
    try:
        DataLoader(range(8), shuffle=shuffle, sampler=DistributedSampler(range(8), 2, 0))
        assert not shuffle
    except ValueError:
        assert shuffle
# metric of 5 samples on 4 ranks: 8 outputs are counted instead of 5
assert sum(len(DistributedSampler(range(5), 4, r)) for r in range(4)) == 8
# endregion
