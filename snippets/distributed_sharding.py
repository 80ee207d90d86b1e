"""Meshes, sharded tensors, FSDP, and checkpoints of many ranks."""

# region proof_mesh
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.testing._internal.distributed import fake_pg

for rank in range(8):
    dist.init_process_group(
        "fake", store=fake_pg.FakeStore(), rank=rank, world_size=8
    )
    names = ("dp", "tp")
    mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=names)
    assert mesh["tp"].size() == 4 and mesh["dp"].size() == 2
    assert tuple(mesh.get_coordinate()) == (rank // 4, rank % 4)
    assert mesh.get_local_rank("tp") == rank % 4
    dist.destroy_process_group()
# smaller than the world it may be, larger not
dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=0, world_size=4)
for shape in ((2,), (2, 2), (5,), (2, 4)):
    try:
        mesh = init_device_mesh("cpu", shape)
        assert mesh.size() <= 4
    except RuntimeError:
        assert shape in ((5,), (2, 4))
dist.destroy_process_group()
print("mesh as told")
# endregion

# region proof_sharded
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.testing._internal.distributed import fake_pg

try:
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
    from torch.distributed.tensor import distribute_tensor
except ImportError:  # before torch 2.5
    from torch.distributed._tensor import DTensor, Replicate, Shard
    from torch.distributed._tensor import distribute_tensor
    from torch.distributed._tensor.placement_types import Partial

rows = []
for rank in range(4):
    dist.init_process_group(
        "fake", store=fake_pg.FakeStore(), rank=rank, world_size=4
    )
    mesh = init_device_mesh("cpu", (4,))
    whole = distribute_tensor(torch.ones(8, 3), mesh, [Shard(0)])
    assert whole.shape == (8, 3) and whole.to_local().shape == (2, 3)
    assert whole.full_tensor().shape == (8, 3)
    assert isinstance(whole.sum().placements[0], Partial)
    own = DTensor.from_local(torch.ones(2, 3), mesh, [Shard(0)])
    assert own.shape == (8, 3)
    assert own.sum().to_local() == 6  # of its own two rows
    assert type(whole.full_tensor()) is torch.Tensor
    assert (whole + 1).placements == (Shard(0),)
    same = distribute_tensor(torch.ones(8, 3), mesh, [Replicate()])
    assert same.to_local().shape == (8, 3)
    six = distribute_tensor(torch.ones(6, 3), mesh, [Shard(0)])
    rows.append(six.to_local().shape[0])
    dist.destroy_process_group()
assert rows == [2, 2, 2, 0]
assert [len(part) for part in torch.ones(6, 3).chunk(4)] == [2, 2, 2]
# full_tensor adds what is partial, and joins what is sharded
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1,))
whole = distribute_tensor(torch.arange(6.0), mesh, [Shard(0)])
assert whole.full_tensor().tolist() == [0, 1, 2, 3, 4, 5]
assert whole.sum().full_tensor() == 15
dist.destroy_process_group()
print("sharded as told")
# endregion

# region proof_fsdp
import torch
import torch.distributed as dist
from torch import nn
from torch.testing._internal.distributed import fake_pg

try:
    from torch.distributed.fsdp import fully_shard
except ImportError:  # before torch 2.6
    fully_shard = None

