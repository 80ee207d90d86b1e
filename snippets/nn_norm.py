"""Initialisation and normalisation."""

# region zero_weights
import torch
from torch import nn

layers = nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)
net = nn.Sequential(*layers)
for p in net.parameters():
    nn.init.zeros_(p)
net(torch.ones(4, 2)).sum().backward()
print([p.grad.abs().sum().item() for p in net.parameters()])
# Output:
# [0.0, 0.0, 0.0, 4.0]
# endregion

# region proof_fan_of_bias
from torch import nn

layer = nn.Linear(4, 2)
nn.init.kaiming_normal_(layer.weight)
try:
    raise AssertionError(nn.init.kaiming_normal_(layer.bias))
except ValueError as error:
    assert "fewer than 2 dimensions" in str(error)
assert not nn.init.zeros_(layer.bias).any()
# endregion

# region proof_trunc_normal
import inspect
import torch
from torch import nn

parameters = inspect.signature(nn.init.trunc_normal_).parameters
assert [parameters[name].default for name in "ab"] == [-2.0, 2.0]
w = nn.init.trunc_normal_(torch.zeros(10_000), std=5.0)
assert 1.9 < w.abs().max() <= 2
w = nn.init.trunc_normal_(torch.zeros(10_000), std=0.02)
assert w.abs().max() > 3 * 0.02
# endregion

# region running_mean
import torch
from torch import nn

norm = nn.BatchNorm1d(1)
norm(torch.tensor([[10.0], [30.0]]))
print(norm.running_mean)
# Output:
# tensor([2.])
# endregion

# region running_var
import torch
from torch import nn

norm = nn.BatchNorm1d(1, momentum=1.0)
norm(torch.tensor([[1.0], [3.0]]))
print(norm.running_var)
# Output:
# tensor([2.])
# endregion

# region fresh_eval
import torch
from torch import nn

norm = nn.BatchNorm1d(1, affine=False).eval()
print(norm(torch.tensor([[10.0], [30.0]])).round())
# Output:
# tensor([[10.],
#         [30.]])
# endregion

# region one_value
import torch
from torch import nn

norm = nn.BatchNorm1d(3)
for mode in (False, True):
    try:
        print(norm.train(mode)(torch.ones(1, 3)).shape)
    except ValueError:
        print("error")
# Output:
# torch.Size([1, 3])
# error
# endregion

# region norm_states
from torch import nn

for norm in (nn.BatchNorm1d(4), nn.LayerNorm(4)):
    print([name for name, _ in norm.named_buffers()])
# Output:
# ['running_mean', 'running_var', 'num_batches_tracked']
# []
# endregion

# region layer_norm
import torch
from torch import nn

norm = nn.LayerNorm(2, elementwise_affine=False)
x = torch.tensor([[1.0, 3.0], [10.0, 50.0]])
print(norm(x).round())
# Output:
# tensor([[-1.,  1.],
#         [-1.,  1.]])
# endregion

# region rms_norm
import torch
from torch import nn

x = torch.tensor([[5.0, 5.0]])
rms = nn.RMSNorm(2, elementwise_affine=False)
layer = nn.LayerNorm(2, elementwise_affine=False)
print(rms(x), layer(x))
# Output:
# tensor([[1., 1.]]) tensor([[0., 0.]])
# endregion

# region proof_inits
import torch
from torch import nn

w = nn.init.orthogonal_(torch.zeros(3, 5))
assert torch.allclose(w @ w.T, torch.eye(3), atol=1e-5)
x = torch.rand(1, 2, 6)
same = nn.init.dirac_(torch.zeros(2, 2, 3))
assert torch.allclose(torch.conv1d(x, same, padding=1), x)
table = nn.Embedding(500, 40).weight
assert abs(table.std() - 1) < 0.05 and abs(table.mean()) < 0.05
assert not list(nn.InstanceNorm2d(3).parameters())
# endregion

# region proof_fans
import torch
from torch import nn

w, fill = torch.zeros(200, 800), nn.init.kaiming_normal_
into, out = (
    fill(w.clone(), mode=mode, nonlinearity="relu").std()
    for mode in ("fan_in", "fan_out")
)
assert abs(into * 800**0.5 - 2**0.5) < 0.05
assert abs(out * 200**0.5 - 2**0.5) < 0.05
assert abs(nn.init.xavier_normal_(w).std() * 500**0.5 - 1) < 0.05
# endregion

# region proof_linear_default
import torch
from torch import nn

layer = nn.Linear(100, 50)
for p in layer.parameters():
    assert 0.08 < p.abs().max() <= 0.1
# endregion

# region proof_init_in_place
import torch
from torch import nn

