"""Samplers: which indices, in which order."""

# region sequential
from torch.utils.data import SequentialSampler

print(list(SequentialSampler(["x", "y", "z"])))  # prints [0, 1, 2]
# endregion

# region subset_random
from torch.utils.data import DataLoader, SubsetRandomSampler

s = SubsetRandomSampler([5, 1, 3])
loader = DataLoader("abcdef", batch_size=None, sampler=s)
print(sorted(loader))  # prints ['b', 'd', 'f']
# endregion

# region weight_zero
from torch.utils.data import WeightedRandomSampler

sampler = WeightedRandomSampler([0, 0, 2.5], num_samples=4)
print(list(sampler))  # prints [2, 2, 2, 2]
# endregion

# region weights_per_sample
import torch

labels = torch.tensor([0, 0, 0, 0, 1])
counts = torch.bincount(labels)
weights = 1 / counts[labels]
print(weights)
# Output:
# tensor([0.2500, 0.2500, 0.2500, 0.2500, 1.0000])
# endregion

# region batches_of_indices
from torch.utils.data import BatchSampler

print(list(BatchSampler(range(7), 3, drop_last=False)))
# Output:
# [[0, 1, 2], [3, 4, 5], [6]]
# endregion

# region batch_sampler_in_loader
from torch.utils.data import DataLoader

plan = [[0, 4], [2, 2, 1]]
for batch in DataLoader("abcde", batch_sampler=plan):
    print(batch)
# Output:
# ['a', 'e']
# ['c', 'c', 'b']
# endregion

# region custom
from torch.utils.data import DataLoader, Sampler

class ShortestFirst(Sampler):
    def __init__(self, texts):
        self.texts = texts
    def __iter__(self):
        size = lambda i: len(self.texts[i])
        yield from sorted(range(len(self.texts)), key=size)

texts = ["tensor", "a", "grad"]
order = ShortestFirst(texts)
print(list(DataLoader(texts, batch_size=2, sampler=order)))
# Output:
# [['a', 'grad'], ['tensor']]
# endregion

# region custom_len
from torch.utils.data import DataLoader

loader = DataLoader("abcdef", sampler=[5, 0])
print(len(loader), list(loader))  # prints 2 [['f'], ['a']]
# endregion

# region proof_zero_weight
from torch.utils.data import DataLoader, WeightedRandomSampler

s = WeightedRandomSampler([1, 0, 0], 3, replacement=False)
assert sorted(s) == [0, 1, 2]
assert set(WeightedRandomSampler([1, 0, 2], 200)) == {0, 2}
assert len(DataLoader("abcdef", 2, sampler=[5, 0, 1])) == 2
# endregion

# region proof_any_sum
import torch
from torch.utils.data import WeightedRandomSampler

def draws(weights):
    g = torch.Generator().manual_seed(0)
    return list(WeightedRandomSampler(weights, 50, generator=g))
assert draws([1, 3]) == draws([8, 24])
assert max(draws([1, 3])) == 1 and len(set(draws([1] * 50))) < 50
# endregion

# region proof_sampler_length
from torch.utils.data import DataLoader, Sampler

class Three(Sampler):
    def __init__(self):
        pass
    def __iter__(self):
        yield from range(3)
loader = DataLoader("abc", sampler=Three())
assert len(list(loader)) == 3
try:
    raise AssertionError(len(loader))
except TypeError:
    pass
# endregion
