"""autograd.Function: an operation with a backward pass of one's own."""

# region believed
import torch

class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3
    @staticmethod
    def backward(ctx, grad):
        return grad * 100
x = torch.tensor(2.0, requires_grad=True)
Triple.apply(x).backward()
print(x.grad)  # prints tensor(100.)
# endregion

# region forward_called
import torch

class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3
    @staticmethod
    def backward(ctx, grad):
        return grad * 100
x = torch.tensor(2.0, requires_grad=True)
Triple.forward(None, x).backward()
print(x.grad)  # prints tensor(3.)
# endregion

# region reversal
import torch

class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)
    @staticmethod
    def backward(ctx, grad):
        return -grad
x = torch.tensor(2.0, requires_grad=True)
Reverse.apply(x * 3).backward()
print(x.grad)  # prints tensor(-3.)
# endregion

# region mode_inside
import torch

class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 3
        print(y.grad_fn)
        return y
    backward = staticmethod(lambda ctx, grad: grad * 3)
y = Triple.apply(torch.ones(1, requires_grad=True))
print(y.grad_fn.name())
# Output:
# None
# TripleBackward
# endregion

# region in_list
import torch

class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensors):
        return sum(tensors)
    @staticmethod
    def backward(ctx, grad):
        return grad
x = torch.ones(1, requires_grad=True)
print(Sum.apply([x, x]))  # prints tensor([2.])
# endregion

# region unused_output
import torch

class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, x * 3
    @staticmethod
    def backward(ctx, first, second):
        print(first, second)
        return first * 2 + second * 3
x = torch.tensor(1.0, requires_grad=True)
Two.apply(x)[0].backward()
# Output:
# tensor(1.) tensor(0.)
# endregion

# region needs
import torch

class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, k):
        return a + b * k
    @staticmethod
    def backward(ctx, grad):
        print(ctx.needs_input_grad)
        return grad, None, None
a = torch.ones(1, requires_grad=True)
Add.apply(a, torch.ones(1), 2).backward()
# Output:
# (True, False, False)
# endregion

# region attribute_unguarded
import torch
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x
    backward = staticmethod(lambda ctx, g: g * 2 * ctx.x)
x = torch.tensor([3.0], requires_grad=True)
y = Square.apply(x)
x.detach().fill_(10)
y.backward()
print(x.grad)  # prints tensor([20.])
# endregion

# region not_differentiable
import torch

class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        order = x.argsort().float()
        ctx.mark_non_differentiable(order)
        return x * 2, order
    backward = staticmethod(lambda ctx, grad, _: grad * 2)
x = torch.tensor([4.0, 3.0], requires_grad=True)
print(Doubled.apply(x))
# Output:
# (tensor([8., 6.], grad_fn=<DoubledBackward>), tensor([1., 0.]))
# endregion

# region proof_returns_per_input
import torch

class Scale(torch.autograd.Function):
    forward = lambda ctx, k, x: x * k
    backward = lambda ctx, grad: results

x = torch.ones(1, requires_grad=True)
for results in (torch.ones(1), (torch.ones(1), None)):
    try:
        raise AssertionError(Scale.apply(5, x).backward())
    except RuntimeError:
        pass
results = (None, torch.ones(1))
Scale.apply(5, x).backward()
assert x.grad == 1.0
# endregion

# region proof_dirty
import torch

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)
    backward = staticmethod(lambda ctx, grad: grad * 2)
h = torch.ones(2, requires_grad=True) * 1
assert Double.apply(h) is h and h.grad_fn.name() == "DoubleBackward"
# endregion

# region proof_saved_guarded
import torch

class Square(torch.autograd.Function):
    forward = lambda ctx, x: ctx.save_for_backward(x) or x * x
    backward = lambda ctx, grad: grad * 2 * ctx.saved_tensors[0]
x = torch.tensor([3.0], requires_grad=True)
y = Square.apply(x)
x.detach().fill_(10)
try:
    raise AssertionError(y.backward())
