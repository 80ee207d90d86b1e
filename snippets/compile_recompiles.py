"""Recompiles that users meet: what causes them, how to see them, what helps."""

# region module_counter
import torch
seen = []
def backend(gm, inputs):
    seen.append(len(seen))
    return gm.forward
class Net(torch.nn.Module):
    step = 0
    def forward(self, x):
        self.step += 1
        return x * self.step
net = torch.compile(Net(), backend=backend)
print([net(torch.ones(1)).item() for _ in range(3)], seen)
# Output:
# [1.0, 2.0, 3.0] [0, 1, 2]
# endregion

# region list_lengths
import torch

seen = []
def backend(gm, inputs):
    seen.append(n)
    return gm.forward

f = torch.compile(lambda parts: sum(parts), backend=backend)
for n in (1, 2, 3, 2):
    f([torch.ones(2)] * n)
print(seen)
# Output:
# [1, 2, 3]
# endregion

# region last_batch
import torch
from torch.utils.data import DataLoader

sizes = []
def backend(gm, inputs):
    sizes.append(len(batch))
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
for batch in DataLoader(torch.arange(10.0), batch_size=4):
    f(batch)
print(sizes)
# Output:
# [4, 2]
# endregion

# region marked_range
import torch
sizes = []
def backend(gm, inputs):
    sizes.append(size)
    return gm.forward
f = torch.compile(lambda x: x + 1, backend=backend)
for size in (4, 8, 9):
    x = torch.ones(size)
    if size == 4:
        torch._dynamo.mark_dynamic(x, 0, min=2, max=8)
    f(x)
print(sizes)
# Output:
# [4, 9]
# endregion

# region shared_code
import torch

seen = []
def backend(gm, inputs):
    seen.append("compiled")
    return gm.forward
def f(x):
    return x + 1

for _ in range(3):
    torch.compile(f, backend=backend)(torch.ones(2))
print(seen)
# Output:
# ['compiled']
# endregion

# region eager_on_recompile
import torch

sizes = []
def backend(gm, inputs):
    sizes.append(len(inputs[0]))
    return gm.forward

f = torch.compile(lambda x: x + 1, backend=backend)
f(torch.ones(2))
with torch.compiler.set_stance("eager_on_recompile"):
    print(f(torch.ones(3)), sizes)
# Output:
# tensor([2., 2., 2.]) [2]
# endregion

# region compile_counter
import torch
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()
f = torch.compile(lambda x: x.sin() + 1, backend=counter)
f(torch.ones(2))
f(torch.ones(3))
print(counter.frame_count, counter.op_count)
# Output:
# 2 4
# endregion

# region proof_numbers
import torch

torch.compiler.reset()
kinds = []
def backend(gm, inputs):
    kinds.append([tuple(i.shape) for i in inputs if isinstance(i, torch.Tensor)])
    return gm.forward
if torch.__version__ >= "2.7" or torch.__version__.startswith("2.1"):
    f = torch.compile(lambda x, k: x * k, backend=backend)
    for factor in (0.5, 1.5, 2.5):
        assert f(torch.ones(2), factor).tolist() == [factor] * 2
    assert sorted(kinds[1]) == [(), (2,)] and len(kinds) == 2, kinds  # a tensor stands for it
# a tensor as a counter
kinds.clear()
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.zeros(()))
    def forward(self, x):
        self.step += 1
        return x * self.step
net = torch.compile(Net(), backend=backend)
assert [net(torch.ones(1)).item() for _ in range(5)] == [1, 2, 3, 4, 5]
assert len(kinds) == 1
# the size of the last batch, and without it
from torch.utils.data import DataLoader

kinds.clear()
f = torch.compile(lambda x: x - 1, backend=backend)
for batch in DataLoader(torch.arange(10.0), batch_size=4, drop_last=True):
    f(batch)
assert len(kinds) == 1
# without mark_static the second size is a symbol
kinds.clear()
f = torch.compile(lambda x: x - 2, backend=backend)
for size in (2, 3, 4, 3):
    f(torch.ones(size))
assert len(kinds) == 2
# wrappers share the limit, too
kinds.clear()
def shared(x):
    return x + 1
