"""Checkpoints of many ranks: files, keys, resharding, and who has to call what."""

# region optimizer_names
import torch
from torch.distributed.checkpoint.state_dict import (
    get_optimizer_state_dict,
)

net = torch.nn.Linear(1, 1)
adam = torch.optim.Adam(net.parameters())
net(torch.ones(1, 1)).sum().backward()
adam.step()
named = get_optimizer_state_dict(net, adam)
for state in (adam.state_dict(), named):
    print(list(state["state"]))
# Output:
# [0, 1]
# ['weight', 'bias']
# endregion

# region part
import tempfile
import torch
import torch.distributed.checkpoint as dcp

state = {"step": 0}
with tempfile.TemporaryDirectory() as folder:
    saved = {"step": 7, "model": {"w": torch.ones(2)}}
    dcp.save(saved, checkpoint_id=folder)
    dcp.load(state, checkpoint_id=folder)
print(state)
# Output:
# {'step': 7}
# endregion

# region stateful
import tempfile
import torch.distributed.checkpoint as dcp
class Progress:
    step = 7
    def state_dict(self): return {"step": self.step}
    def load_state_dict(self, state): self.step = state["step"] + 1
progress = Progress()
with tempfile.TemporaryDirectory() as folder:
    dcp.save({"progress": progress}, checkpoint_id=folder)
    dcp.load({"progress": progress}, checkpoint_id=folder)
print(progress.step)
# Output:
# 8
# endregion

# region own_dtype
import tempfile
import torch
import torch.distributed.checkpoint as dcp

w = torch.zeros(2, dtype=torch.bfloat16)
with tempfile.TemporaryDirectory() as folder:
    saved = {"w": torch.tensor([1.0, 2.0])}
    dcp.save(saved, checkpoint_id=folder)
    dcp.load({"w": w}, checkpoint_id=folder)
print(w)
# Output:
# tensor([1., 2.], dtype=torch.bfloat16)
# endregion

# region to_one_file
import tempfile
import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import format_utils

folder = tempfile.mkdtemp()
state = {"model": {"w": torch.ones(2)}, "step": 7}
dcp.save(state, checkpoint_id=folder)
format_utils.dcp_to_torch_save(folder, folder + "/all.pt")
print(torch.load(folder + "/all.pt", weights_only=True))
# Output:
# {'model': {'w': tensor([1., 1.])}, 'step': 7}
# endregion

# region proof_checkpoints
import os
import tempfile
import warnings
from datetime import timedelta
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict
from ranks import in_ranks

try:
    from torch.distributed.fsdp import fully_shard
except ImportError:  # before torch 2.6
    fully_shard = None

warnings.simplefilter("ignore")


def sharded(value):
    layer = nn.Linear(1, 8, bias=False)
    nn.init.constant_(layer.weight, value)
    fully_shard(layer, mesh=dist.init_device_mesh("cpu", (dist.get_world_size(),)))
    return layer


def save(rank, folder):
    layer = sharded(5.0)
    dcp.save({"model": get_model_state_dict(layer)}, checkpoint_id=folder)
    dist.barrier()
    files = sorted(os.listdir(folder))
    assert files == [".metadata", "__0_0.distcp", "__1_0.distcp"], files  # each rank writes its own file
    metadata = dcp.FileSystemReader(folder).read_metadata()
    parts = {k.offset[0]: v.relative_path for k, v in metadata.storage_data.items() if k.fqn == "model.weight"}
    assert parts == {0: "__0_0.distcp", 4: "__1_0.distcp"}, parts  # which part is in which file
    # the whole state on rank 0 alone; the call needs all ranks, the file only one
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    state = get_model_state_dict(layer, options=options)
    if rank == 0:
        assert type(state["weight"]) is torch.Tensor and state["weight"].shape == (8, 1)
    else:
        assert state == {}
    # from rank 0 to the shards of all
    other = sharded(0.0)
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    set_model_state_dict(other, state if rank == 0 else {}, options=options)
    assert other.weight.full_tensor().eq(5).all()
    # full_tensor is a collective: rank 0 alone waits in vain
    group = dist.new_group(timeout=timedelta(milliseconds=300))
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.tensor import DTensor, Shard

    mesh = DeviceMesh.from_group(group, "cpu")
    part = DTensor.from_local(torch.ones(4, 1), mesh, [Shard(0)])
    if rank == 0:
        try:
            part.full_tensor().tolist()
            raise SystemExit("it did not wait")
        except RuntimeError as error:
            assert "imed out" in str(error), error


def saved_by_one(rank):
    group = dist.new_group(timeout=timedelta(milliseconds=300))
    if rank == 0:
        with tempfile.TemporaryDirectory() as folder:
            try:
                dcp.save({"w": torch.ones(2)}, checkpoint_id=folder, process_group=group)
                raise SystemExit("it did not wait")
            except BaseException as error:
                assert "imed out" in str(error), error


def load(rank, folder):
    layer = sharded(0.0)
    state = {"model": get_model_state_dict(layer)}
    assert state["model"]["weight"].to_local().shape == (8 // dist.get_world_size(), 1)
    dcp.load(state, checkpoint_id=folder)
    set_model_state_dict(layer, state["model"])
    assert layer.weight.full_tensor().eq(5).all()


in_ranks(2, saved_by_one)
if fully_shard:
    with tempfile.TemporaryDirectory() as folder:
        in_ranks(2, save, folder)
        in_ranks(4, load, folder)  # other numbers of ranks than at saving
        in_ranks(1, load, folder)
        # without any group as well
        state = {"model": {"weight": torch.zeros(8, 1)}}
        dcp.load(state, checkpoint_id=folder)
        assert state["model"]["weight"].eq(5).all()
    # async_save returns when the tensors were copied; what is changed afterwards is not saved
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    with tempfile.TemporaryDirectory() as folder:
        w = torch.ones(2)
        future = dcp.async_save({"w": w}, checkpoint_id=folder)
        w.fill_(9)
        future.result()
        state = {"w": torch.zeros(2)}
        dcp.load(state, checkpoint_id=folder)
        assert state["w"].tolist() == [1, 1]
    dist.destroy_process_group()
# keys of a model under DDP, without the prefix
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.parallel.DistributedDataParallel(nn.Linear(1, 1))
assert list(get_model_state_dict(net)) == ["weight", "bias"]
assert list(net.state_dict()) == ["module.weight", "module.bias"]
dist.destroy_process_group()
print("checkpoints as told")
# endregion
