"""Tensor parallelism and pipelines: what each rank holds, sees and sends."""

# region two_shards
import torch, torch.nn as nn, torch.distributed as dist
import torch.distributed.tensor.parallel as tp
from torch.testing._internal.distributed.fake_pg import FakeStore
store = FakeStore()
dist.init_process_group("fake", store=store, rank=0, world_size=4)
mesh = dist.init_device_mesh("cpu", (4,))
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
plan = {"0": tp.ColwiseParallel(), "2": tp.RowwiseParallel()}
tp.parallelize_module(net, mesh, plan)
for layer in (net[0], net[2]):
    print(layer.weight.to_local().shape)
# Output:
# torch.Size([4, 8])
# torch.Size([8, 4])
dist.destroy_process_group()
# endregion

# region one_all_reduce
import torch, torch.nn as nn, torch.distributed as dist
import torch.distributed.tensor.parallel as tp
from torch.distributed.tensor.debug import CommDebugMode
from torch.testing._internal.distributed.fake_pg import FakeStore
store = FakeStore()
dist.init_process_group("fake", store=store, rank=0, world_size=4)
mesh = dist.init_device_mesh("cpu", (4,))
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
plan = {"0": tp.ColwiseParallel(), "2": tp.RowwiseParallel()}
tp.parallelize_module(net, mesh, plan)
with CommDebugMode() as sent: net(torch.ones(2, 8)).tolist()
print(sent.get_total_counts())
# Output:
# 1
dist.destroy_process_group()
# endregion

# region column_output
import torch, torch.nn as nn, torch.distributed as dist
from torch.distributed.tensor import Replicate
import torch.distributed.tensor.parallel as tp
from torch.testing._internal.distributed.fake_pg import FakeStore
store = FakeStore()
dist.init_process_group("fake", store=store, rank=0, world_size=4)
mesh = dist.init_device_mesh("cpu", (4,))
whole = tp.ColwiseParallel(output_layouts=Replicate())
for style in (tp.ColwiseParallel(), whole):
    net = tp.parallelize_module(nn.Linear(8, 16), mesh, style)
    print(net(torch.ones(2, 8)).shape)
# Output:
# torch.Size([2, 4])
# torch.Size([2, 16])
dist.destroy_process_group()
# endregion

# region sequence
import torch, torch.nn as nn, torch.distributed as dist
import torch.distributed.tensor.parallel as tp
from torch.testing._internal.distributed.fake_pg import FakeStore
store = FakeStore()
dist.init_process_group("fake", store=store, rank=0, world_size=4)
mesh = dist.init_device_mesh("cpu", (4,))
norm = nn.LayerNorm(8)
tp.parallelize_module(norm, mesh, tp.SequenceParallel())
y = norm(torch.ones(2, 5, 8))  # the part of this rank
print(y.shape, y.to_local().shape, norm.weight.to_local().shape)
# Output:
# torch.Size([2, 20, 8]) torch.Size([2, 5, 8]) torch.Size([8])
dist.destroy_process_group()
# endregion

# region split_model
import torch
from torch import nn
from torch.distributed.pipelining import SplitPoint, pipeline

net = nn.Sequential()
for name in "abcde":
    net.add_module(name, nn.Linear(4, 4))
begin = {"d": SplitPoint.BEGINNING}
pipe = pipeline(net, mb_args=(torch.ones(2, 4),), split_spec=begin)
for n in range(pipe.num_stages):
    print(list(dict(pipe.get_stage_module(n).named_children())))
# Output:
# ['a', 'b', 'c']
# ['d', 'e']
# endregion

# region chunks
import torch
from torch.distributed.pipelining.microbatch import (
    split_args_kwargs_into_chunks,
)

batch = torch.arange(10)
parts, _ = split_args_kwargs_into_chunks((batch,), {}, chunks=4)
print([len(part[0]) for part in parts])
# Output:
# [3, 3, 2, 2]
# endregion

# region proof_parallel
from fractions import Fraction
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.testing._internal.distributed import fake_pg
from torch.utils._python_dispatch import TorchDispatchMode
from ranks import in_ranks


# The idle share of a GPipe pipeline, counted slot by slot
def idle(stages, micro):
    busy = {(stage, stage + n) for stage in range(stages) for n in range(micro)}
    slots = max(slot for _, slot in busy) + 1
    return Fraction(stages * slots - len(busy), stages * slots)


