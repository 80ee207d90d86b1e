"""Several ranks explained: proofs of what the cards say about error messages and choices."""

# region proof_one_process
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(1, 1), nn.Linear(1, 1)

    def forward(self, x):
        return self.a(x)


for options in ({}, {"find_unused_parameters": True}):
    model = DistributedDataParallel(Two(), **options)
    try:
        for _ in range(2):
            model(torch.ones(1)).sum().backward()
        assert options
    except RuntimeError as error:
        message = "Expected to have finished reduction in the prior iteration before starting a new one."
        assert message in str(error) and not options
dist.destroy_process_group()

first = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
try:
    dist.TCPStore("127.0.0.1", first.port, is_master=True, wait_for_workers=False)
    raise SystemExit("no error")
except RuntimeError as error:
    assert "EADDRINUSE, message: address already in use" in str(error)

assert dist.Backend.backend_capability["nccl"] == ["cuda"]
assert "cpu" in dist.Backend.backend_capability["gloo"]
assert dist.Backend.default_device_backend_map["cpu"] == "gloo"
assert dist.Backend.default_device_backend_map["cuda"] == "nccl"

text = " ".join(nn.SyncBatchNorm.__doc__.split())
assert "calculated per-dimension over all mini-batches of the same process groups" in text
print("one process as told")
# endregion

# region proof_two_ranks
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from ranks import in_ranks


def check(rank):
    # each rank normalises with the statistics of its own batch
    model = DistributedDataParallel(nn.BatchNorm1d(1))
    own = torch.tensor([[0.0], [2.0]]) + 100 * rank
    assert torch.allclose(model(own), torch.tensor([[-1.0], [1.0]]), atol=1e-3)


in_ranks(2, check)
print("two ranks as told")
# endregion
