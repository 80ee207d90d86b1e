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

# region reentrant_input
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

x, scale = torch.ones(1, 2), torch.ones(1, requires_grad=True)
for reentrant in (True, False):
    layer = nn.Linear(2, 1)
    y = checkpoint(layer, x, use_reentrant=reentrant)
    (scale * y).sum().backward()
    print(reentrant, layer.bias.grad)
# Output:
# True None
# False tensor([1.])
# endregion

# region keyword_arguments
import torch
from torch.utils.checkpoint import checkpoint

def scale(x, by):
    return x * by
x = torch.ones(1, requires_grad=True)
for old in (False, True):
    try:
        y = checkpoint(scale, x, by=3, use_reentrant=old)
        print(y.item())
    except ValueError as error:
        print(error)
# Output:
# 3.0
# Unexpected keyword arguments: by
# endregion

# region sequential
import torch
from torch.utils.checkpoint import checkpoint_sequential

calls = []
def layer(name):
    return lambda x: calls.append(name) or x.sin()

x = torch.ones(1, requires_grad=True)
layers = [layer(name) for name in "abcd"]
y = checkpoint_sequential(layers, 2, x, use_reentrant=False)
y.backward()
print("".join(calls))
# Output:
# abcdab
# endregion

# region proof_random_state
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
for kept in (True, False):
    x = torch.ones(1000, requires_grad=True)
    y = checkpoint(
        F.dropout, x, use_reentrant=False, preserve_rng_state=kept
    )
    y.sum().backward()
    assert torch.equal(y != 0, x.grad != 0) is kept
# endregion

# region proof_check_off
import torch
from torch.utils.checkpoint import CheckpointError, checkpoint
for check in ("default", "none"):
    kinds = iter([torch.float32, torch.float64])
    f = lambda x: x.to(next(kinds)).exp()
    x = torch.ones(2, requires_grad=True)
    y = checkpoint(f, x, use_reentrant=False, determinism_check=check)
    try:
        y.sum().backward()
        assert check == "none"
    except CheckpointError:
        assert check == "default"
# endregion

# region proof_default_is_reentrant
import torch, warnings
from torch import nn
from torch.utils.checkpoint import checkpoint

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    y = checkpoint(nn.Linear(2, 2), torch.ones(1, 2))
told = " ".join(str(w.message) for w in told)
assert not y.requires_grad
assert "use_reentrant parameter should be passed" in told
# endregion

# region proof_last_segment
import torch
from torch.utils.checkpoint import checkpoint_sequential as chain
for n, wanted in ((1, "abcd"), (2, "abcdab"), (4, "abcdcba")):
    ran = ""
    def layer(name):
        def run(x):
            global ran
            ran += name
            return x.sin()
        return run
    x = torch.ones(1, requires_grad=True)
    chain([*map(layer, "abcd")], n, x, use_reentrant=False).backward()
    assert ran == wanted
# endregion

# region proof_whole_model
import torch
from torch.utils.checkpoint import checkpoint
class Layer(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ran.append("f")
        ctx.save_for_backward(x)
        return x * 2
    @staticmethod
    def backward(ctx, gradient):
        assert len(ctx.saved_tensors) == 1
        ran.append("b")
        return gradient * 2
def whole(x):
    return Layer.apply(Layer.apply(Layer.apply(x)))
for parts, wanted in (([whole], "fffbbb"), ([Layer.apply] * 3, "fbfbfb")):
    ran, x = [], torch.ones(1, requires_grad=True)
    for part in parts:
        x = checkpoint(part, x, use_reentrant=False)
    ran.clear()
    x.backward()
    assert "".join(ran) == wanted
# endregion

# region proof_what_is_compared
import torch
from torch.utils.checkpoint import CheckpointError, checkpoint
def noticed(second):
    steps = iter([lambda x: x * 1, second])
    x = torch.ones(2, requires_grad=True)
    block = lambda x: next(steps)(x).exp()
    y = checkpoint(block, x, use_reentrant=False)
    try:
        y.sum().backward()
        return False
    except CheckpointError:
        return True
assert noticed(lambda x: x.expand(3, 2) * 1)
assert noticed(lambda x: (x * 1).double())
assert not noticed(lambda x: x * 3)
# endregion