layer = nn.Linear(2, 2)
assert nn.init.ones_(layer.weight) is layer.weight
assert layer.weight.requires_grad and layer.weight.grad_fn is None
try:
    layer.weight.fill_(1.0)
    raise AssertionError
except RuntimeError:
    pass
# endregion

# region proof_batch_norm
import torch
from torch import nn

x = torch.tensor([[1.0], [3.0]])
norm = nn.BatchNorm1d(1, affine=False, momentum=None)
assert norm(x).round().tolist() == [[-1], [1]]
norm(x + 4)
assert norm.running_mean.item() == 4 and norm.num_batches_tracked == 2
free = nn.BatchNorm1d(1, affine=False, track_running_stats=False)
assert free.eval()(x).round().tolist() == [[-1], [1]]
assert free.running_mean is None and not free.state_dict()
# endregion

# region proof_bias_is_lost
import torch
from torch import nn

norm, x = nn.BatchNorm2d(3), torch.rand(4, 3, 5, 5)
shifted = norm(x + torch.rand(3, 1, 1))
assert torch.allclose(norm(x), shifted, atol=1e-4)
try:
    nn.GroupNorm(2, 3)
    raise AssertionError
except ValueError:
    pass
# endregion

# region proof_what_is_averaged
import torch
from torch import nn

x = torch.rand(2, 6, 4, 4)
def means(norm, *dims):
    return norm(x).mean(dim=dims).abs().max() < 1e-5
assert means(nn.BatchNorm2d(6), 0, 2, 3)
assert means(nn.GroupNorm(1, 6), 1, 2, 3)
assert means(nn.InstanceNorm2d(6), 2, 3)
assert not means(nn.BatchNorm2d(6), 2, 3)
assert means(nn.LayerNorm([4, 4]), 2, 3)
# endregion

# region proof_batch_of_one
import torch
from torch import nn

picture = nn.BatchNorm2d(3)(torch.rand(1, 3, 4, 4))
assert picture.shape == (1, 3, 4, 4)
norm = nn.BatchNorm1d(1).eval()
norm(torch.ones(2, 1))
assert norm.running_mean.item() == 0
# endregion

# region proof_init_limits
import torch
from torch import nn

for fill in (nn.init.kaiming_uniform_, nn.init.xavier_normal_):
    try:
        fill(torch.zeros(5))
        raise AssertionError
    except ValueError:
        pass
w = nn.init.trunc_normal_(torch.zeros(10000), std=0.02)
assert w.abs().max() > 3 * 0.02
# endregion

# region proof_zeros_never_learn
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
for p in net.parameters():
    nn.init.zeros_(p)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    opt.zero_grad()
    (net(torch.rand(4, 2)) - 1).square().mean().backward()
    opt.step()
moved = [p.any().item() for p in net.parameters()]
assert moved == [False, False, False, True]
# endregion

# region proof_running_statistics
import torch
from torch import nn

x = torch.tensor([[1.0], [3.0]])
norm = nn.BatchNorm1d(1)
assert norm.momentum == 0.1 and norm.bias is not None
assert norm.running_mean.item() == 0 and norm.running_var.item() == 1
norm(x)
assert norm.running_var.isclose(torch.tensor([0.9 * 1 + 0.1 * 2]))
out = nn.BatchNorm1d(1, affine=False)(x)
assert torch.allclose(out, (x - 2) / (1 + 1e-5) ** 0.5)
norm = nn.BatchNorm1d(1, momentum=1.0)
norm.eval()(x)
assert norm.running_mean.item() == 0
norm.train()(x)
assert norm.running_mean.item() == 2
fresh = nn.BatchNorm1d(1).eval()
assert torch.allclose(fresh(x), x, rtol=1e-4)
# endregion

# region proof_rows_by_themselves
import torch
from torch import nn

x = torch.rand(4, 6)
for norm in (nn.LayerNorm(6), nn.GroupNorm(2, 6), nn.RMSNorm(6)):
    assert torch.allclose(norm(x)[:1], norm(x[:1]), atol=1e-6)
    assert torch.equal(norm.train()(x), norm.eval()(x))
norm = nn.BatchNorm1d(6)
assert not torch.allclose(norm(x)[:2], norm(x[:2]), atol=1e-3)
assert len(nn.BatchNorm1d(4, affine=False).state_dict()) == 3
for make in (True, False):
    layer = nn.RMSNorm(2, elementwise_affine=make)
    assert len(layer.state_dict()) == make
layer = nn.Linear(2, 2)
with torch.no_grad():
    layer.weight.fill_(1.0)
assert layer.weight.eq(1).all()
# endregion
