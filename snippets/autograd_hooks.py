"""Hooks: on tensors, on accumulated gradients, on modules, on saved tensors."""

# region replaces
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
y.register_hook(lambda grad: grad * 10)
y.backward()
print(x.grad)  # prints tensor(30.)
# endregion

# region each_pass
import torch

x = torch.tensor(2.0, requires_grad=True)
x.register_hook(lambda grad: print("hook", grad))
for _ in range(2):
    (x * 3).backward()
print(x.grad)
# Output:
# hook tensor(3.)
# hook tensor(3.)
# tensor(6.)
# endregion

# region post_accumulate
import torch

x, seen = torch.tensor(2.0, requires_grad=True), []
x.register_post_accumulate_grad_hook(
    lambda p: seen.append(p.grad.item())
)
(x * 3).backward()
(x * 4).backward()
print(seen)  # prints [3.0, 7.0]
# endregion

# region with_grad_function
import torch

w = torch.tensor(2.0, requires_grad=True)
w.register_hook(lambda g: print("hook"))
w.register_post_accumulate_grad_hook(lambda w: print("sum"))
torch.autograd.grad(w * 3, w)
# Output:
# hook
# endregion

# region forward_replaced
import torch
from torch import nn

layer = nn.ReLU()
layer.register_forward_hook(lambda module, args, out: None)
layer.register_forward_hook(lambda module, args, out: out + 100)
print(layer(torch.tensor([-1.0, 2.0])))
# Output:
# tensor([100., 102.])
# endregion

# region module_gradients
import torch
from torch import nn

def hook(module, grad_input, grad_output):
    print(tuple(grad_input[0].shape))
    print(tuple(grad_output[0].shape))

layer = nn.Linear(3, 2)
layer.register_full_backward_hook(hook)
x = torch.ones(4, 3, requires_grad=True)
layer(x).sum().backward()
# Output:
# (4, 3)
# (4, 2)
# endregion

# region module_changes_input
import torch
from torch import nn

layer = nn.Linear(1, 1, bias=False)
nn.init.constant_(layer.weight, 2)
layer.register_full_backward_hook(
    lambda module, grad_in, grad_out: (grad_in[0] * 10,)
)
x = torch.ones(1, requires_grad=True)
layer(x).backward()
print(x.grad, layer.weight.grad)
# Output:
# tensor([20.]) tensor([[1.]])
# endregion

# region module_in_place
import torch
from torch import nn

x = torch.tensor([-3.0, 2.0], requires_grad=True)
for activation in (torch.relu, torch.relu_):
    layer = nn.Identity()
    layer.register_full_backward_hook(lambda *args: None)
    try:
        print(activation(layer(x)).tolist())
    except RuntimeError:
        print("refused")
# Output:
# [0.0, 2.0]
# refused
# endregion

# region pack_changes
import torch
from torch.autograd.graph import saved_tensors_hooks

x = torch.tensor(3.0, requires_grad=True)
with saved_tensors_hooks(lambda t: t * 2, lambda t: t):
    y = x ** 2
y.backward()
print(y.item(), x.grad)
# Output:
# 9.0 tensor(12.)
# endregion

# region proof_step_in_backward
import torch

w = torch.tensor([8.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
def step(parameter):
    optimizer.step()
    optimizer.zero_grad()
w.register_post_accumulate_grad_hook(step)
(w * 2).sum().backward()
assert w.item() == 7.0 and w.grad is None
# endregion

# region proof_pre_hooks
import torch
from torch import nn

layer = nn.ReLU()
layer.register_forward_pre_hook(lambda m, args: args[0] * 5)
layer.register_full_backward_pre_hook(lambda m, go: (go[0] * 3,))
x = torch.tensor(2.0, requires_grad=True)
y = layer(x)
assert y == 10.0
y.backward()
assert x.grad == 15.0
# endregion

# region proof_saved_once
import torch
from torch.autograd.graph import saved_tensors_hooks

x, log = torch.ones(2, requires_grad=True), []
pack = lambda t: log.append("pack") or t
unpack = lambda t: log.append("unpack") or t
with saved_tensors_hooks(pack, unpack):
    y = x.exp()
y.sum().backward()
assert log == ["pack", "unpack"]
# endregion

# region proof_save_on_cpu
import torch
from torch.autograd.graph import save_on_cpu

a, b = (torch.tensor(v, requires_grad=True) for v in (2.0, 5.0))
with save_on_cpu():
    y = a * b
y.backward()
assert a.grad == 5.0 and b.grad == 2.0
# endregion

# region proof_with_kwargs
import torch
from torch import nn

layer, seen = nn.ReLU(), []
layer.register_forward_hook(lambda m, args, out: seen.append(args))
layer.register_forward_hook(
    lambda m, args, kwargs, out: seen.append(list(kwargs)),
    with_kwargs=True,
)
layer(input=torch.ones(1))
assert seen == [(), ["input"]]
# endregion

# region proof_none_changes_nothing
import torch
from torch import nn

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
y.register_hook(lambda grad: None)
layer = nn.ReLU()
layer.register_forward_pre_hook(lambda m, args: None)
layer(y).backward()
assert x.grad == 3.0 and layer(y) == 6.0
# endregion

# region proof_weight_in_neither
import torch
from torch import nn

layer, seen = nn.Linear(3, 2), []
layer.register_full_backward_hook(lambda m, i, o: seen.extend((i, o)))
x = torch.ones(4, 3, requires_grad=True)
layer(x).sum().backward()
assert [[tuple(t.shape) for t in part] for part in seen] == [[(4, 3)], [(4, 2)]]
assert torch.equal(seen[0][0], x.grad) and layer.weight.grad.shape == (2, 3)
# endregion
