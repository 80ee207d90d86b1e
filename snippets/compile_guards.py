"""Guards: what makes torch.compile compile again."""

# region dtype
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
f(torch.ones(2))
f(torch.ones(2, dtype=torch.float64))
f(torch.zeros(2))
# Output:
# compiling
# compiling
# endregion

# region stride
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
x = torch.ones(3, 3)
f(x)
f(x.t())
# Output:
# compiling
# compiling
# endregion

# region grad_mode
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
f(torch.ones(2))
with torch.no_grad():
    f(torch.ones(2))
f(torch.ones(2))
# Output:
# compiling
# compiling
# endregion

# region same_tensor
import torch

seen = []
def backend(gm, inputs):
    seen.append(len(inputs))
    return gm.forward

f = torch.compile(lambda a, b: a + b, backend=backend)
x, y = torch.ones(2), torch.ones(2)
f(x, x)
f(x, y)
print(seen)
# Output:
# [1, 2]
# endregion

# region train_and_eval
import torch
from torch import nn

seen = []
def backend(gm, inputs):
    seen.append(mode)
    return gm.forward

net = torch.compile(nn.Dropout(), backend=backend)
for mode in (True, False, True):
    net.train(mode)(torch.ones(4))
print(seen)
# Output:
# [True, False]
# endregion

# region sizes
import torch

sizes = []
def backend(gm, inputs):
    sizes.append(size)
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
for size in (2, 3, 4, 5):
    f(torch.ones(size))
print(sizes)
# Output:
# [2, 3]
# endregion

# region never_dynamic
import torch

sizes = []
def backend(gm, inputs):
    sizes.append(size)
    return gm.forward
@torch.compile(backend=backend, dynamic=False)
def f(x):
    return x + 1
for size in (2, 3, 4, 3):
    f(torch.ones(size))
print(sizes)
# Output:
# [2, 3, 4]
# endregion

# region zero_and_one
import torch

sizes = []
def backend(gm, inputs):
    sizes.append(size)
    return gm.forward
@torch.compile(backend=backend, dynamic=True)
def f(x):
    return x + 1
for size in (4, 3, 2, 1):
    f(torch.ones(size))
print(sizes)
# Output:
# [4, 1]
# endregion

# region size_branch
import torch

sizes = []
def backend(gm, inputs):
    sizes.append(size)
    return gm.forward
@torch.compile(backend=backend, dynamic=True)
def f(x):
    return x + 1 if len(x) > 4 else x - 1
for size in (2, 3, 5, 6):
    f(torch.ones(size))
print(sizes)
# Output:
# [2, 5]
# endregion

# region mark_dynamic
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
f(x)
f(torch.ones(5))
# Output:
# compiling
# endregion

# region mark_violated
import torch

def f(x): return x + 1
def g(x): return x + torch.ones(4)
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
for function in (f, g):
    try:
        print(torch.compile(function, backend="eager")(x))
    except RuntimeError as error:
        print(type(error).__name__)
# Output:
# tensor([2., 2., 2., 2.])
# ConstraintViolationError
# endregion

# region integers
import torch

seen = []
def backend(gm, inputs):
    seen.append(n)
    return gm.forward

f = torch.compile(lambda x, k: x + k, backend=backend)
for n in (2, 3, 4, 5):
    f(torch.ones(2), n)
print(seen)
# Output:
# [2, 3]
# endregion

# region strings
import torch

seen = []
def backend(gm, inputs):
    seen.append(name)
    return gm.forward
@torch.compile(backend=backend)
def f(x, key):
    return getattr(torch, key)(x)
for name in ("sin", "cos", "tan"):
    f(torch.ones(2), name)
print(seen)
# Output:
# ['sin', 'cos', 'tan']
# endregion

# region unused
import torch

def backend(gm, inputs):
    print("compiling")
    return gm.forward

f = torch.compile(lambda x, k: x + 1, backend=backend)
f(torch.ones(2), "sum")
f(torch.ones(2), 7)
# Output:
# compiling
# endregion

# region tensor_value
import torch

seen = []
def backend(gm, inputs):
    seen.append(number)
    return gm.forward

f = torch.compile(lambda x, k: x * k, backend=backend)
for number in (0.5, 1.5, 2.5):
    f(torch.ones(2), torch.tensor(number))
print(seen)
# Output:
# [0.5]
# endregion

# region global_number
import torch

seen = []
def backend(gm, inputs):
    seen.append(conf["k"])
    return gm.forward
conf = {"k": 2}
f = torch.compile(lambda x: x * conf["k"], backend=backend)
for k in (2, 3, 4, 2):
    conf["k"] = k
    f(torch.ones(1))
print(seen)
# Output:
# [2, 3, 4]
# endregion

# region proof_default_limit
import torch

config = torch._dynamo.config
assert config.cache_size_limit == 8
if hasattr(config, "recompile_limit"):
    assert config.recompile_limit == 8
