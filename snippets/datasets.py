"""Datasets: everything that answers `dataset[i]` and `len(dataset)`."""

# region map_style
import torch
from torch.utils.data import Dataset

class Squares(Dataset):
    def __init__(self, n):
        self.x = torch.arange(n)
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return self.x[i], self.x[i] ** 2

print(Squares(5)[3])  # prints (tensor(3), tensor(9))
# endregion

# region list_is_a_dataset
from torch.utils.data import DataLoader

words = ["to", "be", "or", "not"]
for batch in DataLoader(words, batch_size=3):
    print(batch)
# Output:
# ['to', 'be', 'or']
# ['not']
# endregion

# region tensor_dataset_item
import torch
from torch.utils.data import TensorDataset

x = torch.tensor([[1, 2], [3, 4], [5, 6]])
y = torch.tensor([10, 20, 30])
data = TensorDataset(x, y)
print(data[1])  # prints (tensor([3, 4]), tensor(20))
# endregion

# region subset
from torch.utils.data import Subset

letters = ["a", "b", "c", "d", "e"]
part = Subset(letters, [4, 0, 2])
print([part[i] for i in range(len(part))])  # prints ['e', 'a', 'c']
# endregion

# region concat_index
from torch.utils.data import ConcatDataset

both = ConcatDataset([["a", "b", "c"], ["x", "y"]])
print(len(both), both[3])
# Output:
# 5 x
# endregion

# region stack
import torch
from torch.utils.data import StackDataset

data = StackDataset(
    image=torch.tensor([7, 8, 9]),
    label=["cat", "dog", "emu"],
)
print(data[1])  # prints {'image': tensor(8), 'label': 'dog'}
# endregion

# region split_fractions
import torch
from torch.utils.data import random_split

parts = random_split(range(7), [0.5, 0.3, 0.2])
print([len(part) for part in parts])  # prints [4, 2, 1]
# endregion

# region split_reproducible
import torch
from torch.utils.data import random_split

def test_set():
    g = torch.Generator().manual_seed(42)
    return random_split(range(100), [80, 20], generator=g)[1]

print(len(set(test_set()) & set(test_set())))  # prints 20
# endregion

# region split_covers
from torch.utils.data import random_split

train, test = random_split(range(6), [4, 2])
print(sorted(list(train) + list(test)))  # prints [0, 1, 2, 3, 4, 5]
# endregion

# region getitems
from torch.utils.data import DataLoader, Dataset

class Table(Dataset):
    def __len__(self):
        return 4
    def __getitems__(self, indices):
        print("fetch", indices)
        return [10 * i for i in indices]

for batch in DataLoader(Table(), batch_size=2):
    print(batch)
# Output:
# fetch [0, 1]
# tensor([ 0, 10])
# fetch [2, 3]
# tensor([20, 30])
# endregion

# region concat_add
import torch
from torch.utils.data import TensorDataset

a = TensorDataset(torch.tensor([1, 2]))
b = TensorDataset(torch.tensor([3]))
both = a + b
print(type(both).__name__, len(both))
# Output:
# ConcatDataset 3
# endregion

# region proof_stop_iteration
from torch.utils.data import Dataset
class Two(Dataset):
    def __init__(self, error):
        self.error = error
    def __getitem__(self, i):
        if i == 2:
            raise self.error
        return i
for error in (IndexError, StopIteration):
    assert [x for x in Two(error)] == [0, 1]
# endregion

# region proof_no_length
from torch.utils.data import DataLoader, Dataset
class Plain(Dataset):
    def __getitem__(self, i):
        return i
try:
    list(DataLoader(Plain()))
    raise AssertionError
except TypeError as error:
    assert "len()" in str(error)
assert len(list(DataLoader(Plain(), sampler=[1, 2]))) == 2
# endregion

# region proof_where_it_runs
import os
from torch.utils.data import DataLoader
class Where(list):
    def __init__(self):
        super().__init__("ab")
        self.made = os.getpid()
    def __getitem__(self, i):
        return self.made, os.getpid()
for made, read in DataLoader(Where(), None, num_workers=2):
    assert made == os.getpid() != read
# endregion

# region proof_endless
from itertools import islice
from torch.utils.data import Dataset
class Endless(Dataset):
    def __getitem__(self, i):
        return i
assert not hasattr(Dataset, "__iter__")
assert list(islice(Endless(), 999)) == list(range(999))
# endregion

# region proof_no_base
from torch.utils.data import DataLoader
class Own:
    def __getitem__(self, i):
        return i
    def __len__(self):
        return 3
class Stream:
    def __iter__(self):
        return iter("ab")
assert [int(b) for b in DataLoader(Own())] == [0, 1, 2]
try:
    raise AssertionError(list(DataLoader(Stream())))
except TypeError:
    pass
# endregion

# region proof_rows_agree
import torch
from torch.utils.data import TensorDataset

other = torch.ones(2, 3, dtype=torch.int8, device="meta")
assert len(TensorDataset(torch.ones(2), other)) == 2
try:
    TensorDataset(torch.ones(2), torch.ones(3))
    raise RuntimeError
except AssertionError as error:
    assert "Size mismatch" in str(error)
# endregion

# region proof_one_dataset
from torch.utils.data import Subset, random_split

train, test = random_split(range(6), [4, 2])
assert type(train) is Subset and train.dataset is test.dataset
# endregion

# region proof_sums
import torch
from torch.utils.data import *
class Stream(IterableDataset):
    def __iter__(self):
        return iter("ab")
assert type(Stream() + Stream()) is ChainDataset
assert ConcatDataset(["abc", "xy"])[-3] == "c"
assert StackDataset("ab", "xy")[1] == ("b", "y")
try:
    raise AssertionError(StackDataset("ab", "x"))
except ValueError:
    pass
# endregion

# region proof_own_generator
import torch
from torch.utils.data import random_split
def split(draws, own):
    torch.manual_seed(0)
    torch.rand(draws)
    g = torch.Generator().manual_seed(0) if own else None
    return random_split(range(99), [98, 1], generator=g)[0].indices
assert split(0, True) == split(5, True)
assert split(0, False) != split(5, False)
# endregion

# region proof_getitems
from torch.utils.data import DataLoader, Dataset
class Table(Dataset):
    def __len__(self):
        return 3
    def __getitem__(self, i):
        asked.append(i)
        return i
class Bulk(Table):
    def __getitems__(self, indices):
        asked.append(indices)
        return indices
for data, wanted in ((Table(), [0, 1, 2]), (Bulk(), [[0, 1], [2]])):
    asked = []
    list(DataLoader(data, batch_size=2))
    assert asked == wanted
# endregion
