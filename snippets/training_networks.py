"""Building a small network: containers, counts, shapes, heads."""

# region sequential_takes
from torch import nn

for part in (nn.ReLU(), nn.ReLU, [nn.ReLU()]):
    try:
        print(len(nn.Sequential(part)))
    except TypeError as error:
        print(type(error).__name__)
# Output:
# 1
# TypeError
# TypeError
# endregion

# region sequential_tuple
import torch
from torch import nn

net = nn.Sequential(nn.GRU(4, 6), nn.Linear(6, 2))
x = torch.ones(5, 3, 4)
print(type(net[0](x)).__name__)
try:
    print(net(x).shape)
except TypeError as error:
    print(type(error).__name__)
# Output:
# tuple
# TypeError
# endregion

# region module_dict
from torch import nn

heads = nn.ModuleDict()
for key in ("left", "eye.left"):
    try:
        heads[key] = nn.Linear(4, 1)
        print(list(heads.state_dict()))
    except KeyError as error:
        print(type(error).__name__)
# Output:
# ['left.weight', 'left.bias']
# KeyError
# endregion

# region count_linear
from torch import nn

layer = nn.Linear(10, 5)
print(sum(p.numel() for p in layer.parameters()))
# Output:
# 55
# endregion

# region count_conv
from torch import nn

layer = nn.Conv2d(3, 10, kernel_size=5)
print(sum(p.numel() for p in layer.parameters()))
# Output:
# 760
# endregion

# region conv_to_linear
import torch
from torch import nn

body = nn.Sequential(
    nn.Conv2d(1, 10, kernel_size=3), nn.MaxPool2d(2)
)
features = body(torch.ones(4, 1, 28, 28)).flatten(1)
print(features.shape)
# Output:
# torch.Size([4, 1690])
# endregion

# region any_size
import torch
from torch import nn

pool = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())
for size in (10, 20):
    x = torch.ones(2, 3, size, size)
    print(tuple(x.flatten(1).shape), tuple(pool(x).shape))
# Output:
# (2, 300) (2, 3)
# (2, 1200) (2, 3)
# endregion

# region residual_broadcast
import torch
from torch import nn

x = torch.ones(2, 8, 4, 4)
for channels in (8, 4, 1):
    f = nn.Conv2d(8, channels, kernel_size=1)
    try:
        print(tuple((x + f(x)).shape))
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# (2, 8, 4, 4)
# RuntimeError
# (2, 8, 4, 4)
# endregion

# region residual_identity
import torch
from torch import nn

f = nn.Sequential(nn.Linear(3, 9), nn.Linear(9, 3))
nn.init.zeros_(f[1].weight)
nn.init.zeros_(f[1].bias)
x = torch.eye(3)
y = x + f(x)
y.sum().backward()
print(torch.equal(y, x), f[1].bias.grad)
# Output:
# True tensor([3., 3., 3.])
# endregion

# region mean_with_padding
import torch

x = torch.tensor([[[6.0], [6.0], [0.0]]])
real = torch.tensor([[1.0, 1.0, 0.0]])
total = (x * real[:, :, None]).sum(dim=1)
count = real.sum(dim=1, keepdim=True)
print(x.mean(dim=1).item(), (total / count).item())
# Output:
# 4.0 6.0
# endregion

# region tied
from torch import nn

net = nn.Sequential(
    nn.Embedding(100, 8), nn.Linear(8, 100, bias=False)
)
for tie in (False, True):
    if tie:
        net[1].weight = net[0].weight
    print(sum(p.numel() for p in net.parameters()))
# Output:
# 1600
# 800
# endregion

# region only_linear
import torch
from torch import nn

a = nn.Linear(1, 4, bias=False)
b = nn.Linear(4, 1, bias=False)
nn.init.ones_(a.weight)
nn.init.ones_(b.weight)
x = torch.tensor([[1.0], [-1.0]])
for act in (nn.Identity(), nn.ReLU()):
    print(b(act(a(x))).flatten().tolist())
# Output:
# [4.0, -4.0]
# [4.0, 0.0]
# endregion

# region first_loss
import torch
import torch.nn.functional as F

loss = F.cross_entropy(torch.zeros(4, 10), torch.arange(4))
print(round(loss.exp().item()))
# Output:
# 10
# endregion

# region shifted_logits
import torch

x = torch.zeros(2)
for t in (x, x + 100):
    print(t.softmax(dim=0), t.sigmoid())
# Output:
# tensor([0.5000, 0.5000]) tensor([0.5000, 0.5000])
# tensor([0.5000, 0.5000]) tensor([1., 1.])
# endregion

# region proof_sequential
import torch
from torch import nn

for part in (nn.ReLU, torch.relu, [nn.ReLU()], lambda t: t):
    try:
        nn.Sequential(part)
        raise AssertionError
    except TypeError as error:
        assert "is not a Module subclass" in str(error)
assert len(nn.Sequential(*[nn.ReLU(), nn.ReLU()])) == 2
assert type(nn.GRU(4, 6)(torch.ones(5, 3, 4))) is tuple
x = torch.ones(2, 4)
try:
    nn.Sequential(nn.Bilinear(4, 4, 2))(x, x)
    raise AssertionError
except TypeError:
    assert nn.Bilinear(4, 4, 2)(x, x).shape == (2, 2)
# endregion

# region proof_module_dict
from torch import nn

