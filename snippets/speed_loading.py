"""Getting data and weights to where they are needed."""

# region one_sample_each
import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils.data import DataLoader, TensorDataset

x = torch.ones(100, 8)
loader = DataLoader(TensorDataset(x), batch_size=100)
for f in (lambda: next(iter(loader)), lambda: x[torch.arange(100)]):
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        f()
    names = [event.name for event in prof.events()]
    print(names.count("aten::select"), names.count("aten::index"))
# Output:
# 100 0
# 0 1
# endregion

# region mapped_is_private
import torch

torch.save(torch.ones(3), "x.pt")
x = torch.load("x.pt", mmap=True, weights_only=True)
x.zero_()
for t in (x, torch.load("x.pt", weights_only=True)):
    print(t.tolist())
# Output:
# [0.0, 0.0, 0.0]
# [1.0, 1.0, 1.0]
# endregion

# region proof_mapped
import io
import os
import sys
import tempfile
import torch

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "x.pt")
    torch.save(torch.ones(100_000), path)
    for mapped in (False, True):
        x = torch.load(path, mmap=mapped, weights_only=True)
        if sys.platform == "linux":
            with open("/proc/self/maps") as maps:
                assert (path in maps.read()) == mapped
    buffer = io.BytesIO()
    torch.save(torch.ones(3), buffer)
    buffer.seek(0)
    try:
        torch.load(buffer, mmap=True, weights_only=True)
        raise AssertionError
    except ValueError as error:
        assert "must be a file path" in str(error)
    del x
# endregion

# region proof_loading_twice
import torch
from torch import nn

net = nn.Linear(30, 20)
state = nn.Linear(30, 20).state_dict()
before = net.weight.data_ptr()
net.load_state_dict(state)
assert net.weight.data_ptr() == before != state["weight"].data_ptr()
with torch.device("meta"):
    empty = nn.Linear(30, 20)
assert empty.weight.data_ptr() == 0
empty.load_state_dict(state, assign=True)
assert empty.weight.data_ptr() == state["weight"].data_ptr()
# endregion

# region proof_workers
import torch
from torch.utils.data import DataLoader, TensorDataset

def collate(samples):
    return torch.get_num_threads()

torch.set_num_threads(2)
for workers, threads in ((0, 2), (1, 1)):
    loader = DataLoader([1], num_workers=workers, collate_fn=collate)
    assert list(loader) == [threads]

x = torch.arange(12).reshape(6, 2)
loader = DataLoader(TensorDataset(x), batch_size=6)
assert torch.equal(next(iter(loader))[0], x[torch.arange(6)])
# endregion

# region proof_list_refcounts
import sys

# reading an element of a list writes to the element: its count of users
class Sample:
    pass

samples = [Sample()]
before = sys.getrefcount(samples[0])
read = samples[0]
assert sys.getrefcount(samples[0]) == before + 1
print("loading as told")
# endregion
