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