limit = "recompile_limit" if hasattr(torch._dynamo.config, "recompile_limit") else "cache_size_limit"
with torch._dynamo.config.patch({limit: 2}):
    for size in (2, 3, 4, 5):
        torch.compile(shared, backend=backend, dynamic=False)(torch.ones(size))
    assert len(kinds) == 2
    torch.compile(shared, backend=lambda gm, inputs: backend(gm, inputs))(torch.ones(6))
    assert len(kinds) == 2  # the limit does not ask for the backend
kinds.clear()
def twice(x):
    return x * 2
for other in (backend, backend, lambda gm, inputs: backend(gm, inputs)):
    torch.compile(twice, backend=other)(torch.ones(2))
assert len(kinds) == 2  # but the compiled code does
# endregion

# region proof_maybe
import torch

torch.compiler.reset()
def g(x):
    return x + torch.ones(4)
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
import logging

logging.disable(logging.CRITICAL)
try:
    torch.compile(g, backend="eager")(x)
    raise AssertionError("it ran")
except torch.fx.experimental.symbolic_shapes.ConstraintViolationError as error:
    assert "mark_dynamic" in str(error) or "L['x'].size()[0]" in str(error)
except torch._dynamo.exc.UserError as error:
    raise AssertionError("another class") from error
logging.disable(logging.NOTSET)
torch.compiler.reset()
x = torch.ones(4)
torch._dynamo.maybe_mark_dynamic(x, 0)
assert torch.compile(g, backend="eager")(x).tolist() == [2.0] * 4
sizes = []
def backend(gm, inputs):
    sizes.append(size)
    return gm.forward
def h(x):
    return x + 1
f = torch.compile(h, backend=backend)
for size in (4, 5):
    x = torch.ones(size)
    torch._dynamo.maybe_mark_dynamic(x, 0)
    f(x)
assert sizes == [4]
# mark_dynamic makes one dimension a symbol, dynamic=True all of them
for wanted, marks in ((1, True), (2, False)):
    torch.compiler.reset()
    graphs = []
    def keep(gm, inputs):
        graphs.append(inputs)
        return gm.forward
    x = torch.ones(4, 6)
    if marks:
        torch._dynamo.mark_dynamic(x, 0)
    torch.compile(h, backend=keep, dynamic=None if marks else True)(x)
    assert sum(isinstance(i, torch.SymInt) for i in graphs[0]) == wanted, graphs
# endregion

# region proof_logs
import io
import logging
import os
import torch
from unittest import mock

torch.compiler.reset()
logger = logging.getLogger("torch._dynamo.guards.__recompiles")
told = io.StringIO()
handler = logging.StreamHandler(told)
clean = {name: value for name, value in os.environ.items() if name != "TORCH_LOGS"}
said = io.StringIO()
import contextlib

def f(x):
    return x + 1
with mock.patch.dict(os.environ, clean, clear=True), contextlib.redirect_stderr(said):
    torch._logging.set_logs(recompiles=True)
    logger.addHandler(handler)
    g = torch.compile(f, backend="eager")
    g(torch.ones(2)), g(torch.ones(3))
    logger.removeHandler(handler)
    torch._logging.set_logs()
assert "size mismatch at index 0. expected 2, actual 3" in told.getvalue(), told.getvalue()
assert "Recompiling function f in" in told.getvalue()
# the variable comes first
source = torch._logging.set_logs.__doc__
assert "complete precedence" in source and "this function does nothing" in source
# frame and compilation in the number of a compilation
from torch._guards import CompileId

assert str(CompileId(frame_id=2, frame_compile_id=1)) == "2/1"
# the warning at the limit
if hasattr(torch._dynamo.config, "recompile_limit"):
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    logger = logging.getLogger("torch._dynamo.convert_frame")
    logger.addHandler(handler)
    torch.compiler.reset()
    class Net(torch.nn.Module):
        step = 0
        def forward(self, x):
            self.step += 1
            return x * self.step
    net = torch.compile(Net(), backend="eager")
    with contextlib.redirect_stderr(said):
        for _ in range(12):
            net(torch.ones(1))
    logger.removeHandler(handler)
    text = told.getvalue()
    assert "torch._dynamo hit config.recompile_limit (8)" in text, text
    assert "last reason: 0/7: self.step == 7" in text, text
    assert 'To log all recompilation reasons, use TORCH_LOGS="recompiles"' in text
print("recompiled as told")
# endregion
