"""Two real ranks on one machine: what each of them holds, and what DDP makes of their gradients."""

# region slice_reduced
import tempfile
import torch
import torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    x = torch.tensor([10, 20]) + rank
    dist.all_reduce(x[1:])
    if rank == 0: print(x)
start_processes(run, nprocs=2, start_method="fork")
# Output:
# tensor([10, 41])
# endregion

# region copy_reduced
import tempfile
import torch
import torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    loss = torch.tensor(2, dtype=torch.int32) + rank
    dist.all_reduce(loss.float())
    if rank == 0: print(loss)
start_processes(run, nprocs=2, start_method="fork")
# Output:
# tensor(2, dtype=torch.int32)
# endregion

# region same_seed
import tempfile
import torch
import torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    torch.manual_seed(0)
    out = [None, None]
    dist.all_gather_object(out, torch.randperm(4).tolist())
    if rank == 0: print(out)
start_processes(run, nprocs=2, start_method="fork")
# Output:
# [[0, 1, 3, 2], [0, 1, 3, 2]]
# endregion

# region recv_from_any
import tempfile
import torch
import torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    x = torch.tensor([rank * 5])
    if rank == 1: dist.send(x, dst=0)
    if rank == 0: print(dist.recv(x), x)
start_processes(run, nprocs=2, start_method="fork")
# Output:
# 1 tensor([5])
# endregion

# region broadcast_objects
import tempfile
import torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    config = [{"lr": 0.1}, "run-7"] if rank == 0 else [None, None]
    dist.broadcast_object_list(config, src=0)
    if rank == 1: print(config)
start_processes(run, nprocs=2, start_method="fork")
# Output:
# [{'lr': 0.1}, 'run-7']
# endregion

# region objects_of_two_lengths
import tempfile
import torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    errors = ["a.png", "b.png"] if rank == 0 else []
    out = [None, None]
    dist.all_gather_object(out, errors)
    if rank == 1: print(out)
start_processes(run, nprocs=2, start_method="fork")
# Output:
# [['a.png', 'b.png'], []]
# endregion

# region swap
import tempfile, torch, torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    x, y = torch.tensor([rank + 7]), torch.tensor([0])
    send = dist.P2POp(dist.isend, x, 1 - rank)
    recv = dist.P2POp(dist.irecv, y, 1 - rank)
    for work in dist.batch_isend_irecv([send, recv]): work.wait()
    if rank == 0: print(x, y)
start_processes(run, nprocs=2, start_method="fork")
# Output:
# tensor([7]) tensor([8])
# endregion

# region batches_of_two_sizes
import tempfile, torch, torch.distributed as dist
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel as DDP
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    net = DDP(torch.nn.Linear(1, 1, bias=False))
    batch = [[8.0]] if rank == 0 else [[4.0], [4.0], [4.0]]
    net(torch.tensor(batch)).mean().backward()
    if rank == 0: print(net.module.weight.grad.item())
start_processes(run, nprocs=2, start_method="fork")
# Output:
# 6.0
# endregion

# region join_divides
import tempfile, torch, torch.distributed as dist
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel as DDP
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    net = DDP(torch.nn.Linear(1, 1, bias=False))
    with net.join():
        for _ in range(rank):
            net(torch.ones(1, 1)).sum().backward()
    if rank == 1: print(net.module.weight.grad.item())
start_processes(run, nprocs=2, start_method="fork")
# Output:
# 0.5
# endregion

# region proof_two_ranks
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from ranks import in_ranks


def everywhere(value):
    out = [None] * dist.get_world_size()
    dist.all_gather_object(out, value)
    return out


def check(rank):
    # what differs is drawn from another seed on each rank
    torch.manual_seed(rank)
    drawn = everywhere(torch.randperm(50).tolist())
    assert drawn[0] != drawn[1]
    # equal weights without sending weights: equal start, equal gradients, equal steps
    net = DDP(nn.Linear(3, 2))
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    for step in range(3):
        loss = net(torch.randn(4, 3)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        # loss.item() is of this rank's batch; the gradients are the same, and so is their norm
        losses = everywhere(loss.item())
        assert losses[0] != losses[1]
        norms = everywhere(nn.utils.clip_grad_norm_(net.parameters(), 0.01).item())
        assert norms[0] == norms[1] > 0.01
        optimizer.step()
        weights = everywhere(net.module.weight.tolist())
        assert weights[0] == weights[1]
    # accumulation without no_sync ends with the same gradient, and reduces after every backward pass
    layer = nn.Linear(1, 1, bias=False)
    net = DDP(layer)
    calls = []

    def hook(state, bucket):
        calls.append(1)
        work = dist.all_reduce(bucket.buffer() / 2, async_op=True).get_future()
        return work.then(lambda f: f.value()[0])

    net.register_comm_hook(None, hook)
    found = []
    for quiet in (False, True):
        layer.weight.grad = None
        calls.clear()
        first, second = torch.tensor([[1.0 + 4 * rank]]), torch.tensor([[2.0 + 8 * rank]])
        if quiet:
            with net.no_sync():
                net(first).sum().backward()
        else:
            net(first).sum().backward()
        net(second).sum().backward()
        found.append((layer.weight.grad.item(), len(calls)))
    assert found == [(9.0, 2), (9.0, 1)], found
    # the mean of the means is not the mean where the batches differ in size; weighted by size it is
    layer.weight.grad = None
    net = DDP(layer)
    batch = torch.tensor([[8.0]] if rank == 0 else [[4.0]] * 3)
    (net(batch).sum() * 2 / 4).backward()  # times the number of ranks, by the number of all samples
    assert layer.weight.grad.item() == 5 == torch.tensor([8.0, 4, 4, 4]).mean()
    # join divides by the ranks that there were, or by those that are left
    for initial in (True, False):
        layer.weight.grad = None
        net = DDP(layer)
        with net.join(divide_by_initial_world_size=initial):
            for _ in range(rank):
                net(torch.ones(1, 1)).sum().backward()
        assert rank == 0 or layer.weight.grad.item() == (0.5 if initial else 1)


in_ranks(2, check)
print("two ranks as told")
# endregion