net = nn.ModuleDict({"a": nn.Linear(2, 2)})
net["b"] = nn.ReLU()
assert list(net.keys()) == ["a", "b"] and net["b"] is net.b
try:
    net["c.d"] = nn.ReLU()
    raise AssertionError
except KeyError as error:
    assert "contain" in str(error)
plain = nn.Module()
plain.heads = {"a": nn.Linear(2, 2)}
assert not list(plain.parameters())
# endregion

# region proof_counts
import torch
from torch import nn

def count(module):
    return sum(p.numel() for p in module.parameters())
assert count(nn.Linear(10, 5)) == 10 * 5 + 5
assert count(nn.Linear(10, 5, bias=False)) == 50
conv = nn.Conv2d(3, 10, 5)
assert count(conv) == 10 * (3 * 5 * 5 + 1)
for size in (8, 32):
    conv(torch.ones(1, 3, size, size))
    assert count(conv) == 760
assert count(nn.Embedding(100, 8)) == 800
assert count(nn.MaxPool2d(2)) == count(nn.ReLU()) == 0
# endregion

# region proof_shapes
import torch
from torch import nn

conv = nn.Conv2d(1, 8, kernel_size=3)
x = torch.ones(4, 1, 28, 28)
assert conv(x).shape == (4, 8, 26, 26)
assert nn.MaxPool2d(2)(conv(x)).shape == (4, 8, 13, 13)
pool = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())
y = torch.arange(24.0).reshape(1, 2, 3, 4)
assert torch.allclose(pool(y), y.mean(dim=(2, 3)))
# endregion

# region proof_residual
import torch
from torch import nn

f = nn.Linear(3, 3)
h = f(torch.ones(2, 3))
h = h + f(h)
h.sum().backward()
x = torch.ones(2, 3)
x += f(x).detach()
nn.init.zeros_(f.weight)
t = torch.ones(1, 3, requires_grad=True)
(t + f(t)).sum().backward()
assert t.grad.tolist() == [[1, 1, 1]]
t.grad = None
f(t).sum().backward()
assert t.grad.tolist() == [[0, 0, 0]]
a = torch.ones(2, 8, 4, 4) + torch.ones(2, 1, 4, 4)
assert a.shape == (2, 8, 4, 4)
# endregion

# region proof_pooling
import torch
from torch import nn

table = nn.Embedding(5, 1, padding_idx=0)
x = table(torch.tensor([[3, 3, 0]]))
assert x[0, 2].item() == 0
assert torch.allclose(x.mean(dim=1) * 3 / 2, table(torch.tensor([3])))
bag = nn.EmbeddingBag.from_pretrained(table.weight, padding_idx=0)
with torch.no_grad():
    out = bag(torch.tensor([[3, 3, 0]]))
    assert torch.allclose(out, table.weight[3:4])
    assert torch.allclose(x.mean(dim=1), x.flip(1).mean(dim=1))
# endregion

# region proof_tied
import torch
from torch import nn

net = nn.Sequential(nn.Embedding(4, 2), nn.Linear(2, 4, bias=False))
assert net[0].weight.shape == net[1].weight.shape == (4, 2)
tokens = torch.tensor([1, 1])
with torch.no_grad():
    net[1].weight.copy_(net[0].weight)
net(tokens).pow(2).sum().backward()
apart = net[0].weight.grad + net[1].weight.grad
net[1].weight = net[0].weight
net.zero_grad()
net(tokens).pow(2).sum().backward()
assert torch.allclose(net[0].weight.grad, apart)
assert net[1].weight.grad is net[0].weight.grad
# endregion

# region proof_only_linear
import torch
from torch import nn

a, b = nn.Linear(3, 8), nn.Linear(8, 2)
c = nn.Linear(3, 2)
with torch.no_grad():
    c.weight.copy_(b.weight @ a.weight)
    c.bias.copy_(b.weight @ a.bias + b.bias)
x = torch.randn(5, 3)
assert torch.allclose(nn.Sequential(a, b)(x), c(x), atol=1e-5)
# endregion

# region proof_head
import math
import torch
import torch.nn.functional as F

loss = F.cross_entropy(torch.zeros(4, 10), torch.arange(4))
assert abs(loss.item() - math.log(10)) < 1e-6
x = torch.tensor([[1.0, 3.0], [4.0, -1.0]])
assert torch.allclose(x.softmax(1)[:, 1], (x[:, 1] - x[:, 0]).sigmoid())
y = torch.tensor([1, 0])
two = F.cross_entropy(x, y)
one = F.binary_cross_entropy_with_logits(x[:, 1] - x[:, 0], y.float())
assert torch.allclose(two, one)
# endregion

# region proof_narrow_branch
import torch
from torch import nn

f = nn.Linear(3, 3)
nn.init.zeros_(f.weight)
nn.init.zeros_(f.bias)
(torch.eye(3) + f(torch.eye(3))).sum().backward()
assert f.weight.grad.tolist() == [[1.0, 1.0, 1.0]] * 3
# endregion

# region proof_key_in_names
from torch import nn

heads = nn.ModuleDict({"left": nn.Linear(4, 1)})
assert list(heads.state_dict()) == ["left.weight", "left.bias"]
# endregion

# region proof_in_place_forms
import torch
from torch import nn

f = nn.Linear(3, 3)
h = f(torch.ones(2, 3))
h += f(h)
try:
    h.sum().backward()
    raise AssertionError
except RuntimeError:
    pass
h = f(torch.ones(2, 3))
h = h + f(h)
h.sum().backward()
# endregion
