"""The grad modes: which of them records what, and what their results may be used for."""

# region three_modes
import torch

x = torch.ones(2, requires_grad=True)
for mode in ("enable_grad", "no_grad", "inference_mode"):
    with getattr(torch, mode)():
        y = x * 2
    print(y.requires_grad, y.is_inference())
# Output:
# True False
# False False
# False True
# endregion

# region factory
import torch

with torch.no_grad():
    w = torch.ones(2, requires_grad=True)
    y = w * 3
print(w, y)
# Output:
# tensor([1., 1.], requires_grad=True) tensor([3., 3.])
# endregion

# region nothing_happens
import torch

x = torch.ones(2, requires_grad=True)
torch.no_grad()
print(x * 2)  # prints tensor([2., 2.], grad_fn=<MulBackward0>)
# endregion

# region as_function
import torch

x = torch.ones(2, requires_grad=True)
torch.set_grad_enabled(False)
y = x * 2
torch.set_grad_enabled(True)
print(y, x * 3)
# Output:
# tensor([2., 2.]) tensor([3., 3.], grad_fn=<MulBackward0>)
# endregion

# region nested_inference
import torch

x = torch.ones(2, requires_grad=True)
with torch.inference_mode():
    with torch.enable_grad():
        print(torch.is_grad_enabled(), x * 2)
# Output:
# True tensor([2., 2.])
# endregion

# region inference_saved
import torch

with torch.inference_mode():
    t = torch.ones(2)
x = torch.ones(2, requires_grad=True)
for operation in (torch.add, torch.mul):
    try:
        print(operation(x, t).tolist())
    except RuntimeError:
        print("refused")
# Output:
# [2.0, 2.0]
# refused
# endregion

# region inference_in_place
import torch

with torch.inference_mode():
    t = torch.zeros(2)
for target in (t.clone(), t):
    try:
        print(target.add_(1))
    except RuntimeError:
        print("refused")
# Output:
# tensor([1., 1.])
# refused
# endregion

# region threads
import threading
import torch

x, made = torch.ones(1, requires_grad=True), []
work = lambda: made.append(x * 2)
with torch.no_grad():
    work()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
print(made)
# Output:
# [tensor([2.]), tensor([2.], grad_fn=<MulBackward0>)]
# endregion

# region running_stats
import torch
from torch import nn

norm = nn.BatchNorm1d(1)
with torch.no_grad():
    norm(torch.tensor([[10.0], [20.0]]))
print(norm.running_mean)  # prints tensor([1.5000])
# endregion

# region proof_memory
import torch
from torch.autograd.graph import saved_tensors_hooks

x, kept = torch.ones(2, requires_grad=True), []
with saved_tensors_hooks(kept.append, lambda _: None):
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            x.exp()
    assert kept == []
    x.exp()
assert len(kept) == 1
# endregion

# region proof_running_mean
import torch
from torch import nn

data = torch.tensor([[10.0], [20.0]])
for mode in (torch.no_grad, torch.inference_mode, torch.enable_grad):
    norm = nn.BatchNorm1d(1).requires_grad_(False)
    with mode():
        norm(data)
        assert norm.running_mean == 1.5
        norm.eval()(data)
        assert norm.running_mean == 1.5
# endregion

# region proof_version
import torch

with torch.inference_mode():
    t = torch.ones(2)
try:
    t._version
    raise AssertionError("it counts versions")
except RuntimeError:
    pass
with torch.no_grad():
    assert torch.ones(2)._version == 0
# endregion

# region proof_queries
import torch

with torch.inference_mode():
    assert torch.is_inference_mode_enabled()
    assert not torch.is_grad_enabled()
    with torch.inference_mode(False):
        assert not torch.is_inference_mode_enabled()
        assert (torch.ones(1, requires_grad=True) * 2).requires_grad
    x = torch.ones(1, requires_grad=True)
    assert not (x * 2).requires_grad
with torch.set_grad_enabled(False):
    assert not torch.is_grad_enabled()
assert torch.is_grad_enabled()

x = torch.ones(1, requires_grad=True)
with torch.no_grad(), torch.enable_grad():
    assert (x * 2).requires_grad
torch.set_grad_enabled(False)
with torch.enable_grad():
    assert (x * 2).requires_grad
torch.set_grad_enabled(True)
with torch.inference_mode(), torch.inference_mode(False):
    assert (x * 2).requires_grad
# endregion

# region proof_modes_refuse
import torch

x = torch.ones(2, requires_grad=True)
free, view = torch.no_grad()(lambda: (x * 2, x[:]))()
tied = torch.inference_mode()(lambda: x * 2)()
assert (free * x).requires_grad and free.add_(1)[0] == 3.0
for use in (tied.requires_grad_, lambda: view.add_(1)):
    try:
        raise AssertionError(use())
    except RuntimeError:
        pass
# endregion

# region proof_no_graph
import torch
from torch import nn

x = torch.ones(2, requires_grad=True)
frozen = nn.Linear(2, 1).requires_grad_(False)
unrecorded = torch.no_grad()(lambda: x.sum())()
losses = (unrecorded, x.detach().sum(), frozen(torch.ones(2)))
for loss in losses:
    try:
        raise AssertionError(loss.backward())
    except RuntimeError as error:
        assert str(error) == (
            "element 0 of tensors does not require grad"
            " and does not have a grad_fn"
        )
# endregion

# region proof_inference_views
import torch

x = torch.ones(2, requires_grad=True)
with torch.inference_mode():
    view, new = x[:], x * 1
assert not view.is_inference() and new.is_inference()
assert (x * view).requires_grad
try:
    raise AssertionError(x * new)
except RuntimeError as error:
    assert "saved for backward" in str(error)
# endregion

# region proof_inference_clones
import torch

with torch.inference_mode():
    t = torch.zeros(2)
    assert t.add_(1).clone().is_inference()
assert not t.clone().is_inference()
# endregion

# region proof_parameters_keep_the_flag
import torch
from torch import nn

with torch.no_grad():
    layer = nn.Linear(2, 2)
assert layer.weight.requires_grad and layer.bias.requires_grad
# endregion
