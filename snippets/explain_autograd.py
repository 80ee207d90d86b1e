"""Autograd explained: proofs of what the cards say about error messages and choices."""

# region proof_errors
import copy
import warnings
import torch
from torch import nn


def says(message, call, *args):
    """Checks that the call raises an error with this message."""
    try:
        call(*args)
    except Exception as error:
        assert message in str(error), error
        return type(error)
    raise SystemExit("no error")


w, x = torch.ones(2, requires_grad=True), torch.ones(2)
h = w * w
(h * x).sum().backward()
says("Trying to backward through the graph a second time", (h * x).sum().backward)
for _ in range(2):
    h = w * w
    (h * x).sum().backward()

h = w.exp()
assert h._version == 0
h += 1
assert h._version == 1
says("is at version 1; expected version 0 instead", h.sum().backward)
h = w.exp()
h = h + 1
h.sum().backward()

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    with torch.autograd.set_detect_anomaly(True):
        h = w.exp()  # the line that is shown
        h += 1
        says("has been modified by an inplace operation", h.sum().backward)
shown = "".join(str(warning.message) for warning in told)
assert "Traceback of forward call that caused the error" in shown
assert "h = w.exp()" in shown or "ExpBackward0" in shown  # no source without a file
assert "slow down your program" in torch.autograd.detect_anomaly.__doc__

weight = nn.Parameter(torch.zeros(3))
message = "a view of a leaf Variable that requires grad is being used in an in-place operation."
says(message, weight.__setitem__, 0, 1.0)
with torch.no_grad():
    weight[0] = 1.0
assert weight.tolist() == [1, 0, 0] and weight.is_leaf

loss = nn.MSELoss(reduction="none")(w * 2, torch.zeros(2))
says("grad can be implicitly created only for scalar outputs", loss.backward)
loss.mean().backward()

model = nn.Linear(1, 1)
model.last = model(torch.ones(1))
message = "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol"
says(message, copy.deepcopy, model)
model.last = model(torch.ones(1)).detach()
copy.deepcopy(model)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.cat([x, x])

    @staticmethod
    def backward(ctx, grad):
        return grad


message = "returned an invalid gradient at index 0 - got [4] but expected shape compatible with [2]"
says(message, Twice.apply(w).sum().backward)


def add_to_rows(h):
    for row in h:
        row += 1


h = torch.ones(2, 2, requires_grad=True) * 2
message = "This view is the output of a function that returns multiple views."
says(message, add_to_rows, h)
assert (h + 1).tolist() == [[3, 3], [3, 3]]
add_to_rows(h.detach())  # without autograd it is allowed
assert h.tolist() == [[3, 3], [3, 3]]
print("errors as told")
# endregion

# region proof_choices
import torch
from torch import nn

w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    plain = torch.ones(2) * 2
with torch.inference_mode():
    special = torch.ones(2) * 2
(w * plain).sum().backward()
try:
    w * special
    raise SystemExit("no error")
except RuntimeError as error:
    assert "Inference tensors cannot be saved for backward" in str(error)

first, middle, last = (nn.Linear(1, 1) for _ in range(3))
middle.requires_grad_(False)
last(middle(first(torch.ones(1)))).backward()
assert first.weight.grad is not None and middle.weight.grad is None
first, middle, last = (nn.Linear(1, 1) for _ in range(3))
h = first(torch.ones(1))
with torch.no_grad():
    h = middle(h)
last(h).backward()
assert first.weight.grad is None and last.weight.grad is not None

x = torch.tensor(3.0, requires_grad=True)
y = x * x
(y * y.detach()).backward()  # one use is a constant, the other is recorded
assert x.grad == 9 * 6

(g,) = torch.autograd.grad(x**3, x, retain_graph=True)
assert not g.requires_grad
(g,) = torch.autograd.grad(x**3, x, create_graph=True)
assert torch.autograd.grad(g, x)[0] == 18
y = x**3
torch.autograd.grad(y, x, retain_graph=True)
torch.autograd.grad(y, x)  # the graph of the forward pass was kept

model, image = nn.Linear(4, 1), torch.ones(4, requires_grad=True)
(g,) = torch.autograd.grad(model(image).sum(), image)
assert g.shape == (4,) and model.weight.grad is None and image.grad is None
model(image).sum().backward()
assert model.weight.grad is not None

import torch._functorch.eager_transforms as transforms

passes = []  # how many vectors are pushed through in one vmap
plain = transforms.vmap


def counting(func, **options):
    def run(basis):
        passes.append(torch.utils._pytree.tree_leaves(basis)[0].shape[0])
        return plain(func, **options)(basis)

    return run


transforms.vmap = counting
matrix = torch.randn(5, 2)  # 2 inputs, 5 outputs
for jacobian in (torch.func.jacfwd, torch.func.jacrev):
    assert torch.allclose(jacobian(lambda v: matrix @ v)(torch.ones(2)), matrix)
transforms.vmap = plain
assert passes == [2, 5]
print("choices as told")
# endregion
