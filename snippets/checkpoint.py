"""Activation checkpointing: forget in the forward pass, recompute in the backward pass."""

# region runs_twice
import torch
from torch.utils.checkpoint import checkpoint

def block(x):
    print("block runs")
    return x.sin().exp()

x = torch.ones(2, requires_grad=True)
y = checkpoint(block, x, use_reentrant=False)
print("forward done")
y.sum().backward()
# Output:
# block runs
# forward done
# block runs
# endregion

# region early_stop
import torch
from torch.utils.checkpoint import checkpoint

def block(x):
    print("start")
    y = x.exp()
    print("end")
    return y * 2

x = torch.ones(1, requires_grad=True)
checkpoint(block, x, use_reentrant=False).backward()
# Output:
# start
# end
# start
# endregion

# region same_gradient
import torch
from torch.utils.checkpoint import checkpoint

def cube(x):
    return x ** 3

x = torch.tensor([1.0, 2.0], requires_grad=True)
checkpoint(cube, x, use_reentrant=False).sum().backward()
print(x.grad)  # prints tensor([ 3., 12.])
# endregion

# region no_grad_no_recompute
import torch
from torch.utils.checkpoint import checkpoint

def block(x):
    print("runs")
    return x.relu()

x = torch.tensor([-1.0, 2.0])
with torch.no_grad():
    print(checkpoint(block, x, use_reentrant=False))
# Output:
# runs
# tensor([0., 2.])
# endregion

# region saved_tensors
import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

def block(x):
    return x.sin().sin().sin()
x, kept = torch.ones(2, requires_grad=True), []
with saved_tensors_hooks(kept.append, lambda _: None):
    block(x)
    print(len(kept), "without checkpoint")
    checkpoint(block, x, use_reentrant=False)
    print(len(kept) - 3, "with checkpoint")
# Output:
# 3 without checkpoint
# 1 with checkpoint
# endregion

# region dropout_mask
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

x = torch.ones(1000, requires_grad=True)
y = checkpoint(F.dropout, x, use_reentrant=False)
y.sum().backward()
print(torch.equal(y != 0, x.grad != 0))  # prints True
# endregion

# region reentrant_input
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

layer, x = nn.Linear(2, 2), torch.ones(1, 2)
old = checkpoint(layer, x, use_reentrant=True)
new = checkpoint(layer, x, use_reentrant=False)
print(old.requires_grad, new.requires_grad)  # prints False True
# endregion

# region keyword_arguments
import torch
from torch.utils.checkpoint import checkpoint

def scale(x, by):
    return x * by

x = torch.tensor([1.0, 2.0], requires_grad=True)
for reentrant in (False, True):
    try:
        print(checkpoint(scale, x, by=3, use_reentrant=reentrant).sum())
    except ValueError:
        print("refused")
# Output:
# tensor(9., grad_fn=<SumBackward0>)
# refused
# endregion

# region sequential
import torch
from torch.utils.checkpoint import checkpoint_sequential

calls = []
def layer(name):
    return lambda x: calls.append(name) or x.sin()

x = torch.ones(1, requires_grad=True)
layers = [layer(name) for name in "abcd"]
checkpoint_sequential(layers, 2, x, use_reentrant=False).backward()
print("".join(calls))
# Output:
# abcdab
# endregion

# region changed_recompute
import torch
from torch.utils.checkpoint import CheckpointError, checkpoint

sizes = iter([2, 3])
def block(x):
    return x.expand(next(sizes)).exp()

x = torch.ones(1, requires_grad=True)
try:
    checkpoint(block, x, use_reentrant=False).sum().backward()
except CheckpointError as error:
    print("caught", type(error).__name__)
# Output:
# caught CheckpointError
# endregion

# region proof_default
import warnings
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    y = checkpoint(nn.Linear(2, 2), torch.ones(1, 2))
assert not y.requires_grad  # as the reentrant variant does
assert any("use_reentrant" in str(warning.message) for warning in caught)
# endregion

# region proof_whole_model
import gc
import torch
from torch.utils.checkpoint import checkpoint

SIZE, alive = (3, 17), []

def count(grad):
    found = gc.get_objects()
    alive.append(sum(type(o) is torch.Tensor and o.shape == SIZE for o in found))

def layers(x):
    for _ in range(8):
        x = x.sin()
        if x.requires_grad:
            x.register_hook(count)
    return x

def peak(parts):
    x = torch.ones(SIZE, requires_grad=True)
    for _ in range(parts):
        x = checkpoint(layers, x, use_reentrant=False)
    alive.clear()
    x.sum().backward()
    return max(alive)

assert peak(1) >= 8
assert peak(4) < peak(1) + 8  # 32 layers, and 8 of them at a time
# endregion

# region proof_no_check
import torch
from torch.utils.checkpoint import CheckpointError, checkpoint

for check in ("default", "none"):
    dtypes = iter([torch.float32, torch.float64])
    block = lambda x: x.to(next(dtypes)).exp().float()
    x = torch.ones(1, requires_grad=True)
    y = checkpoint(block, x, use_reentrant=False, determinism_check=check)
    try:
        y.backward()
        assert check == "none"
    except CheckpointError:
        assert check == "default"
# endregion

# region proof_root
sizes = {parts: parts + 100 / parts for parts in (1, 2, 5, 10, 20, 50)}
assert min(sizes, key=sizes.get) == 10 and sizes[10] == 20
# endregion
