"""What an optimizer does to its parameters, and which parameters it accepts."""

# region step_keeps_gradient
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.25)
(2 * w).sum().backward()
optimizer.step()
optimizer.step()
print(w.item())  # prints 0.0
# endregion

# region gradients_add
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
for _ in range(2):
    (2 * w).sum().backward()
    optimizer.step()
print(w.item())  # prints -2.0
# endregion

# region zero_grad_none
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
(2 * w).sum().backward()
optimizer.zero_grad(set_to_none=False)
zeros = w.grad
optimizer.zero_grad()
print(zeros, w.grad)  # prints tensor([0.]) None
# endregion

# region none_is_skipped
import torch

used = torch.tensor([1.0], requires_grad=True)
unused = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD(
    [used, unused], lr=0.5, weight_decay=0.5
)
used.grad = torch.tensor([0.0])
optimizer.step()
print(used.item(), unused.item())  # prints 0.75 1.0
# endregion

# region in_place
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
before = w.detach()
(2 * w).sum().backward()
optimizer.step()
print(before.item())  # prints 0.0
# endregion

# region replaced_layer
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model[1] = nn.Linear(3, 5)
held = optimizer.param_groups[0]["params"]
for name, p in model.named_parameters():
    print(name, any(p is q for q in held))
# Output:
# 0.weight True
# 0.bias True
# 1.weight False
# 1.bias False
# endregion

# region step_before_backward
import torch

w = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
w.grad = torch.tensor(1.0)
for loss in (w + w, w * w):
    optimizer.step()
    try:
        loss.backward()
        print(w.grad)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# tensor(3.)
# RuntimeError
# endregion

# region used_up_generator
from torch import nn, optim

layer = nn.Linear(3, 2)
params = layer.parameters()
print(sum(p.numel() for p in params))
try:
    optim.SGD(params, lr=0.1)
except ValueError as error:
    print(type(error).__name__)
# Output:
# 8
# ValueError
# endregion

# region post_hook
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
@torch.no_grad()
def clamp(optimizer, args, kwargs):
    w.clamp_(min=0)
optimizer.register_step_post_hook(clamp)
w.grad = torch.tensor([4.0])
optimizer.step()
print(w.item())  # prints 0.0
# endregion

# region proof_zero_grad_reach
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
model(torch.ones(1, 2)).sum().backward()
optimizer.zero_grad()
assert model[1].weight.grad is None
assert model[0].weight.grad is not None
model.zero_grad()
assert model[0].weight.grad is None
# endregion

# region proof_frozen
import torch

frozen = torch.ones(1)
w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([frozen, w], lr=0.5, weight_decay=0.5)
(2 * w * frozen).sum().backward()
optimizer.step()
assert frozen.item() == 1 and w.item() == -0.25
w.requires_grad_(False)  # frozen late: the old gradient is still there
optimizer.step()
assert w.item() == -1.1875
# endregion

# region proof_pre_hook
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
optimizer.register_step_pre_hook(
    lambda optimizer, args, kwargs: ((optimizer, lambda: 7.0), {})
)
assert optimizer.step(lambda: 5.0) == 7.0
# endregion