if fully_shard:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor

    dist.init_process_group(
        "fake", store=fake_pg.FakeStore(), rank=1, world_size=4
    )
    layer = nn.Linear(4, 8)
    fully_shard(layer, mesh=init_device_mesh("cpu", (4,)))
    assert isinstance(layer, nn.Linear)
    assert layer.weight.shape == (8, 4)
    assert layer.weight.to_local().shape == (2, 4)
    assert list(layer.state_dict()) == ["weight", "bias"]
    assert isinstance(layer.state_dict()["weight"], DTensor)
    optimizer = torch.optim.Adam(layer.parameters())
    layer(torch.ones(1, 4)).sum().backward()
    assert layer.weight.grad.to_local().shape == (2, 4)
    optimizer.step()
    state = optimizer.state[layer.weight]["exp_avg"]
    assert state.to_local().shape == (2, 4)
    # a module that was given to fully_shard is whole while it runs, another one is not
    seen = []

    class Layer(nn.Linear):
        def forward(self, x):
            seen.append([not isinstance(layer.weight, DTensor) for layer in layers])
            return super().forward(x)

    layers = [Layer(4, 4), Layer(4, 4)]
    net = nn.Sequential(*layers)
    mesh = init_device_mesh("cpu", (4,))
    for layer in layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(net, mesh=mesh)
    assert not any(seen)
    net(torch.ones(1, 4))
    assert seen[0] == [True, False] and seen[1][1] is True
    dist.destroy_process_group()
    # DDP keeps all of it whole
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    net = nn.parallel.DistributedDataParallel(nn.Linear(4, 8))
    assert type(net.module.weight) is nn.Parameter
    # an optimizer from before holds the old parameters and trains nothing
    for before in (False, True):
        layer = nn.Linear(4, 8)
        weight = layer.weight
        old = torch.optim.SGD(layer.parameters(), lr=1.0)
        fully_shard(layer, mesh=init_device_mesh("cpu", (1,)))
        new = torch.optim.SGD(layer.parameters(), lr=1.0)
        assert layer.weight is not weight and isinstance(layer.weight, DTensor)
        start = layer.weight.full_tensor().clone()
        layer(torch.ones(1, 4)).sum().backward()
        (old if before else new).step()
        assert layer.weight.full_tensor().equal(start) is before
    dist.destroy_process_group()
print("fully sharded as told")
# endregion

# region proof_checkpoint
import tempfile
import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.api import CheckpointException

with tempfile.TemporaryDirectory() as folder:
    dcp.save({"w": torch.ones(2)}, checkpoint_id=folder)
    try:
        dcp.load({"other": torch.zeros(2)}, checkpoint_id=folder)
        raise SystemExit("loaded")
    except BaseException as error:
        assert type(error) is CheckpointException
        assert not isinstance(error, Exception)
print("checkpoints as told")
# endregion

# region proof_torchrun
import os
import subprocess
import sys
import tempfile
import torch.distributed as dist

WORKER = (
    "import os\n"
    "names = 'LOCAL_RANK', 'WORLD_SIZE', 'LOCAL_WORLD_SIZE'\n"
    "with open('rank' + os.environ['RANK'], 'w') as file:\n"
    "    print(*(os.environ[name] for name in names), file=file)\n"
)
agents = []  # two on this machine stand for two machines
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/worker.py", "w") as file:
        file.write(WORKER)
    store = dist.TCPStore(  # on a port that is free
        "127.0.0.1", 0, is_master=True, wait_for_workers=False
    )
    command = [sys.executable, "-m", "torch.distributed.run"]
    command += ["--nnodes=2", "--nproc-per-node=2"]
    command += ["--local-addr=127.0.0.1", "--rdzv-backend=c10d"]
    command += [f"--rdzv-endpoint=127.0.0.1:{store.port}"]
    command += ["--rdzv-id=deck", "--rdzv-conf=is_host=0", "worker.py"]
    try:
        for number in range(2):
            with open(f"{folder}/agent{number}", "w") as said:
                agent = subprocess.Popen(
                    command, cwd=folder, stdout=said, stderr=said
                )
                agents.append(agent)
        for agent in agents:
            agent.wait(timeout=200)
    finally:
        for agent in agents:
            agent.kill()
            agent.wait()
    said, told = {}, {}
    for name in os.listdir(folder):
        if name.startswith(("rank", "agent")):
            with open(f"{folder}/{name}") as file:
                said[name] = file.read()
            if name.startswith("rank"):
                told[name] = said[name].split()
    wanted = {f"rank{r}": [str(r % 2), "4", "2"] for r in range(4)}
    assert told == wanted, said
print("launched as told")
# endregion

# region load_in_place
import tempfile
import torch
import torch.distributed.checkpoint as dcp

w = torch.zeros(2)
with tempfile.TemporaryDirectory() as folder:
    dcp.save({"w": torch.ones(2)}, checkpoint_id=folder)
    loaded = dcp.load({"w": w}, checkpoint_id=folder)
print(loaded, w)  # prints None tensor([1., 1.])
# endregion