except RuntimeError as error:
    assert "inplace" in str(error)
# endregion

# region proof_twice
import torch
from torch.autograd.function import once_differentiable as once

for wrap, degree in ((lambda f: f, 2), (once, 1)):
    class Square(torch.autograd.Function):
        forward = lambda ctx, x: ctx.save_for_backward(x) or x * x
        backward = wrap(lambda ctx, g: g * 2 * ctx.saved_tensors[0])
    x = torch.tensor(3.0, requires_grad=True)
    y = Square.apply(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert g.requires_grad is (degree == 2)
# endregion

# region proof_twice_with_a_constant
import torch

class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n, ctx.scale = n, torch.tensor(1.0)
        return x**n
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.scale * ctx.n * x ** (ctx.n - 1), None
x = torch.tensor(2.0, requires_grad=True)
(g,) = torch.autograd.grad(Power.apply(x, 3), x, create_graph=True)
(h,) = torch.autograd.grad(g, x)
assert g == 12 and h == 12
# endregion

# region proof_setup_context
import torch

class New(torch.autograd.Function):
    forward = lambda x: x * x
    setup_context = lambda ctx, args, out: ctx.save_for_backward(*args)
    backward = lambda ctx, grad: grad * 2 * ctx.saved_tensors[0]
assert torch.func.grad(New.apply)(torch.tensor(3.0)) == 6.0
New.generate_vmap_rule = True
ones = torch.func.vmap(New.apply)(torch.ones(2))
assert ones.tolist() == [1.0, 1.0]
# endregion

# region proof_setup_context_needed
import torch

class Old(torch.autograd.Function):
    forward = lambda ctx, x: x * 2
    backward = lambda ctx, grad: grad * 2
assert Old.apply(torch.ones(())) == 2.0
try:
    torch.func.grad(Old.apply)(torch.ones(()))
    raise AssertionError("nothing was refused")
except RuntimeError as error:
    assert "setup_context" in str(error)
# endregion

# region proof_star
import torch

class Sum(torch.autograd.Function):
    forward = lambda ctx, *tensors: sum(tensors)
    backward = lambda ctx, grad: (grad, grad)
x = torch.ones(1, requires_grad=True)
Sum.apply(*[x, x]).backward()
assert x.grad == 2.0
# endregion

# region proof_no_zeros
import torch

class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3
    @staticmethod
    def backward(ctx, first, second):
        assert second is None
        return first * 2
x = torch.tensor(1.0, requires_grad=True)
Two.apply(x)[0].backward()
assert x.grad == 2.0
# endregion

# region proof_outputs
import torch

class Both(torch.autograd.Function):
    forward = lambda ctx, x: (x * 2, x.argsort().float(), x.long())
    backward = lambda ctx, grad, *_: grad * 2
x = torch.ones(2, requires_grad=True)
flags = [out.requires_grad for out in Both.apply(x)]
assert flags == [True, True, False]
assert not any(out.requires_grad for out in Both.apply(x.detach()))
# endregion

# region proof_saved_intermediate
import torch

def saving(save):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            out = x**3
            kept = {"input": x, "output": out, "other": x**2}
            ctx.save_for_backward(kept[save])
            return out
        @staticmethod
        def backward(ctx, grad):
            (t,) = ctx.saved_tensors
            power = {"input": 2, "output": 2 / 3, "other": 1}
            return grad * 3 * t ** power[save]
    return Cube

for save in ("input", "output", "other"):
    x = torch.tensor(2.0, requires_grad=True)
    y = saving(save).apply(x) * x  # x**4
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g, x)
    right = torch.isclose(h, torch.tensor(48.0))
    assert torch.isclose(g, torch.tensor(32.0))
    assert right == (save != "other"), (save, h)
    y = saving(save).apply(x)  # x**3, and nothing beside it
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert torch.isclose(g, torch.tensor(12.0))
    assert g.requires_grad == (save != "other")
# endregion
