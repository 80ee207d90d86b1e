"""DistributedDataParallel: what it wraps, what it synchronises, and what it saves."""

# region proof_ddp
import contextlib
import inspect
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from ranks import in_ranks

defaults = {k: p.default for k, p in inspect.signature(DDP).parameters.items()}
assert defaults["find_unused_parameters"] is False


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(1, 1), nn.Linear(1, 1)

    def forward(self, x):
        return self.a(x)


class Counter(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.w = nn.Parameter(torch.ones(1))
        self.register_buffer("n", torch.tensor(float(start)))

    def forward(self, x):
        self.seen = self.n.item()
        return self.w * x + 0 * self.n


def check(rank):
    for without in (nn.ReLU(), nn.Linear(1, 1).requires_grad_(False)):
        try:
            DDP(without)
            raise SystemExit("accepted")
        except RuntimeError:
            pass
    layer = nn.Linear(1, 1, bias=False)
    nn.init.constant_(layer.weight, 10.0 + rank)
    net = DDP(layer)
    assert layer.weight.item() == 10  # rank 0's at construction
    x = torch.tensor([[1.0 + 2 * rank]])
    net(x).sum().backward()
    assert layer.weight.grad.item() == 2  # the mean of 1 and 3
    layer.weight.grad = None
    with net.no_sync():
        net(x).sum().backward()
    assert layer.weight.grad.item() == 1 + 2 * rank
    net(x).sum().backward()
    assert layer.weight.grad.item() == 4  # both passes, averaged
    # the forward pass decides, not the backward pass
    for forward_inside in (False, True):
        layer.weight.grad = None
        if forward_inside:
            with net.no_sync():
                loss = net(x).sum()
            loss.backward()
            assert layer.weight.grad.item() == 1 + 2 * rank
        else:
            loss = net(x).sum()
            with net.no_sync():
                loss.backward()
            assert layer.weight.grad.item() == 2
    # without the copy at construction each rank keeps its own
    if "init_sync" in defaults:
        own = nn.Linear(1, 1, bias=False)
        nn.init.constant_(own.weight, 10.0 + rank)
        DDP(own, init_sync=False)
        assert own.weight.item() == 10 + rank
    # the module called directly is not synchronised
    layer.weight.grad = None
    net.module(x).sum().backward()
    assert layer.weight.grad.item() == 1 + 2 * rank
    # parameters changed by hand are not synchronised
    with torch.no_grad():
        layer.weight.fill_(float(rank))
    net(x)
    assert layer.weight.item() == rank
    # buffers come from rank 0 before a forward pass that follows a training step
    c = Counter(5)
    net = DDP(c)
    for mode in (True, False):  # of train() or eval()
        for before in (contextlib.nullcontext, torch.no_grad, net.no_sync):
            net.train()
            net(torch.ones(1)).sum().backward()
            with before():
                net(torch.ones(1))
            c.n.fill_(float(rank + 1))
            net.train(mode)
            net(torch.ones(1))
            copied = before is contextlib.nullcontext
            assert c.seen == (1 if copied else rank + 1)
    c = Counter(5)
    new = "forward_sync_buffers"  # of torch 2.13
    net = DDP(c, **{new if new in defaults else "broadcast_buffers": False})
    c.n.fill_(float(rank + 1))
    net(torch.ones(1)).sum().backward()
    assert c.n == rank + 1
    # unused parameters: the second forward pass raises
    for find in (False, True):
        net = DDP(Two(), find_unused_parameters=find)
        net(torch.ones(1, 1)).sum().backward()
        try:
            net(torch.ones(1, 1)).sum().backward()
            assert find
        except RuntimeError as error:
            assert not find and "find_unused_parameters" in str(error)
    # join: unequal numbers of batches
    net = DDP(nn.Linear(1, 1))
    with net.join():
        for _ in range(2 + rank):
            net(torch.ones(1, 1)).sum().backward()
    # the end of join does copy parameters: from a rank that was last
    with net.join():
        for _ in range(2 + rank):
            net(torch.ones(1, 1)).sum().backward()
        with torch.no_grad():
            net.module.weight.fill_(float(rank))
    assert net.module.weight.item() == 1
    # the module called before the wrapper ever was
    net = DDP(nn.Linear(1, 1, bias=False))
    net.module(x).sum().backward()
    assert net.module.weight.grad.item() == 1 + 2 * rank


in_ranks(2, check)
# endregion

# region prefix
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group(
    "gloo", store=dist.HashStore(), rank=0, world_size=1
)
net = DDP(nn.Linear(2, 1))
print(list(net.state_dict()))  # prints ['module.weight', 'module.bias']
dist.destroy_process_group()
# endregion

# region load_prefix
import torch
from torch import nn
from torch.nn.modules.utils import (
    consume_prefix_in_state_dict_if_present as strip,
)

state = {"module.weight": torch.ones(1, 2)}
strip(state, "module.")
print(list(state))
# Output:
# ['weight']
# endregion

# region attributes
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
dist.init_process_group(
    "gloo", store=dist.HashStore(), rank=0, world_size=1
)
net = DDP(nn.Linear(2, 1))
for holder in (net.module, net):
    try:
        print(holder.in_features)
    except AttributeError as error:
        print(type(error).__name__)
# Output:
# 2
# AttributeError
dist.destroy_process_group()
# endregion

# region same_parameters
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group(
    "gloo", store=dist.HashStore(), rank=0, world_size=1
)
layer = nn.Linear(2, 1)
net = DDP(layer)
nn.init.zeros_(layer.weight)
print(net.module.weight.tolist())  # prints [[0.0, 0.0]]
dist.destroy_process_group()
# endregion

# region sync_batchnorm
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
new = nn.SyncBatchNorm.convert_sync_batchnorm(net)
print([type(m).__name__ for m in new])
# Output:
# ['Linear', 'SyncBatchNorm']
# endregion

# region sync_root
from torch import nn

norm = nn.BatchNorm1d(4)
new = nn.SyncBatchNorm.convert_sync_batchnorm(norm)
print(type(norm).__name__, type(new).__name__)
# Output:
# BatchNorm1d SyncBatchNorm
# endregion

# region proof_wrapper
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

# without a group it wraps nothing
try:
    DDP(nn.Linear(2, 1))
    raise SystemExit("wrapped")
except ValueError:
    pass
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layer = nn.Linear(2, 1)
net = DDP(layer)
assert net.module is layer and not hasattr(net, "in_features")
assert list(net.module.state_dict()) == ["weight", "bias"]
assert net.module.in_features == 2
dist.destroy_process_group()
# each kind of batch norm, however deep; instance norm is none
norms = nn.BatchNorm1d(4), nn.BatchNorm2d(4), nn.BatchNorm3d(4)
net = nn.Sequential(*norms, nn.Sequential(nn.BatchNorm2d(4)), nn.InstanceNorm1d(4))
assert nn.SyncBatchNorm.convert_sync_batchnorm(net) is net
kinds = [type(m) for m in net.modules() if not isinstance(m, nn.Sequential)]
assert kinds == [nn.SyncBatchNorm] * 4 + [nn.InstanceNorm1d]
# endregion
