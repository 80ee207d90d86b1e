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
