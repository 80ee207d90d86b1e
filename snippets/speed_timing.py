"""Timing what runs asynchronously, and counting operations instead of time."""

# region flops_per_weight
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

layer = nn.Linear(100, 100, bias=False)
x = torch.ones(1, 100, requires_grad=True)
for train in (False, True):
    with FlopCounterMode(display=False) as counter:
        y = layer(x)
        if train:
            y.sum().backward()
    print(counter.get_total_flops() / layer.weight.numel())
# Output:
# 2.0
# 6.0
# endregion

# region order_of_products
import torch
from torch.utils.flop_counter import FlopCounterMode

a = torch.empty(1000, 1000, device="meta")
v = torch.empty(1000, 1, device="meta")
for f in (lambda: (a @ a) @ v, lambda: a @ (a @ v)):
    with FlopCounterMode(display=False) as counter:
        f()
    print(counter.get_total_flops())
# Output:
# 2002000000
# 4000000
# endregion

# region only_products_count
import torch
from torch.utils.flop_counter import FlopCounterMode

x = torch.ones(10, 10)
for f in (lambda: x.exp().softmax(1) + x, lambda: (x @ x).relu()):
    with FlopCounterMode(display=False) as counter:
        f()
    print(counter.get_total_flops())
# Output:
# 0
# 2000
# endregion

# region reads_of_a_value
import torch
from torch.profiler import ProfilerActivity, profile

loss = torch.tensor(0.5)
for f in (lambda: loss * 2, lambda: float(loss), lambda: not loss):
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        f()
    names = [event.name for event in prof.events()]
    print(names.count("aten::item"))
# Output:
# 0
# 1
# 1
# endregion

# region proof_flops
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode, flop_registry

def flops(f):
    with FlopCounterMode(display=False) as counter:
        f()
    return counter.get_total_flops()

assert flops(lambda: torch.ones(2, 3) @ torch.ones(3, 4)) == 2 * 2 * 3 * 4
x = torch.ones(8, 100)
layer = nn.Linear(100, 50, bias=False)
assert flops(lambda: layer(x)) == 2 * 8 * 5000
# backward: one product for the weight, one for the input, if it needs it
assert flops(lambda: layer(x).sum().backward()) == 2 * 2 * 8 * 5000
x.requires_grad_()
assert flops(lambda: layer(x).sum().backward()) == 3 * 2 * 8 * 5000
a, v = torch.randn(5, 5).double(), torch.randn(5, 1).double()
assert torch.allclose((a @ a) @ v, a @ (a @ v))
both = [torch.ones(100, 100), torch.ones(100, 100), torch.ones(100, 1)]
assert flops(lambda: torch.linalg.multi_dot(both)) == 40000
# only what has a formula counts
assert {torch.ops.aten.mm, torch.ops.aten.convolution} <= set(flop_registry)
assert not {torch.ops.aten.exp, torch.ops.aten._softmax} & set(flop_registry)
# endregion

# region proof_checkpoint_flops
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

net = nn.Sequential(
    nn.Linear(100, 100, False), nn.ReLU(), nn.Linear(100, 100, False), nn.ReLU()
)
x = torch.ones(1, 100, requires_grad=True)
weights = sum(p.numel() for p in net.parameters())
for run, each in ((net, 6), (lambda x: checkpoint(net, x, use_reentrant=False), 8)):
    with FlopCounterMode(display=False) as counter:
        run(x).sum().backward()
    assert counter.get_total_flops() == each * weights
# endregion

# region proof_clock
import inspect
import torch
from torch.utils.benchmark import Timer

assert "accurately measure timing" in torch.cuda.Event.__doc__
timing = inspect.signature(torch.cuda.Event.__new__).parameters
assert timing["enable_timing"].default is False
told = " ".join(torch.cuda.set_sync_debug_mode.__doc__.split())
assert 'if "warn" or 1, warn on synchronizing operations' in told
timer = " ".join(Timer.__doc__.split())
assert "important as some elements of PyTorch are lazily initialized" in timer
print("timing as told")
# endregion
