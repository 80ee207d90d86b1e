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
print("mesh as told")
# endregion

# region proof_sharded
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.testing._internal.distributed import fake_pg

try:
    from torch.distributed.tensor import Partial, Replicate, Shard
    from torch.distributed.tensor import distribute_tensor
except ImportError:  # before torch 2.5
    from torch.distributed._tensor import Replicate, Shard
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
    assert (whole + 1).placements == (Shard(0),)
    same = distribute_tensor(torch.ones(8, 3), mesh, [Replicate()])
    assert same.to_local().shape == (8, 3)
    six = distribute_tensor(torch.ones(6, 3), mesh, [Shard(0)])
    rows.append(six.to_local().shape[0])
    dist.destroy_process_group()
assert rows == [2, 2, 2, 0]
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

    dist.init_process_group(
        "fake", store=fake_pg.FakeStore(), rank=1, world_size=4
    )
    layer = nn.Linear(4, 8)
    fully_shard(layer, mesh=init_device_mesh("cpu", (4,)))
    assert isinstance(layer, nn.Linear)
    assert layer.weight.shape == (8, 4)
    assert layer.weight.to_local().shape == (2, 4)
    assert list(layer.state_dict()) == ["weight", "bias"]
    optimizer = torch.optim.Adam(layer.parameters())
    layer(torch.ones(1, 4)).sum().backward()
    assert layer.weight.grad.to_local().shape == (2, 4)
    optimizer.step()
    state = optimizer.state[layer.weight]["exp_avg"]
    assert state.to_local().shape == (2, 4)
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

WORKER = (
    "import os\n"
    "names = 'RANK', 'LOCAL_RANK', 'WORLD_SIZE', 'LOCAL_WORLD_SIZE'\n"
    "with open('rank' + os.environ['RANK'], 'w') as file:\n"
    "    print(*(os.environ[name] for name in names), file=file)\n"
)
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/worker.py", "w") as file:
        file.write(WORKER)
    command = [sys.executable, "-m", "torch.distributed.run"]
    command += ["--standalone", "--local-addr=127.0.0.1"]
    command += ["--nproc-per-node=2", "worker.py"]
    ran = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=200
    )
    told = {}
    for name in os.listdir(folder):
        if name.startswith("rank"):
            with open(f"{folder}/{name}") as file:
                told[name] = file.read().split()
    wanted = {r: [r[-1], r[-1], "2", "2"] for r in ("rank0", "rank1")}
    assert told == wanted, (told, ran)
print("launched as told")
# endregion

# region mesh_too_large
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

store = dist.HashStore()
dist.init_process_group("gloo", None, None, 1, 0, store)
for shape in ((1,), (2,)):
    try:
        print(init_device_mesh("cpu", shape).size())
    except RuntimeError:
        print("refused")
# Output:
# 1
# refused
dist.destroy_process_group()
# endregion

# region parameters_replaced
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.device_mesh import init_device_mesh

store = dist.HashStore()
dist.init_process_group("gloo", None, None, 1, 0, store)
layer = nn.Linear(4, 2)
before = layer.weight
fully_shard(layer, mesh=init_device_mesh("cpu", (1,)))
print(layer.weight is before)  # prints False
dist.destroy_process_group()
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
