"""IterableDataset: data that comes as a stream."""

# region stream
from torch.utils.data import DataLoader, IterableDataset

class Evens(IterableDataset):
    def __init__(self, stop):
        self.stop = stop
    def __iter__(self):
        return iter(range(0, self.stop, 2))

print(list(DataLoader(Evens(10), batch_size=3)))
# Output:
# [tensor([0, 2, 4]), tensor([6, 8])]
# endregion

# region used_up
from torch.utils.data import DataLoader, IterableDataset

class Once(IterableDataset):
    def __init__(self):
        self.items = (n * n for n in range(3))
    def __iter__(self):
        return self.items

loader = DataLoader(Once(), batch_size=None)
print(list(loader), list(loader))  # prints [0, 1, 4] []
# endregion

# region chain
from torch.utils.data import IterableDataset

class Word(IterableDataset):
    def __init__(self, word):
        self.word = word
    def __iter__(self):
        return iter(self.word)

both = Word("py") + Word("t")
print(type(both).__name__, list(both))
# Output:
# ChainDataset ['p', 'y', 't']
# endregion

# region proof_each_worker_runs_all
from torch.utils.data import DataLoader, IterableDataset

class Ten(IterableDataset):
    def __iter__(self):
        return iter(range(10))
got = list(DataLoader(Ten(), batch_size=None, num_workers=2))
assert sorted(got) == sorted([*range(10)] * 2)
loader = DataLoader(Ten(), batch_size=3, num_workers=2, drop_last=True)
assert len(list(loader)) == 6
# endregion

# region proof_shuffle_and_length
from torch.utils.data import DataLoader, IterableDataset
class Stream(IterableDataset):
    def __iter__(self):
        return iter(())
for fails, call in (
    (ValueError, lambda: DataLoader(Stream(), shuffle=True)),
    (TypeError, lambda: len(DataLoader(Stream()))),
):
    try:
        raise AssertionError(call())
    except fails:
        pass
# endregion

# region proof_sharded
from itertools import islice
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
class Shared(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        start, step = (info.id, info.num_workers) if info else (0, 1)
        return islice("abcdefg", start, None, step)
for n in (0, 3):
    loader = DataLoader(Shared(), batch_size=None, num_workers=n)
    assert sorted(loader) == list("abcdefg")
# endregion

# region proof_known_length
from torch.utils.data import DataLoader, IterableDataset
class Known(IterableDataset):
    def __iter__(self):
        return iter(range(3))
    def __len__(self):
        return 8
loader = DataLoader(Known(), batch_size=2)
assert len(loader) == 4 and len(list(loader)) == 2
# endregion

# region proof_no_worker_in_the_main_process
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
class Stream(IterableDataset):
    def __iter__(self):
        yield get_worker_info() is None
assert get_worker_info() is None
for n in (0, 1):
    loader = DataLoader(Stream(), batch_size=None, num_workers=n)
    assert list(loader) == [n == 0]
# endregion
