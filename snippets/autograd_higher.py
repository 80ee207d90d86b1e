"""torch.autograd.grad, derivatives of higher order, and how to check a gradient."""

# region tuple
import torch

x = torch.tensor(3.0, requires_grad=True)
print(torch.autograd.grad(x ** 2, x), x.grad)
# Output:
# (tensor(6.),) None
# endregion

# region unused_input
import torch
from torch.autograd import grad

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)
for flag in (False, True):
    try:
        print(grad(a * 3, [a, b], allow_unused=flag))
    except RuntimeError:
        print("refused")
# Output:
# refused
# (tensor(3.), None)
# endregion

# region create_graph
import torch

x = torch.tensor(2.0, requires_grad=True)
for flag in (False, True):
    (g,) = torch.autograd.grad(x ** 3, x, create_graph=flag)
    print(g)
# Output:
# tensor(12.)
# tensor(12., grad_fn=<MulBackward0>)
# endregion

# region second
import torch

x = torch.tensor(2.0, requires_grad=True)
(first,) = torch.autograd.grad(x ** 3, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(first.item(), second.item())  # prints 12.0 12.0
# endregion

# region linear
import torch

x = torch.tensor(2.0, requires_grad=True)
for y in (x * x, x * 3):
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    try:
        print(torch.autograd.grad(g, x))
    except RuntimeError:
        print("refused")
# Output:
# (tensor(2.),)
# refused
# endregion

# region penalty
import torch

w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0, requires_grad=True)
(g,) = torch.autograd.grad(w * x ** 2, x, create_graph=True)
(g ** 2).backward()
print(w.grad)  # prints tensor(96.)
# endregion

# region hessian_vector
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.tensor([1.0, 10.0])
y = (x ** 3).sum()
(g,) = torch.autograd.grad(y, x, create_graph=True)
(hv,) = torch.autograd.grad(g @ v, x)
print(hv)  # prints tensor([  6., 120.])
# endregion

# region proof_cycle_warning
import warnings
import torch

x = torch.tensor(2.0, requires_grad=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.set_warn_always(True)
    (x ** 3).backward(create_graph=True)
    torch.set_warn_always(False)
assert any("reference cycle" in str(w.message) for w in caught)
assert x.grad.requires_grad
# endregion

# region jacobian_shape
import torch
from torch.autograd.functional import jacobian

def f(x):
    return x[:2].sum(dim=1)

print(tuple(jacobian(f, torch.ones(4, 3)).shape))
# Output:
# (2, 4, 3)
# endregion

# region proof_gradcheck_dtype
import warnings
import torch
from torch.autograd import gradcheck

warnings.simplefilter("ignore")
for dtype, passes in ((torch.float64, True), (torch.float32, False)):
    x = torch.ones(2, dtype=dtype, requires_grad=True)
    assert gradcheck(torch.sin, x, raise_exception=False) is passes
# endregion

# region proof_materialize
import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)
grads = torch.autograd.grad(a * 3, [a, b], materialize_grads=True)
assert [g.item() for g in grads] == [3.0, 0.0]
# endregion

# region proof_create_graph_retains
import torch

a = torch.tensor(2.0, requires_grad=True)
y = a ** 3
torch.autograd.grad(y, a, create_graph=True)
torch.autograd.grad(y, a)
try:
    raise AssertionError(torch.autograd.grad(y, a))
except RuntimeError:
    pass
# endregion

# region proof_weights
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
weights = torch.tensor([1.0, 10.0])
grads = torch.autograd.grad(x ** 2, x, grad_outputs=weights)
assert grads[0].tolist() == [2.0, 40.0]
try:
    raise AssertionError(torch.autograd.grad(x ** 2, x))
except RuntimeError:
    pass
# endregion

# region proof_finite_differences
import inspect
from torch.autograd import gradcheck

assert inspect.signature(gradcheck).parameters["eps"].default == 1e-6
# endregion

# region proof_cycle_is_kept
import gc
import warnings
import weakref
import torch

warnings.simplefilter("ignore")
for reset in (False, True):
    x = torch.tensor(2.0, requires_grad=True)
    watch = weakref.ref(x)
    (x**3).backward(create_graph=True)
    if reset:
        x.grad = None
    del x
    gc.collect()
    assert (watch() is None) is reset
# endregion

# region proof_grad_makes_no_cycle
import gc
import weakref
import torch

x = torch.tensor(2.0, requires_grad=True)
watch = weakref.ref(x)
g = torch.autograd.grad(x**3, x, create_graph=True)
del x, g
gc.collect()
assert watch() is None
# endregion
