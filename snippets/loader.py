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
print(len(keep), len(drop), len(keep.dataset))  # prints 3 2 10
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

x = torch.arange(6).reshape(3, 2)
y = torch.tensor([0, 1, 1])
loader = DataLoader(TensorDataset(x, y), batch_size=2)
features, labels = next(iter(loader))
print(features)
print(labels)
# Output:
# tensor([[0, 1],
#         [2, 3]])
# tensor([0, 1])
# endregion

# region first_again
from torch.utils.data import DataLoader

loader = DataLoader("abcdef", batch_size=2)
print(next(iter(loader)), next(iter(loader)))
# Output:
# ['a', 'b'] ['a', 'b']
# endregion

# region one_iterator
from torch.utils.data import DataLoader

loader = DataLoader("abcdef", batch_size=2)
batches = iter(loader)
print(next(batches), next(batches))  # prints ['a', 'b'] ['c', 'd']
# endregion

# region chosen_samplers
from torch.utils.data import DataLoader

plain = DataLoader(range(8))
mixed = DataLoader(range(8), shuffle=True)
print(type(plain.sampler).__name__)
print(type(mixed.sampler).__name__)
# Output:
# SequentialSampler
# RandomSampler
# endregion

# region frozen_attributes
from torch.utils.data import DataLoader

loader = DataLoader(range(4), batch_size=2)
try:
    loader.batch_size = 4
except ValueError:
    print("refused")
print([len(batch) for batch in loader])
# Output:
# refused
# [2, 2]
# endregion

# region epochs_differ
import torch
from torch.utils.data import DataLoader

def order(loader):
    return [int(batch) for batch in loader]

g = torch.Generator().manual_seed(0)
loader = DataLoader(range(100), shuffle=True, generator=g)
first, second = order(loader), order(loader)
print(first == second, sorted(first) == sorted(second))
# Output:
# False True
# endregion

# region dict_samples
from torch.utils.data import DataLoader

data = [{"id": 1, "name": "ann"}, {"id": 2, "name": "bob"}]
print(next(iter(DataLoader(data, batch_size=2))))
# Output:
# {'id': tensor([1, 2]), 'name': ['ann', 'bob']}
# endregion
