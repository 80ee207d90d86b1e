"""What the pictures of the distributed deck show, as code."""

# region proof_ranks
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DistributedSampler

data = list(range(10))
parts = [
    list(DistributedSampler(data, 3, rank, shuffle=False)) for rank in range(3)
]
assert parts == [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]]
fewer = [
    list(DistributedSampler(data, 3, rank, shuffle=False, drop_last=True))
    for rank in range(3)
]
assert sum(fewer, []) == [0, 3, 6, 1, 4, 7, 2, 5, 8]

net = nn.Sequential(*(nn.Linear(2, 2, bias=False) for _ in range(3)))
ready = []
for name, parameter in net.named_parameters():
    parameter.register_post_accumulate_grad_hook(
        lambda _, name=name: ready.append(name)
    )
net(torch.ones(1, 2)).sum().backward()
assert ready == ["2.weight", "1.weight", "0.weight"]
print("ranks as drawn")
# endregion

# region proof_buckets
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layers = nn.Sequential(*(nn.Linear(600, 600, bias=False) for _ in range(3)))
net = DDP(layers, bucket_cap_mb=1)  # one layer fills a bucket
seen = []


def reduce(_, bucket):
    seen.append("bucket")
    done = torch.futures.Future()
    done.set_result(bucket.buffer())
    return done


for name, parameter in layers.named_parameters():
    parameter.register_post_accumulate_grad_hook(
        lambda _, name=name: seen.append(name)
    )
net.register_comm_hook(None, reduce)
for _ in range(3):  # the first pass only learns in which order gradients come
    seen.clear()
    net(torch.ones(1, 600)).sum().backward()
# The bucket of the last layer is reduced before the gradient of the first is ready.
grads = [name for name in seen if name != "bucket"]
assert grads == ["2.weight", "1.weight", "0.weight"]
assert seen.index("bucket") < seen.index("0.weight") and seen.count("bucket") > 1
dist.destroy_process_group()
# endregion

# region proof_buckets_of_six
import torch
import torch.distributed as dist

layers = [torch.zeros(300, 300) for _ in range(6)]
assert round(layers[0].nbytes / 2**20, 2) == 0.34
found = dist._compute_bucket_assignment_by_size(layers[::-1], [2**20, 2**20])[0]
assert [[5 - at for at in bucket] for bucket in found] == [[5, 4, 3], [2, 1, 0]]
print("buckets as drawn")
# endregion

# region proof_six_layers_in_ddp
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = DDP(
    nn.Sequential(*(nn.Linear(300, 300, bias=False) for _ in range(6))),
    bucket_cap_mb=1,
)
number = {p.data_ptr(): int(name.split(".")[1]) for name, p in net.named_parameters()}
seen = []


def reduce(_, bucket):
    seen.append(sorted(number[p.data_ptr()] for p in bucket.parameters()))
    done = torch.futures.Future()
    done.set_result(bucket.buffer())
    return done


net.register_comm_hook(None, reduce)
for _ in range(3):
    seen.clear()
    net(torch.ones(1, 300)).sum().backward()
assert seen == [[3, 4, 5], [0, 1, 2]]
dist.destroy_process_group()
print("six layers as drawn")
# endregion

# region proof_mesh_and_columns
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel
from torch.distributed.tensor.parallel import parallelize_module
from torch.testing._internal.distributed import fake_pg

dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=5, world_size=8)
mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))
assert mesh.mesh.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
assert dist.get_process_group_ranks(mesh["dp"].get_group()) == [1, 5]
assert dist.get_process_group_ranks(mesh["tp"].get_group()) == [4, 5, 6, 7]
dist.destroy_process_group()
for rank in range(2):
    dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=rank, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    shapes = []
    for style in (ColwiseParallel(), RowwiseParallel()):
        layer = parallelize_module(nn.Linear(6, 4), mesh, style)
        shapes.append(tuple(layer.weight.to_local().shape))
    assert shapes == [(2, 6), (4, 3)]
    dist.destroy_process_group()
print("mesh and columns as drawn")
# endregion

# region proof_collectives
import os
import signal
import tempfile
import time
import torch
import torch.distributed as dist


def run(rank, world):
    """What one rank of a group checks."""
    x = torch.tensor([5 + rank])
    parts = [torch.zeros_like(x) for _ in range(world)]
    dist.all_gather(parts, x)
    assert torch.cat(parts).tolist() == list(range(5, 5 + world))
    if world == 2:
        x = torch.tensor([[1, 2], [30, 40]][rank])
        out = torch.zeros(1, dtype=torch.int64)
        single = getattr(dist, "reduce_scatter_single", dist.reduce_scatter_tensor)
        single(out, x)
        assert out.tolist() == [[31], [42]][rank]
        whole = [torch.zeros_like(out) for _ in range(2)]
        dist.all_gather(whole, out)
        dist.all_reduce(x)
        assert torch.equal(torch.cat(whole), x)


for world in (2, 3):
    with tempfile.TemporaryDirectory() as folder:
        children = []
        for rank in range(world):
            if not (child := os.fork()):
                signal.alarm(150)  # whoever waits for a dead process ends, too
                status = 1
                try:
                    store = dist.FileStore(f"{folder}/store", world)
                    dist.init_process_group("gloo", store=store, rank=rank, world_size=world)
                    run(rank, world)
                    store.add("done", 1)
                    while store.add("done", 0) < world:  # nobody leaves while another rank may need it
                        time.sleep(0.01)
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
        assert all(os.waitpid(child, 0)[1] == 0 for child in children)
print("collectives as drawn")
# endregion

# region proof_pipeline
import inspect

try:
    from torch.distributed.pipelining import schedules
except ImportError:
    schedules = None

for microbatches, idle, cells in ((4, 6, 18), (8, 6, 30)):
    stages = 3
    ends = {}
    for number in range(microbatches):
        for stage in range(stages):
            ready = max(ends.get((stage - 1, number), 0), ends.get((stage, number - 1), 0))
            ends[stage, number] = ready + 1
    length = max(ends.values())
    assert stages * length == cells and cells - stages * microbatches == idle
if schedules:  # 1F1B: as many forwards first as stages are left, and then one of each
    source = inspect.getsource(schedules.Schedule1F1B)
    assert "self._num_stages - self._stage.stage_index" in source
    for several in (schedules.ScheduleInterleaved1F1B, schedules.ScheduleLoopedBFS):
        assert "multiple stages per rank" in " ".join(several.__doc__.split())
        assert issubclass(several, schedules.PipelineScheduleMulti)
    gpipe = inspect.getsource(schedules.ScheduleGPipe)
    assert gpipe.index("forward_one_chunk") < gpipe.index("backward_one_chunk")
print("pipeline as drawn")
# endregion
