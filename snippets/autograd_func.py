"""torch.func: derivatives of functions, batches by vmap, modules as functions."""

# region no_flag
import torch
from torch.func import grad

point = torch.tensor(3.0)
print(grad(lambda x: x ** 2)(point), point.grad)
# Output:
# tensor(6.) None
# endregion

# region argnums
import torch
from torch.func import grad

def f(a, b):
    return a * b

a, b = torch.tensor(2.0), torch.tensor(5.0)
print(grad(f)(a, b), grad(f, argnums=(0, 1))(a, b))
# Output:
# tensor(5.) (tensor(5.), tensor(2.))
# endregion

# region scalar_only
import torch
from torch.func import grad

for shape in ((), (1,)):
    try:
        print(grad(lambda x: x * 3)(torch.ones(shape)))
    except RuntimeError:
        print("refused")
# Output:
# tensor(3.)
# refused
# endregion

# region value_second
import torch
from torch.func import grad_and_value

print(grad_and_value(lambda x: x ** 2)(torch.tensor(3.0)))
# Output:
# (tensor(6.), tensor(9.))
# endregion

# region outer_no_grad
import torch
from torch.func import grad

def cube(x):
    return x * x ** 2
def inner(x):
    with torch.no_grad():
        c = x ** 2
    return x * c
with torch.no_grad():
    for f in (cube, inner):
        print(grad(f)(torch.tensor(3.0)))
# Output:
# tensor(27.)
# tensor(9.)
# endregion

# region vmap_shapes
import torch
from torch.func import vmap

def f(x):
    print("inside", tuple(x.shape))
    return x * 2

y = vmap(f, in_dims=1, out_dims=0)(torch.ones(4, 3))
print("result", tuple(y.shape))
# Output:
# inside (4,)
# result (3, 4)
# endregion

# region vmap_shared
import torch
from torch.func import vmap

rows, v = torch.ones(4, 3), torch.ones(3)
for in_dims in (0, (0, None)):
    try:
        print(vmap(torch.dot, in_dims)(rows, v))
    except ValueError:
        print("refused")
# Output:
# refused
# tensor([3., 3., 3., 3.])
# endregion

# region vmap_branch
import torch
from torch.func import vmap

def branch(x):
    return x if x > 0 else -x
def where(x):
    return torch.where(x > 0, x, -x)
for f in (branch, where):
    try:
        print(vmap(f)(torch.tensor([-1.0, 2.0])))
    except RuntimeError:
        print("refused")
# Output:
# refused
# tensor([1., 2.])
# endregion

# region jacobian_batch
import torch
from torch.func import jacrev, vmap

def f(x):
    return x[..., :2] ** 2

x = torch.ones(5, 3)
for jacobian in (jacrev(f), vmap(jacrev(f))):
    print(tuple(jacobian(x).shape))
# Output:
# (5, 2, 5, 3)
# (5, 2, 3)
# endregion

# region per_sample
import torch
from torch.func import grad, vmap

def loss(w, x):
    return (w * x).sum()

w = torch.ones(2)
data = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(vmap(grad(loss), in_dims=(None, 0))(w, data))
# Output:
# tensor([[1., 2.],
#         [3., 4.]])
# endregion

# region functional_call
import torch
from torch import nn
from torch.func import functional_call

layer = nn.Linear(1, 1, bias=False)
nn.init.constant_(layer.weight, 2)
params = {"weight": torch.tensor([[7.0]])}
y = functional_call(layer, params, torch.ones(1))
print(y.item(), layer.weight.item())  # prints 7.0 2.0
# endregion

# region misspelt
import torch
from torch import nn
from torch.func import functional_call

layer = nn.Linear(1, 1, bias=False)
nn.init.constant_(layer.weight, 2)
params = {"wieght": torch.tensor([[7.0]])}
y = functional_call(layer, params, torch.ones(1))
print(y.item())  # prints 2.0
# endregion

# region proof_strict
import torch
from torch import nn
from torch.func import functional_call

for name in ("wieght", "weight"):
    params = {name: torch.ones(1, 1)}
    try:
        layer, x = nn.Linear(1, 1), torch.ones(1)
        y = functional_call(layer, params, x, strict=True)
        raise AssertionError(y)
    except RuntimeError:
        pass
# endregion

# region proof_vjp
import torch
from torch.func import vjp

x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
value, pull = vjp(lambda x: x ** 2, x)
assert value.tolist() == [1, 4] and pull(v)[0].tolist() == [2, 40]
_, pull = vjp(torch.mul, torch.tensor(2.0), torch.tensor(5.0))
assert [grad.item() for grad in pull(torch.ones(()))] == [5, 2]
# endregion

# region proof_stacked
import torch
from torch import nn
from torch.func import stack_module_state

models = [nn.Linear(2, 1) for _ in range(3)]
parameters, buffers = stack_module_state(models)
assert parameters["weight"].shape == (3, 1, 2) and buffers == {}
# endregion

# region proof_randomness
import torch
from torch.func import vmap

f = lambda x: torch.rand(()) + x * 0
assert len(vmap(f, randomness="same")(torch.ones(5)).unique()) == 1
assert len(vmap(f, randomness="different")(torch.ones(5)).unique()) > 1
try:
    vmap(f)(torch.ones(5))
    raise AssertionError("nothing was refused")
except RuntimeError:
    pass
# endregion

# region proof_blocks
import torch
from torch.func import jacrev, vmap

def f(x):
    return x[..., :2] ** 2

x = torch.rand(5, 3) + 1
whole, own = jacrev(f)(x), vmap(jacrev(f))(x)
for i in range(5):
    for j in range(5):
        block = whole[i, :, j]
        assert block.equal(own[i]) if i == j else not block.any()
# endregion

# region proof_one_run
import torch
from torch.func import vmap

calls = []
double = lambda x: calls.append(x.shape) or x * 2
assert vmap(double)(torch.ones(5)).tolist() == [2] * 5
assert calls == [()]
y = vmap(double, out_dims=1)(torch.ones(5, 3))
assert y.shape == (3, 5)
# endregion
