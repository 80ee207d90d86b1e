"""Collectives: what each rank holds afterwards, and which shapes they accept."""

# region proof_ranks
import pickle
import warnings
import torch
import torch.distributed as dist
from ranks import in_ranks


def check(rank):
    store = dist.PrefixStore("check", dist.distributed_c10d._get_default_store())
    t = lambda *v: torch.tensor(v, dtype=torch.float32)
    x = t(rank + 1)
    dist.broadcast(x, src=1)
    assert x == 2
    x = t(rank + 1)
    dist.all_reduce(x)
    assert x == 6

    x = t(rank + 1)
    dist.all_reduce(x, op=dist.ReduceOp.MAX)
    assert x == 3
    x = t(rank + 1)
    dist.reduce(x, dst=1)
    assert rank != 1 or x == 6
    # The other ranks may find a partial sum in x.
    changed = []
    for dst in range(3):
        x = t(rank + 1)
        dist.reduce(x, dst=dst)
        assert rank != dst or x == 6
        changed.append(rank != dst and x.item() != rank + 1)
    out = [None] * 3
    dist.all_gather_object(out, changed)
    assert any(map(any, out))
    # With async_op the call returns before the other ranks have called; without it only afterwards.
    x = t(rank + 1)
    if rank == 0:
        work = dist.all_reduce(x, async_op=True)
        store.set("called", "1")
        assert work.wait() and x == 6
    else:
        store.get("called")
        assert dist.all_reduce(x) is None
    out = [t(0) for _ in range(3)] if rank == 1 else None
    dist.gather(t(rank + 1), out, dst=1)
    assert rank != 1 or torch.cat(out).tolist() == [1, 2, 3]
    out = [t(0) for _ in range(3)]
    assert dist.all_gather(out, t(rank + 1)) is None
    assert torch.cat(out).tolist() == [1, 2, 3] and len(out) == 3
    for number in (0, 2, 4):  # one tensor per rank, no more and no fewer
        try:
            dist.all_gather([t(0)] * number, t(rank))
            raise SystemExit("gathered")
        except (RuntimeError, ValueError):
            pass
    # no gradient by way of the list, but by the own tensor put back into it
    x = t(rank + 1).requires_grad_()
    out = [t(0) for _ in range(3)]
    dist.all_gather(out, x)
    assert not any(part.requires_grad for part in out)
    out[rank] = x
    (torch.cat(out) ** 2).sum().backward()
    assert x.grad == 2 * (rank + 1)
    out = t(0)
    dist.scatter(out, [t(7), t(8), t(9)] if rank == 0 else None, src=0)
    assert out == 7 + rank
    x = t(0)
    if rank == 0:
        dist.send(t(5), dst=2)
    if rank == 2:
        assert dist.recv(x, src=0) == 0 and x == 5
    out = [None] * 3
    dist.all_gather_object(out, "r" + str(rank))
    assert out == ["r0", "r1", "r2"]
    items = ["a", rank]
    dist.broadcast_object_list(items, src=2)
    assert items == ["a", 2]
    pair, part = t(rank, 10 + rank, 20 + rank), t(0)
    reduce_scatter(part, pair)
    assert part == 3 + 30 * rank
    # two ranks alone, with the numbers of the cards
    two = dist.new_group([0, 1])
    if rank < 2:
        part = torch.zeros(1, dtype=torch.int64)
        reduce_scatter(part, torch.tensor([[1, 10], [2, 11]][rank]), group=two)
        assert part.tolist() == [[3], [21]][rank]
        out = torch.zeros(2, dtype=torch.int64)
        dist.all_to_all_single(out, torch.tensor([[0, 1], [10, 11]][rank]), group=two)
        assert out.tolist() == [[0, 10], [1, 11]][rank]
        out = [None, None]
        dist.all_gather_object(out, {"rank": dist.get_rank()}, group=two)
        assert out == [{"rank": 0}, {"rank": 1}]
    out = torch.zeros(3)
    dist.all_to_all_single(out, t(10 * rank, 10 * rank + 1, 10 * rank + 2))
    assert out.tolist() == [rank, 10 + rank, 20 + rank]
    out = torch.zeros(6, 3)
    all_gather(out, torch.full((2, 3), float(rank)))
    assert out[:, 0].tolist() == [0, 0, 1, 1, 2, 2]
    try:
        dist.all_gather_object([None] * 3, lambda: rank)  # pickle refuses it
        raise SystemExit("pickled")
    except (AttributeError, pickle.PicklingError):
        pass
    # unequal sizes: the mean of the means is not the mean
    values = [t(1, 2, 3), t(5), t(7)][rank]
    pair = t(values.sum(), len(values))
    dist.all_reduce(pair)
    mean = values.mean()
    dist.all_reduce(mean)
    assert pair[0] / pair[1] == 3.6 or abs(pair[0] / pair[1] - 3.6) < 1e-6
    assert abs(mean / 3 - 3.6) > 0.5
    dist.barrier()


# torch 2.13 has new names for both, and warns at the old ones
for old, new in (
    ("reduce_scatter_tensor", "reduce_scatter_single"),
    ("all_gather_into_tensor", "all_gather_single"),
):
    assert not hasattr(dist, new) or new in getattr(dist, old).__doc__
reduce_scatter = getattr(dist, "reduce_scatter_single", dist.reduce_scatter_tensor)
all_gather = getattr(dist, "all_gather_single", dist.all_gather_into_tensor)
in_ranks(3, check)
# the same by the old names, which cards name beside the new ones
reduce_scatter, all_gather = dist.reduce_scatter_tensor, dist.all_gather_into_tensor
warnings.simplefilter("ignore")
in_ranks(3, check)
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
work = dist.all_reduce(torch.ones(2), async_op=True)
work.wait()
assert work.is_completed()
dist.destroy_process_group()
print("collected as told")
# endregion
