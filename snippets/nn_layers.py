"""Layers: what goes in, what comes out, what is inside."""

# region linear_last
import torch
from torch import nn

layer = nn.Linear(4, 2)
print(layer(torch.ones(3, 5, 4)).shape)
# Output:
# torch.Size([3, 5, 2])
# endregion

# region linear_weight
from torch import nn

print(nn.Linear(in_features=4, out_features=2).weight.shape)
# Output:
# torch.Size([2, 4])
# endregion

# region conv_shape
import torch
from torch import nn

conv = nn.Conv2d(3, 8, kernel_size=5)
print(conv(torch.ones(1, 3, 32, 32)).shape)
# Output:
# torch.Size([1, 8, 28, 28])
# endregion

# region conv_stride
import torch
from torch import nn

conv = nn.Conv1d(1, 1, 3, stride=2, padding=1)
for n in (7, 8, 9):
    print(conv(torch.ones(1, 1, n)).shape[2])
# Output:
# 4
# 4
# 5
# endregion

# region conv_same
import torch
from torch import nn

for stride in (1, 2):
    try:
        conv = nn.Conv2d(3, 8, 3, stride=stride, padding="same")
        print(conv(torch.ones(1, 3, 5, 7)).shape)
    except ValueError:
        print("refused")
# Output:
# torch.Size([1, 8, 5, 7])
# refused
# endregion

# region conv_unbatched
import torch
from torch import nn

conv = nn.Conv2d(3, 8, kernel_size=3, padding=1)
three_grey_images = torch.ones(3, 32, 32)
print(conv(three_grey_images).shape)
# Output:
# torch.Size([8, 32, 32])
# endregion

# region conv_groups
from torch import nn

conv = nn.Conv2d(8, 16, kernel_size=3, groups=4)
print(conv.weight.shape)
# Output:
# torch.Size([16, 2, 3, 3])
# endregion

# region transposed
import torch
from torch import nn

up = nn.ConvTranspose2d(3, 8, kernel_size=2, stride=2)
print(up(torch.ones(1, 3, 5, 5)).shape)
# Output:
# torch.Size([1, 8, 10, 10])
# endregion

# region transposed_weight
from torch import nn

for kind in (nn.Conv2d, nn.ConvTranspose2d):
    print(kind(3, 8, kernel_size=2).weight.shape)
# Output:
# torch.Size([8, 3, 2, 2])
# torch.Size([3, 8, 2, 2])
# endregion

# region pool_stride
import torch
from torch import nn

x = torch.ones(1, 1, 12)
print(nn.MaxPool1d(3)(x).shape)
# Output:
# torch.Size([1, 1, 4])
# endregion

# region pool_padding
import torch
from torch import nn

x = torch.tensor([[-4.0, -6.0]])
for pool in (nn.AvgPool1d, nn.MaxPool1d):
    print(pool(2, padding=1)(x))
# Output:
# tensor([[-2., -3.]])
# tensor([[-4., -6.]])
# endregion

# region adaptive
import torch
from torch import nn

x = torch.tensor([[1.0, 2.0, 3.0, 4.0, 5.0]])
print(nn.AdaptiveAvgPool1d(2)(x))
# Output:
# tensor([[2., 4.]])
# endregion

# region flatten
import torch
from torch import nn

x = torch.ones(2, 3, 4)
print(nn.Flatten()(x).shape, torch.flatten(x).shape)
# Output:
# torch.Size([2, 12]) torch.Size([24])
# endregion

# region proof_linear
import torch
from torch import nn
layer = nn.Linear(4, 2)
x = torch.ones(3, 4)
y = x @ layer.weight.T + layer.bias
assert torch.allclose(layer(x), y)
# endregion

# region proof_conv
import torch
from torch import nn

x = torch.ones(2, 3, 8, 8)
plain = nn.Conv2d(3, 6, 3)(x)
assert plain.shape == (2, 6, 6, 6)
assert nn.Conv2d(3, 6, 3, padding="same")(x).shape[2:] == (8, 8)
assert nn.Conv2d(3, 6, 3, dilation=3)(x).shape[2:] == (2, 2)
assert nn.Conv2d(3, 6, 3, groups=3).weight.shape == (6, 1, 3, 3)
assert nn.Conv2d(3, 6, 3, bias=False).bias is None
# endregion