assert idle(4, 4) == Fraction(3, 7) and idle(4, 12) == Fraction(1, 5)
assert all(idle(p, m) == Fraction(p - 1, m + p - 1) for p in (2, 4, 8) for m in (1, 5, 32))


# Heads: after a column-wise split of the projection a rank has its share of them
class Attention(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.heads, self.q = heads, nn.Linear(64, 64)

    def forward(self, x):
        return self.q(x).view(2, 5, self.heads, 8)


dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=0, world_size=4)
mesh = init_device_mesh("cpu", (4,))
for heads in (8, 2):
    net = parallelize_module(Attention(heads), mesh, {"q": ColwiseParallel()})
    try:
        assert net(torch.ones(2, 5, 64)).shape == (2, 5, 2, 8)
        assert heads == 2
    except RuntimeError as error:
        assert heads == 8 and "is invalid for input of size" in str(error)
# the bias of a row-wise layer stays whole on each rank
layer = parallelize_module(nn.Linear(8, 16), mesh, RowwiseParallel())
assert layer.bias.to_local().shape == (16,) and layer.weight.to_local().shape == (16, 2)
dist.destroy_process_group()


if torch.__version__ >= (2, 6):  # a stage of a pipeline has the names of the model
    from torch.distributed.pipelining import SplitPoint, pipeline

    net = nn.Sequential()
    for name in "ab":
        net.add_module(name, nn.Linear(4, 4))
    pipe = pipeline(net, mb_args=(torch.ones(2, 4),), split_spec={"b": SplitPoint.BEGINNING})
    assert list(pipe.get_stage_module(1).state_dict()) == ["b.weight", "b.bias"]


class Reduced(TorchDispatchMode):
    """Notes what is given to all_reduce."""

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        if "all_reduce" in str(operator):
            given.append(args[0].tolist())
        return operator(*args, **(kwargs or {}))


given = []


# A row-wise layer takes the columns that its rank has; each of two ranks adds half of the bias, and the results are added
def rows(rank):
    mesh = init_device_mesh("cpu", (2,))
    torch.manual_seed(0)
    plain, x = nn.Linear(4, 3), torch.randn(5, 4)
    wanted = plain(x)
    layer = parallelize_module(plain, mesh, RowwiseParallel())
    assert torch.allclose(layer(x[:, 2 * rank : 2 * rank + 2]), wanted, atol=1e-6)
    bias = layer.bias.to_local().detach()
    with torch.no_grad(), Reduced():
        out = layer(torch.zeros(1, 2))
    assert given == [(bias / 2)[None].tolist()] and torch.allclose(out, bias)


in_ranks(2, rows)


def pipelines(rank):
    from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe

    torch.manual_seed(0)
    whole = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    x, y = torch.randn(16, 4), torch.randn(16, 4)
    reference = nn.MSELoss()(whole(x), y)
    reference.backward()
    grads = [p.grad.clone() for p in whole[rank].parameters()]
    peaks = {}
    for schedule in (ScheduleGPipe, Schedule1F1B):
        part = whole[rank]
        part.zero_grad()
        stage = PipelineStage(part, rank, 2, torch.device("cpu"))
        waiting, peak, sizes = 0, 0, set()
        runner = schedule(stage, n_microbatches=8, loss_fn=nn.MSELoss())
        forward, backward = stage.forward_one_chunk, stage.backward_one_chunk

        def one_forward(*args, **kwargs):
            nonlocal waiting, peak
            waiting += 1
            peak = max(peak, waiting)
            output = forward(*args, **kwargs)
            sizes.add(output[0].shape if isinstance(output, tuple) else output.shape)
            return output

        def one_backward(*args, **kwargs):
            nonlocal waiting
            waiting -= 1
            return backward(*args, **kwargs)

        stage.forward_one_chunk, stage.backward_one_chunk = one_forward, one_backward
        if rank == 0:
            assert runner.step(x) is None  # the first stage is given the input
        else:
            losses = []
            output = runner.step(target=y, losses=losses)  # the last one the target
            assert output.shape == (16, 4) and len(losses) == 8
            assert torch.allclose(sum(losses) / 8, reference)
        assert sizes == {torch.Size([2, 4])}
        assert all(torch.allclose(p.grad, g, atol=1e-6) for p, g in zip(part.parameters(), grads))
        peaks[schedule] = peak
        dist.barrier()
    assert peaks[ScheduleGPipe] == 8
    assert peaks[Schedule1F1B] == 2 - rank  # no more than there are stages


if torch.__version__ >= (2, 6):
    in_ranks(2, pipelines)
print("parallel as told")
# endregion