seen = []
def backend(gm, inputs):
    seen.append(1)
    return gm.forward
torch.compiler.reset()
scaled = torch.compile(lambda x: x * factor, backend=backend)
for factor in range(12):
    scaled(torch.ones(1))
assert len(seen) == 8
# endregion

# region limit
import torch
seen = []
def backend(gm, inputs):
    seen.append(size)
    return gm.forward
torch._dynamo.config.recompile_limit = 2
@torch.compile(backend=backend, dynamic=False)
def f(x):
    return x + 1
for size in (2, 3, 4, 5):
    f(torch.ones(size))
print(seen)
# Output:
# [2, 3]
# endregion

# region proof_limit_restored
import torch

torch._dynamo.config.cache_size_limit = 8
# endregion

# region proof_limit_runs_eager
import torch

seen = []
def backend(gm, inputs):
    seen.append(1)
    return gm.forward
@torch.compile(backend=backend, dynamic=False)
def f(x):
    return (x + 1, torch.compiler.is_compiling())
@torch.compile(backend=backend, dynamic=False, fullgraph=True)
def g(x):
    return x + 1
with torch._dynamo.config.patch(cache_size_limit=2):
    answers = [f(torch.ones(size))[1] for size in (2, 3, 4, 5)]
    assert answers == [True, True, False, False]
    g(torch.ones(2)), g(torch.ones(3))
    try:
        g(torch.ones(4))
        ran = True
    except Exception:
        ran = False
    assert not ran
# endregion

# region proof_first_dynamic
import torch

seen = []
def backend(gm, inputs):
    seen.append([type(i).__name__ for i in inputs])
    return gm.forward
f = torch.compile(lambda x: x + 1, backend=backend)
f(torch.ones(2, 7))
f(torch.ones(3, 7))
assert seen == [["Tensor"], ["SymInt", "Tensor"]]
f(torch.ones(9, 7))
assert len(seen) == 2
f(torch.ones(9, 8))
assert len(seen) == 3
f(torch.ones(10, 9))
assert len(seen) == 3
f(torch.ones(1, 9))
assert len(seen) == 4
# endregion

# region proof_zero_and_one
import torch

seen = []
def backend(gm, inputs):
    seen.append(size)
    return gm.forward
f = torch.compile(lambda x: x + 1, backend=backend, dynamic=True)
for size in (4, 3, 1, 0, 2):
    f(torch.ones(size))
assert seen == [4, 1, 0], seen
# endregion

# region proof_values
import torch

seen = []
def backend(gm, inputs):
    seen.append(1)
    return gm.forward
f = torch.compile(lambda x: x + 1, backend=backend)
for value in (0.0, 1.0, float("nan")):
    f(torch.full((2,), value))
assert len(seen) == 1
f(torch.ones(2, requires_grad=True))
assert len(seen) == 2
f(torch.nn.Parameter(torch.ones(2)))
assert len(seen) == 3
# endregion

# region proof_numbers
import torch

seen = []
def backend(gm, inputs):
    seen.append([type(i).__name__ for i in inputs])
    return gm.forward
f = torch.compile(lambda x, k: x + k, backend=backend)
for n in (2, 3, 4):
    f(torch.ones(2), n)
assert seen == [["Tensor"], ["Tensor", "SymInt"]] or seen == [["Tensor"], ["SymInt", "Tensor"]], seen
seen.clear()
f = torch.compile(lambda x, k: x + 1 if k else x, backend=backend)
for k in (True, False, True):
    f(torch.ones(2), k)
assert len(seen) == 1
f = torch.compile(lambda x, k: x + 1 if k else x - 1, backend=backend)
for k in (True, False, True):
    f(torch.ones(2), k)
assert len(seen) == 3
seen.clear()
f = torch.compile(lambda x: x * number, backend=backend)
for number in (2, 3, 4, 5):
    assert f(torch.ones(1)) == number
assert len(seen) == 4
# endregion

# region proof_reuse_of_global
import torch

seen = []
def backend(gm, inputs):
    seen.append(1)
    return gm.forward
f = torch.compile(lambda x: x * factor, backend=backend)
for factor in (2, 3, 2, 3):
    assert f(torch.ones(1)) == factor
assert len(seen) == 2
# endregion

# region proof_stance
import torch

if hasattr(torch.compiler, "set_stance"):
    seen = []
    def backend(gm, inputs):
        seen.append(1)
        return gm.forward
    f = torch.compile(lambda x: x + 1, backend=backend)
    with torch.compiler.set_stance("force_eager"):
        f(torch.ones(1))
        assert seen == []
    f(torch.ones(1))
    assert seen == [1]
    with torch.compiler.set_stance("fail_on_recompile"):
        f(torch.ones(1))
        try:
            f(torch.ones(1, 1))
            raise AssertionError("it ran")
        except RuntimeError:
            pass
# endregion