# region proof_grey_batch_is_refused
import torch
from torch import nn

try:
    nn.Conv2d(1, 8, 3)(torch.ones(5, 32, 32))
    raise AssertionError
except RuntimeError:
    pass
# endregion

# region proof_output_padding
import torch
from torch import nn

down = nn.Conv1d(1, 1, 3, stride=2, padding=1)
assert {down(torch.ones(1, 1, n)).shape[2] for n in (7, 8)} == {4}
four = torch.ones(1, 1, 4)
for extra, size in ((0, 7), (1, 8)):
    up = nn.ConvTranspose1d(1, 1, 3, 2, 1, output_padding=extra)
    assert up(four).shape[2] == size
# endregion

# region proof_pool
import torch
from torch import nn

x = torch.ones(1, 1, 5, 7)
assert nn.AdaptiveAvgPool2d(1)(x).shape == (1, 1, 1, 1)
assert nn.AdaptiveAvgPool2d((None, 2))(x).shape == (1, 1, 5, 2)
assert nn.MaxPool2d(2)(x).shape[2:] == (2, 3)
assert nn.MaxPool2d(2, ceil_mode=True)(x).shape[2:] == (3, 4)
four = torch.tensor([[4.0, 6.0]])
inside = nn.AvgPool1d(2, padding=1, count_include_pad=False)(four)
assert inside.tolist() == [[4, 6]]
# endregion

# region proof_shuffle_and_unflatten
import torch
from torch import nn

assert nn.PixelShuffle(2)(torch.ones(1, 8, 3, 3)).shape == (1, 2, 6, 6)
assert not list(nn.PixelShuffle(2).parameters())
assert nn.Unflatten(1, (2, 3))(torch.ones(4, 6)).shape == (4, 2, 3)
# endregion

# region proof_defaults
import torch
from torch import nn
import torch.nn.functional as F

x = torch.ones(1, 1, 12)
for pool in (nn.MaxPool1d, nn.AvgPool1d):
    assert pool(3)(x).shape[2] == 4
    assert pool(3, stride=1)(x).shape[2] == 10
assert nn.Conv1d(1, 1, 3)(x).shape[2] == 10
assert nn.Conv1d(1, 1, 3, stride=3)(x).shape[2] == 4
assert nn.Flatten(0)(x).shape == torch.flatten(x).shape
low = torch.full((1, 1, 4), -1e30)
assert F.max_pool1d(low, 2, padding=1).eq(-1e30).all()
for stride in (2, 3, (1, 2)):
    try:
        nn.Conv2d(1, 1, 3, stride=stride, padding="same")
        raise AssertionError
    except ValueError:
        pass
# endregion

# region proof_what_a_filter_reads
import torch
from torch import nn


def read(conv, size):
    """Channels and places that the first output value depends on."""
    x = torch.zeros(1, conv.in_channels, *size, requires_grad=True)
    conv(x)[0, 0].flatten()[0].backward()
    _, channels, *places = x.grad.nonzero().T.tolist()
    return len(set(channels)), len(set(zip(*places)))


assert read(nn.Conv2d(32, 32, 3, groups=32), (5, 5)) == (1, 9)
assert read(nn.Conv2d(32, 32, 1), (5, 5)) == (32, 1)
assert read(nn.Conv2d(32, 32, 3, groups=1), (5, 5)) == (32, 9)
assert read(nn.Conv2d(32, 1, 3), (5, 5)) == (32, 9)
assert read(nn.Conv2d(8, 16, 3, groups=4), (5, 5)) == (2, 9)
up = nn.ConvTranspose2d(1, 1, 2, 2, bias=False)
x = torch.zeros(1, 1, 2, 2)
x[0, 0, 0, 1] = 1
assert torch.equal(up(x)[0, 0, :2, 2:], up.weight[0, 0])
assert up(x).count_nonzero() <= 4
# endregion
