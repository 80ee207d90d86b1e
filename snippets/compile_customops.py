"""Custom operators: what the compiler is told about a function it does not look into."""

# region one_node
import torch

@torch.library.custom_op("deck::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x + x
twice.register_fake(torch.empty_like)
def backend(gm, inputs):
    print([n.name for n in gm.graph.nodes][1:-1])
    return gm.forward
f = torch.compile(lambda x: twice(x) * 2, backend=backend)
f(torch.ones(1))
# Output:
# ['twice_default', 'mul']
# endregion

# region what_runs
import torch

seen = []
def note(x: torch.Tensor) -> torch.Tensor:
    seen.append(type(x).__name__)
    return x + 0
op = torch.library.custom_op("deck::note", note, mutates_args=())
op.register_fake(note)
f = torch.compile(lambda x: op(x) * 2, backend="eager")
f(torch.ones(2)), f(torch.ones(2))
print(seen)
# Output:
# ['FakeTensor', 'Tensor', 'Tensor']
# endregion

# region value_inside
import torch

@torch.library.custom_op("deck::sign_step", mutates_args=())
def step(x: torch.Tensor) -> torch.Tensor:
    return x + 1 if x.sum().item() > 0 else x - 1
step.register_fake(torch.empty_like)

f = torch.compile(step, backend="eager", fullgraph=True)
print(f(torch.ones(2)), f(-torch.ones(2)))
# Output:
# tensor([2., 2.]) tensor([-2., -2.])
# endregion

# region undeclared
import torch

@torch.library.custom_op("deck::bump", mutates_args=())
def bump(x: torch.Tensor) -> None:
    x.add_(1)
bump.register_fake(lambda x: None)
def f(x):
    y = x.clone()
    bump(y)
    return y
fast = torch.compile(f, backend="aot_eager")
print(f(torch.ones(1)), fast(torch.ones(1)))
# Output:
# tensor([2.]) tensor([1.])
# endregion

# region wrong_fake
import torch
from torch.library import custom_op, opcheck

@custom_op("deck::total", mutates_args=())
def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum(0)
total.register_fake(torch.empty_like)

found = opcheck(total, (torch.ones(2, 3),), raise_exception=False)
print([name for name in found if found[name] != "SUCCESS"])
# Output:
# ['test_faketensor']
# endregion

# region own_gradient
import torch

@torch.library.custom_op("deck::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2
double.register_autograd(lambda ctx, grad: grad * 100)

x = torch.ones(1, requires_grad=True)
double(x).backward()
print(x.grad)
# Output:
# tensor([100.])
# endregion

# region kernel_of_device
import torch
from torch.library import custom_op

@custom_op("deck::pick", mutates_args=(), device_types="cuda")
def pick(x: torch.Tensor) -> torch.Tensor:
    return x + 1
@pick.register_kernel("cpu")
def pick_on_cpu(x):
    return x - 1
print(pick(torch.ones(1)))
# Output:
# tensor([0.])
# endregion

# region by_name
import torch

@torch.library.custom_op("deck::third", mutates_args=())
def third(x: torch.Tensor, n: int = 3) -> torch.Tensor:
    return x / n
print(torch.ops.deck.third.default._schema)
# Output:
# deck::third(Tensor x, SymInt n=3) -> Tensor
# endregion

# region proof_fake
import torch
from torch.library import custom_op

@custom_op("deck::nofake", mutates_args=())
def nofake(x: torch.Tensor) -> torch.Tensor:
    return x + 1
assert nofake(torch.ones(1)) == 2
f = torch.compile(lambda x: nofake(x) * 2, backend="eager", fullgraph=True)
try:
    f(torch.ones(1))
    raise SystemExit("it ran")
except Exception as error:
    assert "There was no fake impl registered for <CustomOpDef(deck::nofake)>" in str(error), error
nofake.register_fake(lambda x: torch.empty_like(x))
assert f(torch.ones(1)) == 4
# without a break, and nothing of its inside in the graph of AOTAutograd
from torch._dynamo.backends.common import aot_autograd
from functorch.compile import make_boxed_compiler

seen = []
def inner(gm, inputs):
    seen.append([str(n.target) for n in gm.graph.nodes if n.op == "call_function"])
    return gm.forward
def outside(x):
    return x.sin()
torch.compiler.allow_in_graph(outside)
backend = aot_autograd(fw_compiler=make_boxed_compiler(inner))
torch.compile(lambda x: nofake(x) * 2, backend=backend, fullgraph=True)(torch.ones(1))
torch.compile(lambda x: outside(x) * 2, backend=backend, fullgraph=True)(torch.ones(1))
assert seen == [["deck.nofake.default", "aten.mul.Tensor"], ["aten.sin.default", "aten.mul.Tensor"]], seen
# endregion

# region proof_errors
import torch
from torch.library import custom_op, opcheck

@custom_op("deck::nograd", mutates_args=())
def nograd(x: torch.Tensor) -> torch.Tensor:
    assert not torch.is_grad_enabled() or not (x * 2).requires_grad
    return x * 2
x = torch.ones(1, requires_grad=True)
y = nograd(x)
assert y.requires_grad
try:
    y.backward()
    raise SystemExit("it ran")
except RuntimeError as error:
    assert str(error).startswith("Trying to backward through deck.nograd.default but no autograd formula was registered")
nograd.register_autograd(lambda ctx, grad: grad * 2)
nograd(x).backward()
assert x.grad == 2
@custom_op("deck::same", mutates_args=())
def same(x: torch.Tensor) -> torch.Tensor:
    return x
try:
    same(torch.ones(1))
    raise SystemExit("it ran")
except RuntimeError as error:
    said = " ".join(str(error).split())
    assert "may not alias any inputs" in said, said
@custom_op("deck::first", mutates_args=())
def first(x: torch.Tensor) -> torch.Tensor:
    return x[:1]
try:
    first(torch.ones(2))
    raise SystemExit("it ran")
except RuntimeError as error:
    assert "may not alias any inputs" in str(error)
try:
    @custom_op("deck::bare", mutates_args=())
    def bare(x):
        return x.clone()
    raise SystemExit("taken")
except ValueError as error:
    assert "Parameter x must have a type annotation" in str(error)
@custom_op("deck::cuda_only", mutates_args=(), device_types="cuda")
def cuda_only(x: torch.Tensor) -> torch.Tensor:
    return x + 1
try:
    cuda_only(torch.ones(1))
    raise SystemExit("it ran")
except NotImplementedError as error:
    assert "Could not run 'deck::cuda_only' with arguments from the 'CPU' backend" in str(error)
# opcheck sees a change that was not declared
@custom_op("deck::bump_hidden", mutates_args=())
def hidden(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.clone()
hidden.register_fake(torch.empty_like)
try:
    opcheck(hidden, (torch.ones(1),))
    raise SystemExit("passed")
except Exception as error:
    assert "Argument x is not defined as mutable but was mutated" in str(error), error
# and with the declaration all is well
@custom_op("deck::bump_declared", mutates_args={"x"})
def bump_declared(x: torch.Tensor) -> None:
    x.add_(1)
bump_declared.register_fake(lambda x: None)
def f(x):
    y = x.clone()
    bump_declared(y)
    return y
assert torch.compile(f, backend="aot_eager", fullgraph=True)(torch.ones(1)) == 2
# endregion

# region proof_gradcheck
import torch

def op(name, factor):
    @torch.library.custom_op(name, mutates_args=())
    def f(x: torch.Tensor) -> torch.Tensor:
        return x * 2
    f.register_autograd(lambda ctx, grad: grad * factor)
    return f
x = torch.ones(2, dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(op("deck::right", 2), (x,))
assert not torch.autograd.gradcheck(op("deck::wrong", 100), (x,), raise_exception=False)
# endregion

# region proof_sizes
import torch
from torch.library import custom_op

@custom_op("deck::positive", mutates_args=())
def positive(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0].clone()
@positive.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())
with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
    f = torch.compile(lambda x: positive(x) + 1, backend="aot_eager", fullgraph=True)
    assert f(torch.tensor([1.0, -1.0, 2.0])).tolist() == [2, 3]
    assert f(torch.tensor([5.0, -1.0, -2.0])).tolist() == [6]
if hasattr(torch.library, "triton_op"):
    told = " ".join(torch.library.triton_op.__doc__.split())
    assert "treats custom operators as opaque" in told
    assert "makes the implementation visible to these subsystems" in told
    assert "must be wrapped in a call to :func:`torch.library.wrap_triton`" in told
told = " ".join(torch.library.custom_op.__doc__.split())
assert "mutates_args" in told
print("custom as told")
# endregion
