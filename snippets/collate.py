"""collate_fn: from a list of samples to one batch."""

# region floats
from torch.utils.data import default_collate

print(default_collate([0.5, 1.5]).dtype)  # prints torch.float64
# endregion

# region stacks
import torch
from torch.utils.data import default_collate

samples = [torch.zeros(2), torch.zeros(2), torch.zeros(2)]
print(default_collate(samples).shape)  # prints torch.Size([3, 2])
# endregion

# region tuples
from torch.utils.data import default_collate

print(default_collate([(1, "cat"), (2, "dog")]))
# Output:
# [tensor([1, 2]), ('cat', 'dog')]
# endregion

# region lists_transpose
from torch.utils.data import default_collate

print(default_collate([[1, 2], [3, 4], [5, 6]]))
# Output:
# [tensor([1, 3, 5]), tensor([2, 4, 6])]
# endregion

# region dicts
from torch.utils.data import default_collate

samples = [{"x": 1, "y": True}, {"x": 2, "y": False}]
print(default_collate(samples))
# Output:
# {'x': tensor([1, 2]), 'y': tensor([ True, False])}
# endregion

# region namedtuples
from collections import namedtuple
from torch.utils.data import default_collate

Point = namedtuple("Point", "x y")
print(default_collate([Point(1, 5), Point(2, 6)]))
# Output:
# Point(x=tensor([1, 2]), y=tensor([5, 6]))
# endregion

# region none_fails
from torch.utils.data import default_collate

for batch in (["a", None], [None, None]):
    try:
        print(default_collate(batch))
    except TypeError as error:
        print(type(error).__name__)
# Output:
# ['a', None]
# TypeError
# endregion

# region unequal_fails
import torch
from torch.utils.data import default_collate

for n in (2, 3):
    samples = [torch.ones(2), torch.ones(n)]
    try:
        print(default_collate(samples).shape)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# torch.Size([2, 2])
# RuntimeError
# endregion

# region pad_batch
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

def pad(samples):
    return pad_sequence(samples, batch_first=True)

data = [torch.ones(n) for n in (3, 1, 2)]
loader = DataLoader(data, batch_size=3, collate_fn=pad)
print(next(iter(loader)))
# Output:
# tensor([[1., 1., 1.],
#         [1., 0., 0.],
#         [1., 1., 0.]])
# endregion

# region lengths
import torch
from torch.nn.utils.rnn import pad_sequence

samples = [torch.tensor([4, 5, 6]), torch.tensor([7])]
lengths = torch.tensor([len(sample) for sample in samples])
padded = pad_sequence(samples, batch_first=True)
mask = torch.arange(padded.shape[1]) < lengths[:, None]
print(mask)
# Output:
# tensor([[ True,  True,  True],
#         [ True, False, False]])
# endregion

# region skip_none
from torch.utils.data import DataLoader, default_collate

def skip_none(samples):
    kept = [s for s in samples if s is not None]
    return default_collate(kept)

data = [10, None, 30, 40]
loader = DataLoader(data, 2, collate_fn=skip_none)
print(list(loader))  # prints [tensor([10]), tensor([30, 40])]
# endregion

# region any_callable
from torch.utils.data import DataLoader

loader = DataLoader([1, 2, 3, 4], 2, collate_fn=sum)
print(list(loader))  # prints [3, 7]
# endregion

# region per_sample
from torch.utils.data import DataLoader

def twice(sample):
    return sample * 2

data = [1, 2, 3]
loader = DataLoader(data, batch_size=None, collate_fn=twice)
print(list(loader))  # prints [2, 4, 6]
# endregion

# region convert
import numpy as np
from torch.utils.data import default_convert

print(default_convert([np.array([1, 2]), 3, "four"]))
# Output:
# [tensor([1, 2]), 3, 'four']
# endregion

# region proof_convert
import numpy as np
import torch
from torch.utils.data import default_convert

assert default_convert(3) == 3 and default_convert("four") == "four"
assert default_convert((1, "a")) == [1, "a"]
assert isinstance(default_convert(np.float32(1.5)), torch.Tensor)
# endregion

# region proof_first_sample
import torch
from torch.utils.data import DataLoader, default_collate

batch = ["a", 1, None]
assert default_collate(batch) is batch
for first in (None, 1j, torch.ones):
    try:
        raise AssertionError(default_collate([first, "a"]))
    except TypeError as error:
        assert "must contain" in str(error)
samples = list(DataLoader([3, 4], 2, collate_fn=lambda s: s))
assert samples == [[3, 4]]
# endregion

# region proof_rows
import torch
from torch.utils.data import default_collate

rows = torch.tensor([[1, 2], [3, 4], [5, 6]])
assert default_collate(list(rows)).shape == (3, 2)
assert len(default_collate(rows.tolist())) == 2
assert type(default_collate([(1, 2)])) is list
# endregion
