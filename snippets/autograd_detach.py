"""detach, clone, freezing, and what in-place operations break."""

# region detach_shares
import torch

x = torch.ones(2, requires_grad=True)
x.detach()[0] = 9
print(x)
# Output:
# tensor([9., 1.], requires_grad=True)
# endregion

# region clone_records
import torch

x = torch.tensor(2.0, requires_grad=True)
copy = x.clone()
(copy * 3).backward()
print(x.grad)  # prints tensor(3.)
# endregion

# region constant_factor
import torch

x = torch.tensor(5.0, requires_grad=True)
(x * x.detach()).backward()
print(x.grad)  # prints tensor(5.)
# endregion

# region straight_through
import torch

x = torch.tensor([0.4, 1.7], requires_grad=True)
y = x + (x.round() - x).detach()
y.sum().backward()
print(y.tolist(), x.grad.tolist())  # prints [0.0, 2.0] [1.0, 1.0]
# endregion

# region proof_clone_order
import torch

x = torch.ones(2, requires_grad=True)
for copy in (x.detach().clone(), x.clone().detach()):
    assert copy.is_leaf and not copy.requires_grad
    assert copy.data_ptr() != x.data_ptr()
assert x.clone().grad_fn is not None and x.detach().grad_fn is None
assert x.clone().data_ptr() != x.data_ptr()
assert x.detach().data_ptr() == x.data_ptr()
# endregion

# region proof_change_flag
import torch

x = torch.ones(2, requires_grad=True)
y = x * 2
try:
    raise AssertionError(y.requires_grad_(False))
except RuntimeError as error:
    assert "flags of leaf variables" in str(error)
assert not y.detach().requires_grad
assert not x.requires_grad_(False).requires_grad
# endregion

# region stale_gradient
import torch

w = torch.tensor(5.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
(w * 2).backward()
w.requires_grad_(False)
optimizer.step()
print(w)  # prints tensor(3.)
# endregion

# region frozen_middle
import torch
from torch import nn

first, second = nn.Linear(1, 1), nn.Linear(1, 1)
nn.init.constant_(second.weight, 3)
second.requires_grad_(False)
second(first(torch.ones(1))).backward()
print(first.weight.grad, second.weight.grad)
# Output:
# tensor([[3.]]) None
# endregion

# region leaf_in_place
import torch

w = torch.tensor(1.0, requires_grad=True)
for mode in (torch.enable_grad, torch.no_grad):
    with mode():
        try:
            w += 1
            print(w)
        except RuntimeError:
            print("refused")
# Output:
# refused
# tensor(2., requires_grad=True)
# endregion

# region leaf_rebound
import torch

w = torch.tensor(1.0, requires_grad=True)
with torch.no_grad():
    w = w - 0.5
print(w)  # prints tensor(0.5000)
# endregion

# region saved_result
import torch

x = torch.zeros(2, requires_grad=True)
for function in (torch.sin, torch.exp):
    y = function(x)
    y.add_(1)
    try:
        y.sum().backward()
        print(x.grad)
    except RuntimeError:
        print("refused")
# Output:
# tensor([1., 1.])
# refused
# endregion

# region data_lies
import torch

w = torch.tensor(2.0, requires_grad=True)
y = w ** 2
w.data.add_(3)
y.backward()
print(w.grad)  # prints tensor(10.)
# endregion

# region proof_detach_tells
import torch

def by_detach(w): w.detach().add_(3)
by_no_grad = torch.no_grad()(lambda w: w.add_(3))
for change in (by_detach, by_no_grad):
    w = torch.tensor(2.0, requires_grad=True)
    y = w ** 2
    change(w)
    try:
        raise AssertionError(y.backward())
    except RuntimeError as error:
        assert "inplace" in str(error)
# endregion

# region assignment
import torch

x = torch.ones(3, requires_grad=True)
y = x * 2
y[0] = 7
y.sum().backward()
print(x.grad)  # prints tensor([0., 2., 2.])
# endregion

# region buffer_joins
import torch

w = torch.ones(1, requires_grad=True)
buffer = torch.zeros(3)
buffer[0:1] = w
(buffer * 5).sum().backward()
print(w.grad)  # prints tensor([5.])
# endregion

# region proof_truncated
import torch

w = torch.tensor(2.0, requires_grad=True)
state = torch.tensor(1.0)
for _ in range(3):
    state = state.detach() * w
state.backward()
assert w.grad == 4.0  # the last step alone: d(4w)/dw
# endregion

# region proof_chunk_is_freed
import weakref
import torch
from torch.autograd.graph import saved_tensors_hooks

class Box:
    def __init__(self, tensor):
        self.tensor = tensor

def pack(tensor):
    box = Box(tensor)
    boxes.append(weakref.ref(box))
    return box

w = torch.tensor(2.0, requires_grad=True)
for detached in (False, True):
    boxes = []
    with saved_tensors_hooks(pack, lambda box: box.tensor):
        state = w * w
    if detached:
        state = state.detach()
    assert len(boxes) == 2
    assert [box() is None for box in boxes] == [detached] * 2
# endregion

# region proof_buffer
import torch

w, buffer = torch.ones(1, requires_grad=True), torch.zeros(3)
with torch.no_grad():
    buffer[0:1] = w
assert not buffer.requires_grad and buffer.is_leaf
buffer[0:1] = w
assert buffer.requires_grad and not buffer.is_leaf
# endregion
