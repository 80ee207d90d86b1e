"""What DDP, fully_shard and tensor parallelism keep on each rank, and what they send."""

# region mixed_precision
import torch
import torch.distributed as dist
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
mesh = dist.init_device_mesh("cpu", (1,))
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
net = torch.nn.Linear(4, 4)
fully_shard(net, mesh=mesh, mp_policy=policy)
y = net(torch.ones(1, 4))
y.sum().backward()
print(y.dtype, net.weight.dtype, net.weight.grad.dtype)
# Output:
# torch.bfloat16 torch.float32 torch.float32
dist.destroy_process_group()
# endregion

# region hybrid
import torch, torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.testing._internal.distributed.fake_pg import FakeStore
store = FakeStore()
dist.init_process_group("fake", store=store, rank=0, world_size=8)
names = ("replicate", "shard")
mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=names)
net = torch.nn.Linear(64, 64)
fully_shard(net, mesh=mesh)
print(net.weight.placements, net.weight.to_local().shape)
# Output:
# (Replicate(), Shard(dim=0)) torch.Size([16, 64])
dist.destroy_process_group()
# endregion

# region proof_choosing
import warnings
import torch
import torch.distributed as dist
from torch import nn
from torch.testing._internal.distributed import fake_pg

warnings.simplefilter("ignore")
# 16 bytes for each parameter with Adam in float32: 112 GB for 7 billion, 14 GB each on 8 ranks
net = nn.Linear(8, 8, bias=False)
optimizer = torch.optim.Adam(net.parameters())
with torch.autocast("cpu"):
    net(torch.ones(1, 8)).sum().backward()
optimizer.step()
state = [t for t in optimizer.state[net.weight].values() if t.dim()]
held = [net.weight.data, net.weight.grad, *state]
assert len(held) == 4 and {t.dtype for t in held} == {torch.float32}
assert sum(t.nbytes for t in held) == 16 * net.weight.numel()
assert 16 * 7 == 112 and 112 / 8 == 14
# ZeroRedundancyOptimizer: each parameter has its state on one rank, weights and gradients are whole
from torch.distributed.optim import ZeroRedundancyOptimizer

owners = []
for rank in range(4):
    dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=rank, world_size=4)
    layers = nn.Sequential(*[nn.Linear(8, 8, bias=False) for _ in range(24)])
    adam = ZeroRedundancyOptimizer(layers.parameters(), torch.optim.Adam)
    layers(torch.ones(1, 8)).sum().backward()
    adam.step()
    found = [n for n, p in layers.named_parameters() if p in adam.optim.state]
    assert len(found) == 6 and all(p.shape == p.grad.shape == (8, 8) for p in layers.parameters())
    owners += found
    dist.destroy_process_group()
assert len(set(owners)) == len(owners) == 24
# a model, its gradients and Adam's state in bfloat16: half of it
net = nn.Linear(8, 8, bias=False, dtype=torch.bfloat16)
optimizer = torch.optim.Adam(net.parameters())
net(torch.ones(1, 8, dtype=torch.bfloat16)).sum().backward()
optimizer.step()
state = [t for t in optimizer.state[net.weight].values() if t.dim()]
assert sum(t.nbytes for t in [net.weight, net.weight.grad, *state]) == 8 * net.weight.numel()

try:
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
except ImportError:  # before torch 2.6
    fully_shard = None

if fully_shard:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.debug import CommDebugMode
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=0, world_size=4)
    mesh = init_device_mesh("cpu", (4,))

    def counts(net, whole=True):
        with CommDebugMode() as sent:
            net(torch.ones(1, 8, requires_grad=True)).square().sum().backward()
        return {str(k).rsplit(".", 1)[-1].strip("_"): v for k, v in sent.get_comm_counts().items() if v}

    # each block: gathered for the forward and for the backward pass, and one reduce_scatter
    net = nn.Sequential(*[nn.Linear(8, 8) for _ in range(3)])
    for layer in net:
        fully_shard(layer, mesh=mesh, reshard_after_forward=True)
    fully_shard(net, mesh=mesh)
    assert counts(net) == {"allgather_base": 6, "reduce_scatter_base": 3}, counts(net)
    # without resharding, the weights are gathered once only, and stay whole after the forward pass
    for free, gathered, numbers in ((True, 6, 16), (False, 3, 64)):
        net = nn.Sequential(*[nn.Linear(8, 8, bias=False) for _ in range(3)])
        for layer in net:
            fully_shard(layer, mesh=mesh, reshard_after_forward=free)
        fully_shard(net, mesh=mesh)
        assert counts(net) == {"allgather_base": gathered, "reduce_scatter_base": 3}
        net(torch.ones(1, 8))
        weight = net[0].weight
        assert (weight.to_local() if free else weight).numel() == numbers
    # Adam's state has the shape of the local shard
    layer = nn.Linear(32, 64, bias=False)
    fully_shard(layer, mesh=mesh)
    optimizer = torch.optim.Adam(layer.parameters())
    layer(torch.ones(1, 32)).sum().backward()
    optimizer.step()
    assert optimizer.state[layer.weight]["exp_avg"].to_local().shape == (16, 32)
    # the whole model at once: everything is gathered by one call, and whole at the same time
    whole = nn.Sequential(*[nn.Linear(8, 8) for _ in range(3)])
    fully_shard(whole, mesh=mesh)
    assert counts(whole) == {"allgather_base": 1, "reduce_scatter_base": 1}
    # tensor parallelism gathers no weight; it computes with the part, and sends activations
    plan = {"0": ColwiseParallel(), "2": RowwiseParallel()}
    pair = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
    parallelize_module(pair, mesh, plan)
    with CommDebugMode() as sent:
        pair(torch.ones(1, 8)).tolist()
    assert [str(k) for k, v in sent.get_comm_counts().items() if v] == ["c10d_functional.all_reduce"]
    # the policy leaves what is stored in float32; the copy that computes is bfloat16
    seen = []

    class Layer(nn.Linear):
        def forward(self, x):
            seen.append((self.weight.dtype, tuple(self.weight.shape)))
            return super().forward(x)

    layer = Layer(8, 8)
    fully_shard(layer, mesh=mesh, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
    optimizer = torch.optim.Adam(layer.parameters())
    layer(torch.ones(1, 8)).float().sum().backward()
    optimizer.step()
    assert seen == [(torch.bfloat16, (8, 8))]
    told = " ".join(MixedPrecisionPolicy.__doc__.split())
    assert "the dtype for forward/backward computation and the parameter all-gather" in told
    assert layer.weight.dtype == layer.weight.grad.dtype == torch.float32
    assert optimizer.state[layer.weight]["exp_avg"].dtype == torch.float32
    dist.destroy_process_group()
    # on a mesh of two dimensions: gathered along the second, reduced along the first as well
    dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=0, world_size=8)
    names = ("replicate", "shard")
    layer = nn.Linear(8, 8)
    fully_shard(layer, mesh=init_device_mesh("cpu", (2, 4), mesh_dim_names=names))
    found = counts(layer)
    assert set(found) == {"allgather_base", "reduce_scatter_base", "allreduce"}, found
    dist.destroy_process_group()
# DDP: one all_reduce of gradients, and every rank has all of them
assert "single node" in " ".join(nn.DataParallel.__doc__.split())
print("chosen as told")
# endregion
