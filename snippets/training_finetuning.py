"""Fine-tuning: freezing, new heads, and rates by group."""

# region attribute_of_module
from torch import nn

def trained(model):
    parts = model.named_parameters()
    return [name for name, p in parts if p.requires_grad]

model = nn.Linear(2, 1)
model.requires_grad = False
before = trained(model)
model.requires_grad_(False)
print(before, trained(model))  # prints ['weight', 'bias'] []
# endregion

# region new_head_trains
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 9))
model.requires_grad_(False)
model[1] = nn.Linear(3, 2)
for name, p in model.named_parameters():
    print(name, p.requires_grad)
# Output:
# 0.weight False
# 0.bias False
# 1.weight True
# 1.bias True
# endregion

# region frozen_too_late
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
for part in (model[0], model):
    part.requires_grad_(False)
    try:
        model(torch.ones(1, 4)).sum().backward()
        print(model[1].bias.grad)
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# tensor([1., 1.])
# RuntimeError
# endregion

# region frozen_records_nothing
import torch
from torch import nn

body, head = nn.Linear(4, 3), nn.Linear(3, 2)
body.requires_grad_(False)
features = body(torch.ones(1, 4))
for y in (features, head(features)):
    print(type(y.grad_fn).__name__)
# Output:
# NoneType
# AddmmBackward0
# endregion

# region biases_only
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
for name, p in model.named_parameters():
    p.requires_grad_("bias" in name)
trained = [p for p in model.parameters() if p.requires_grad]
print(sum(p.numel() for p in trained))
# Output:
# 5
# endregion

# region frozen_then_thawed
import torch

a = torch.tensor([1.0])
b = torch.tensor([1.0], requires_grad=True)
trained = [p for p in (a, b) if p.requires_grad]
optimizer = torch.optim.SGD(trained, lr=0.5)
a.requires_grad_()
(2 * a + 2 * b).sum().backward()
optimizer.step()
print(a.item(), b.item())
# Output:
# 1.0 0.0
# endregion

# region identity_head
import torch
from torch import nn

model = nn.Sequential()
model.add_module("body", nn.Linear(4, 3))
model.add_module("head", nn.Linear(3, 2))
model.head = nn.Identity()
print(model(torch.ones(1, 4)).shape)
# Output:
# torch.Size([1, 3])
# endregion

# region width_of_head
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 9))
model[-1] = nn.Linear(model[-1].in_features, 2)
print(model[-1].weight.shape, len(model))
# Output:
# torch.Size([2, 3]) 2
# endregion

# region load_without_head
from torch import nn

old = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 9))
model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
state = old.state_dict()
for key in ("1.weight", "1.bias"):
    del state[key]
result = model.load_state_dict(state, strict=False)
print(result.missing_keys, result.unexpected_keys)
# Output:
# ['1.weight', '1.bias'] []
# endregion

# region two_rates
import torch

body = torch.tensor([0.0], requires_grad=True)
head = torch.tensor([0.0], requires_grad=True)
groups = [{"params": [body], "lr": 0.5}, {"params": [head]}]
optimizer = torch.optim.SGD(groups, lr=2.0)
(body + head).sum().backward()
optimizer.step()
print(body.item(), head.item())
# Output:
# -0.5 -2.0
# endregion

# region proof_attribute
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
model.requires_grad = False
assert all(p.requires_grad for p in model.parameters())
model.requires_grad_(False)
assert not any(p.requires_grad for p in model.parameters())
model.requires_grad_(True)
assert all(p.requires_grad for p in model.parameters())
# endregion

# region proof_frozen_gradients
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
model[0].requires_grad_(False)
y = model(torch.ones(1, 4))
y.sum().backward()
assert model[0].weight.grad is None
assert model[1].weight.grad is not None
x = torch.ones(1, 4, requires_grad=True)
assert model[0](x).requires_grad
# endregion

# region proof_thawed
import torch
from torch import nn

body, head = nn.Linear(2, 2), nn.Linear(2, 1)
body.requires_grad_(False)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
body.requires_grad_(True)
optimizer.add_param_group({"params": body.parameters()})
before = body.weight.detach().clone()
head(body(torch.ones(1, 2))).sum().backward()
assert body.weight.grad is not None
body.weight.grad.fill_(1)
optimizer.step()
assert not torch.equal(before, body.weight)
try:
    optimizer.add_param_group({"params": body.parameters()})
    raise AssertionError
except ValueError:
    pass
# endregion

# region proof_head
import torch
from torch import nn

x = torch.ones(1, 4)
assert nn.Identity()(x) is x
old = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 9))
model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
head = model[1].weight.detach().clone()
state = {k: v for k, v in old.state_dict().items() if k[0] == "0"}
model.load_state_dict(state, strict=False)
assert torch.equal(model[0].weight, old[0].weight)
assert torch.equal(model[1].weight, head)
try:
    model.load_state_dict(state)
    raise AssertionError
except RuntimeError:
    pass
# endregion

# region proof_choice
import torch
from torch import nn

def step(model, lr=0.5, grad=True):
    before = model.weight.detach().clone()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    with torch.set_grad_enabled(grad):
        y = model(torch.ones(1, 2)).sum()
    if y.requires_grad:
        y.backward()
    optimizer.step()
    same = torch.equal(before, model.weight)
    return same, model.weight.grad is not None

assert step(nn.Linear(2, 1)) == (False, True)
assert step(nn.Linear(2, 1), lr=0.0) == (True, True)
assert step(nn.Linear(2, 1).eval()) == (False, True)
assert step(nn.Linear(2, 1), grad=False) == (True, False)
frozen = nn.Linear(2, 1).requires_grad_(False)
assert step(frozen) == (True, False)
# endregion

# region proof_all_frozen
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 9))
model[1] = nn.Linear(3, 2)
model.requires_grad_(False)
y = model(torch.ones(1, 4)).sum()
assert not y.requires_grad and y.grad_fn is None
try:
    y.backward()
    raise AssertionError
except RuntimeError:
    pass
# endregion
