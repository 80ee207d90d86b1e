"""Parameter groups: options of their own for parts of a model."""

# region options_filled_in
from torch import nn, optim

body, head = nn.Linear(4, 3), nn.Linear(3, 2)
optimizer = optim.SGD([
    {"params": body.parameters()},
    {"params": head.parameters(), "lr": 1.0},
], lr=0.5)
print([group["lr"] for group in optimizer.param_groups])
# Output:
# [0.5, 1.0]
# endregion

# region misspelt_option
import torch

w = torch.ones(2, requires_grad=True)
group = {"params": [w], "learning_rate": 2.0}
optimizer = torch.optim.SGD([group], lr=0.5)
print(optimizer.param_groups[0]["lr"])  # prints 0.5
# endregion

# region attribute_lr
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
optimizer.lr = 0.0
w.grad = torch.tensor([1.0])
optimizer.step()
print(w.item())  # prints 0.5
# endregion

# region late_group
from torch import nn, optim

head, body = nn.Linear(3, 2), nn.Linear(4, 3)
optimizer = optim.SGD(head.parameters(), lr=0.5)
optimizer.param_groups[0]["lr"] = 0.1
optimizer.add_param_group({"params": body.parameters()})
print([group["lr"] for group in optimizer.param_groups])
# Output:
# [0.1, 0.5]
# endregion

# region in_two_groups
from torch import nn, optim

model = nn.Linear(3, 2)
for first in ([model.weight], model.parameters()):
    second = {"params": [model.bias], "weight_decay": 0.0}
    try:
        sgd = optim.SGD([{"params": first}, second], lr=0.1)
        print(len(sgd.param_groups))
    except ValueError as error:
        print(type(error).__name__)
# Output:
# 2
# ValueError
# endregion

# region no_decay
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.LayerNorm(3))
for name, p in model.named_parameters():
    if p.ndim < 2:
        print(name)
# Output:
# 0.bias
# 1.weight
# 1.bias
# endregion

# region zero_lr_momentum
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.0, momentum=0.5)
w.grad = torch.tensor([4.0])
optimizer.step()
optimizer.param_groups[0]["lr"] = 1.0
w.grad = torch.tensor([0.0])
optimizer.step()
print(w.item())  # prints -1.0
# endregion

# region proof_same_objects
from torch import nn, optim

model = nn.Linear(3, 2)
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
model.double()
held = optimizer.param_groups[0]["params"]
assert held[0] is model.weight and held[0].dtype.itemsize == 8
assert held is not optimizer.param_groups  # a list of dicts
assert len(optimizer.param_groups) == 1
# endregion

# region proof_shrinking_norm
import torch
from torch import nn

norm = nn.LayerNorm(3)
optimizer = torch.optim.SGD(norm.parameters(), lr=0.5, weight_decay=0.5)
norm.weight.grad = torch.zeros(3)
optimizer.step()
x = torch.tensor([[1.0, 2.0, 3.0]])
assert norm.weight.tolist() == [0.75] * 3
assert torch.allclose(norm(x), 0.75 * nn.LayerNorm(3)(x))
# endregion

# region proof_unknown_option
import torch

w = torch.tensor([1.0], requires_grad=True)
group = {"params": [w], "learning_rate": 2.0}
optimizer = torch.optim.SGD([group], lr=0.5)
assert optimizer.param_groups[0]["learning_rate"] == 2.0
w.grad = torch.tensor([1.0])
optimizer.step()
assert w.item() == 0.5
# endregion

# region proof_stopped
import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
optimizer.param_groups[0]["lr"] = 0.0
w.grad = torch.tensor([1.0])
optimizer.step()
assert w.item() == 1
# endregion
