"""The graph: leaves, grad_fn, and what becomes part of it."""

# region leaves
import torch

data = torch.ones(2)
weight = torch.ones(2, requires_grad=True)
out = data * weight
tensors = {"data": data, "weight": weight, "out": out}
print([name for name, x in tensors.items() if x.is_leaf])
# Output:
# ['data', 'weight']
# endregion

# region node_names
import torch

x = torch.ones(2, requires_grad=True)
y = (x * 3).sum()
print(x.grad_fn, y.grad_fn.name())
# Output:
# None SumBackward0
# endregion

# region integer_refused
import torch

for dtype in (torch.float16, torch.int64, torch.complex64):
    try:
        x = torch.ones(2, dtype=dtype, requires_grad=True)
        print(x.dtype)
    except RuntimeError:
        print("refused")
# Output:
# torch.float16
# refused
# torch.complex64
# endregion

# region indices
import torch

x = torch.tensor([3.0, 7.0], requires_grad=True)
values, indices = x.max(dim=0)
print(values, indices)
# Output:
# tensor(7., grad_fn=<MaxBackward0>) tensor(1)
# endregion

# region conversion_leaf
import torch

w = torch.ones(2, requires_grad=True)  # float32
wide, same = w.to(torch.float64), w.to(torch.float32)
print(wide.grad_fn.name(), same.grad_fn)
# Output:
# ToCopyBackward0 None
# endregion

# region scaled_init
import torch

w = torch.ones(2, requires_grad=True) * 0.5
print(w)
# Output:
# tensor([0.5000, 0.5000], grad_fn=<MulBackward0>)
# endregion

# region proof_scaled_init
import warnings
import torch

w = torch.ones(2, requires_grad=True) * 0.5
w.sum().backward()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    assert w.grad is None
w = (torch.ones(2) * 0.5).requires_grad_()
w.sum().backward()
assert w.is_leaf and w.grad is not None
# endregion

# region parameter_cuts
import torch
from torch import nn

a = torch.ones(2, requires_grad=True)
p = nn.Parameter(a * 3)
p.sum().backward()
print(p.grad, a.grad)
# Output:
# tensor([1., 1.]) None
# endregion

# region tensor_cuts
import torch

a = torch.tensor(2.0, requires_grad=True)
for make in (torch.tensor, torch.stack):
    print(make([a, a]))
# Output:
# tensor([2., 2.])
# tensor([2., 2.], grad_fn=<StackBackward0>)
# endregion

# region control_flow
import torch

def f(x):
    return x * 2 if x > 0 else x * 5

for value in (3.0, -3.0):
    x = torch.tensor(value, requires_grad=True)
    f(x).backward()
    print(x.grad)
# Output:
# tensor(2.)
# tensor(5.)
# endregion

# region saved_tensors
import torch
from torch.autograd.graph import saved_tensors_hooks

x = torch.ones(2, requires_grad=True)
for operation in (torch.add, torch.mul):
    kept = []
    with saved_tensors_hooks(kept.append, lambda _: None):
        operation(x, x)
    print(len(kept))
# Output:
# 0
# 2
# endregion

# region proof_which_leaf
import torch

x = torch.ones(2, requires_grad=True)
assert not (x + 0).is_leaf and not x[0].is_leaf
assert not x.clone().is_leaf and x.detach().is_leaf
assert not x.to("meta").is_leaf and x.to(torch.float32) is x
# endregion

# region proof_attributes
import torch

x = torch.ones(2, requires_grad=True)
assert x.grad is None
(x * 2).sum().backward()
(x * 2).sum().backward()
assert x.grad.tolist() == [4.0, 4.0]
with torch.no_grad():
    assert x.requires_grad and not (x * 2).requires_grad
# endregion

# region proof_loss_history
import torch

w = torch.ones(2, requires_grad=True)
total, logged = 0, 0.0
for _ in range(3):
    loss = (w * w).sum()
    total += loss
    logged += loss.item()
assert total.requires_grad and total.grad_fn is not None
assert type(logged) is float and logged == 6.0
node = total.grad_fn.next_functions[0][0]
assert node.next_functions[0][0] is not None
# endregion
