"""Modules explained: proofs of what the cards say about error messages and choices."""

# region proof_errors
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def says(message, call, *args):
    """Checks that the call raises an error with this message."""
    try:
        call(*args)
    except Exception as error:
        assert message in str(error), error
        return type(error)
    raise SystemExit("no error")


photo = torch.ones(1, 28, 28, 3)
message = "expected input[1, 28, 28, 3] to have 3 channels, but got 28 channels instead"
says(message, nn.Conv2d(3, 8, 3), photo)
assert nn.Conv2d(3, 8, 3)(photo.permute(0, 3, 1, 2)).shape == (1, 8, 26, 26)

data = np.ones((3, 2))
message = "mat1 and mat2 must have the same dtype, but got Double and Float"
says(message, nn.Linear(2, 1), torch.from_numpy(data))
assert nn.Linear(2, 1)(torch.from_numpy(data).float()).shape == (3, 1)

state = {"net.weight": torch.zeros(1, 2), "bias": torch.zeros(1)}
message = 'Missing key(s) in state_dict: "weight"'
says(message, nn.Linear(2, 1).load_state_dict, state)
message = 'Unexpected key(s) in state_dict: "net.weight"'
says(message, nn.Linear(2, 1).load_state_dict, state)

logits, targets = torch.zeros(3, 4), torch.tensor([0, 3, -1])
says("Target -1 is out of bounds.", F.cross_entropy, logits, targets)
wanted = F.cross_entropy(logits[:2], targets[:2])
assert F.cross_entropy(logits, targets, ignore_index=-1) == wanted
assert nn.CrossEntropyLoss().ignore_index == -100


class Net(nn.Module):
    def foward(self, x):
        return x


says('Module [Net] is missing the required "forward" function', Net(), 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()

        def forward(self, x):
            return x


says('Module [Net] is missing the required "forward" function', Net(), 1)

message = "Only Tensors of floating point and complex dtype can require gradients"
says(message, nn.Parameter, torch.arange(3))
nn.Module().register_buffer("steps", torch.arange(3))

features = nn.Linear(2, 3)(torch.ones(4, 2))
says("expected 4D input (got 2D input)", nn.BatchNorm2d(3), features)
assert nn.BatchNorm1d(3)(features).shape == (4, 3)

x = torch.randn(2, 8, 4)
message = "Given normalized_shape=[8], expected input with shape [*, 8]"
says(message, nn.LayerNorm(8), x)
assert nn.LayerNorm(8)(x.transpose(1, 2)).shape == (2, 4, 8)
print("errors as told")
# endregion

# region proof_choices
import torch
import torch.nn.functional as F
from torch import nn

try:
    nn.Sequential(nn.Linear(2, 2), F.relu)
    raise SystemExit("no error")
except TypeError as error:
    assert "is not a Module subclass" in str(error)
x = torch.randn(3, 4)
assert F.relu(x).equal(nn.ReLU()(x)) and F.relu(x).equal(nn.ReLU().eval()(x))
assert not nn.ReLU().state_dict() and not list(nn.ReLU().parameters())

targets = torch.tensor([0, 3, 1])
loss = nn.CrossEntropyLoss()(x, targets)
assert torch.allclose(loss, nn.NLLLoss()(x.log_softmax(1), targets))
assert torch.allclose(loss, nn.NLLLoss()(nn.LogSoftmax(1)(x), targets))
assert not torch.allclose(loss, nn.NLLLoss()(x, targets))

images = torch.randn(2, 4, 3, 3)
alone = nn.GroupNorm(2, 4)(images[:1])
assert torch.allclose(nn.GroupNorm(2, 4)(images)[:1], alone, atol=1e-6)
alone = nn.BatchNorm2d(4)(images[:1])
assert not torch.allclose(nn.BatchNorm2d(4)(images)[:1], alone, atol=1e-2)

for loss, gradients in ((nn.L1Loss, [1, 1]), (nn.MSELoss, [2, 200])):
    error = torch.tensor([1.0, 100.0], requires_grad=True)
    loss(reduction="sum")(error, torch.zeros(2)).backward()
    assert error.grad.tolist() == gradients

table, indices = nn.Embedding(5, 3), torch.tensor([4, 0])
linear = nn.Linear(5, 3, bias=False)
linear.weight.data = table.weight.data.t()
assert torch.allclose(table(indices), linear(F.one_hot(indices, 5).float()))

counts = [sum(p.numel() for p in layer(8, 8).parameters()) for layer in (nn.GRU, nn.LSTM)]
assert counts == [432, 576] and counts[0] * 4 == counts[1] * 3
assert nn.GRU(8, 8).weight_ih_l0.shape == (3 * 8, 8)
assert nn.LSTM(8, 8).weight_ih_l0.shape == (4 * 8, 8)

layer = nn.BatchNorm1d(2)
trained = {name for name, _ in layer.named_parameters()}
kept = set(layer.state_dict()) - trained
assert kept == {"running_mean", "running_var", "num_batches_tracked"}
layer.register_buffer("scratch", torch.zeros(1), persistent=False)
assert "scratch" not in layer.state_dict()
print("choices as told")
# endregion
