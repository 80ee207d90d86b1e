"""Compiling in practice: what to compile, where, and what the compiled code keeps."""

# region proof_regional
import torch

seen = []

def backend(gm, inputs):
    seen.append(gm)
    return gm.forward

class Block(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()

net = torch.nn.Sequential(Block(2, 2), Block(2, 2), Block(2, 2))
for block in net:
    block.compile(backend=backend)
net(torch.ones(2, requires_grad=True))
if not torch.__version__.startswith("2.4"):
    assert len(seen) == 1
    net(torch.ones(2))  # now the first block differs from the others
    assert len(seen) == 2
# endregion

# region loss_outside
import torch
from torch import nn
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()
net = torch.compile(nn.Linear(1, 1), backend=counter)
x = y = torch.ones(1)
nn.functional.mse_loss(net(x), y)
print(counter.op_count)
# Output:
# 1
# endregion

# region constant_result
import torch

@torch.compiler.assume_constant_result
def scale():
    return settings["scale"]

settings = {"scale": 2}
f = torch.compile(lambda x: x * scale(), backend="eager")
before = f(torch.ones(1))
settings["scale"] = 3
print(before, f(torch.ones(1)))
# Output:
# tensor([2.]) tensor([2.])
# endregion

# region print_kept
import torch
graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
def f(x):
    y = x + 1
    print("between")
    return y * 2
torch._dynamo.config.reorderable_logging_functions.add(print)
out = torch.compile(f, backend=backend)(torch.ones(1))
print(out, len(graphs))
# Output:
# between
# tensor([4.]) 1
# endregion

# region strip_prefix
import torch
from torch import nn
from torch.nn.modules import utils

state = torch.compile(nn.Linear(2, 1)).state_dict()
strip = utils.consume_prefix_in_state_dict_if_present
strip(state, "_orig_mod.")
print(list(state))
# Output:
# ['weight', 'bias']
# endregion

# region late_hook
import torch
from torch import nn

x = torch.ones(1)
net = nn.ReLU()
fast = torch.compile(net, backend="eager")
fast(x)
net.register_forward_hook(lambda module, args, out: out * 10)
print(net(x), fast(x))
# Output:
# tensor([10.]) tensor([1.])
# endregion

# region attribute
import torch
from torch import nn

net = nn.Linear(1, 1)
fast = torch.compile(net)
fast.name = "small"
print(net.name, fast.in_features)
# Output:
# small 1
# endregion

# region decorated_forward
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2, 1)
    @torch.compile(backend="eager")
    def forward(self, x):
        return self.out(x)
print(list(Net().state_dict()))
# Output:
# ['out.weight', 'out.bias']
# endregion

# region proof_whole
import torch
from torch import nn
from torch._dynamo.testing import CompileCounter

class Block(nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()
found = []
for depth in (2, 4, 8):
    torch.compiler.reset()
    counter = CompileCounter()
    net = nn.Sequential(*(Block(2, 2) for _ in range(depth)))
    torch.compile(net, backend=counter)(torch.ones(1, 2))
    assert counter.frame_count == 1
    found.append(counter.op_count)
assert found == [4, 8, 16], found  # one graph that grows with the depth
if not torch.__version__.startswith("2.4"):
    torch.compiler.reset()
    counter = CompileCounter()
    net = nn.Sequential(*(Block(2, 2) for _ in range(8)))
    for block in net:
        block.compile(backend=counter)
    net(torch.ones(2, requires_grad=True))
    assert (counter.frame_count, counter.op_count) == (1, 2)
# with the loss in the function, it is in the graph
torch.compiler.reset()
counter = CompileCounter()
net = nn.Linear(1, 1)
@torch.compile(backend=counter)
def step(x, y):
    return nn.functional.mse_loss(net(x), y)
step(torch.ones(1), torch.ones(1))
assert (counter.frame_count, counter.op_count) == (1, 2)
# endregion

# region proof_learning_rate
import logging
import torch

logging.disable(logging.CRITICAL)
counts = []
for lr in (0.1, torch.tensor(0.1)):
    torch.compiler.reset()
    seen = []
    def backend(gm, inputs):
        seen.append(1)
        return gm.forward
    w = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([w], lr=lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    step = torch.compile(optimizer.step, backend=backend)
    for _ in range(4):
        w.grad = torch.ones(1)
        step()
        scheduler.step()
    assert abs(w.item() - (1 - 0.1 - 0.05 - 0.025 - 0.0125)) < 1e-6
    counts.append(len(seen))
assert counts[0] > 1 and counts[1] == 1, counts
logging.disable(logging.NOTSET)
# endregion

# region proof_suppress
import logging
import torch

torch.compiler.reset()
def broken(gm, inputs):
    raise ValueError("cannot compile this")
logging.disable(logging.CRITICAL)
f = torch.compile(lambda x: (x + 1, torch.compiler.is_compiling()), backend=broken)
try:
    f(torch.ones(1))
    raise SystemExit("it ran")
except torch._dynamo.exc.BackendCompilerFailed:
    pass
torch.compiler.reset()
with torch._dynamo.config.patch(suppress_errors=True):
    assert f(torch.ones(1)) == (torch.full((1,), 2.0), False)
logging.disable(logging.NOTSET)
# endregion

# region proof_keys
import torch
from torch import nn

try:
    nn.Linear(2, 1).load_state_dict(torch.compile(nn.Linear(2, 1)).state_dict())
    raise SystemExit("loaded")
except RuntimeError as error:
    assert 'Missing key(s) in state_dict: "weight", "bias"' in str(error)
    assert 'Unexpected key(s) in state_dict: "_orig_mod.weight", "_orig_mod.bias"' in str(error)
if torch.__version__.startswith("2.1"):  # 2.10 and later
    assert torch._dynamo.config.skip_nnmodule_hook_guards is True
    for skip in (True, False):
        torch.compiler.reset()
        log, net = [], nn.Linear(1, 1)
        with torch._dynamo.config.patch(skip_nnmodule_hook_guards=skip):
            f = torch.compile(net, backend="eager")
            f(torch.ones(1))
            net.register_forward_hook(lambda *args: log.append("late"))
            f(torch.ones(1))
        assert len(log) == (0 if skip else 1)
# the result of the function is in the graph as a constant, without a guard
torch.compiler.reset()
seen = []
def backend(gm, inputs):
    seen.append(number)
    return gm.forward
f = torch.compile(lambda x: x * number, backend=backend)
for number in (2, 3):
    f(torch.ones(1))
assert seen == [2, 3]
# endregion

# region proof_caches
import inspect
import os
import tempfile
from unittest import mock
import torch
from torch._inductor import codecache
from torch._inductor.runtime.runtime_utils import cache_dir

with tempfile.TemporaryDirectory() as folder:
    with mock.patch.dict(os.environ, TORCHINDUCTOR_CACHE_DIR=folder):
        assert cache_dir() == folder
        path = codecache.write("int one = 1;", "cpp")[1]
    assert path.startswith(folder + os.sep) and os.path.exists(path)
if hasattr(torch.compiler, "save_cache_artifacts"):
    assert torch._inductor.config.fx_graph_cache is True
    told = torch.compiler.load_cache_artifacts.__doc__
    assert "torch.compiler.load_cache_artifacts(artifacts[0])" in told
    found = inspect.signature(torch.compiler.save_cache_artifacts)
    assert "bytes" in str(found.return_annotation)
print("used as told")
# endregion
