"""Hangs and errors of many ranks: what they look like and where they come from."""

# region swapped_order
import tempfile, torch, torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    loss, count = torch.tensor([0.5]), torch.tensor([8.0])
    order = (loss, count) if rank == 0 else (count, loss)
    for x in order:
        dist.all_reduce(x)
    if rank == 0: print(loss.item(), count.item())
start_processes(run, nprocs=2, start_method="fork")
# Output:
# 8.5 8.5
# endregion

# region detail
import tempfile, torch, torch.distributed as dist
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
dist.set_debug_level(dist.DebugLevel.DETAIL)
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    try:
        dist.all_reduce(torch.ones(2 + rank))
    except RuntimeError as error:
        if rank == 0: print(str(error)[:47])
start_processes(run, nprocs=2, start_method="fork")
# Output:
# Detected mismatch between collectives on ranks.
dist.set_debug_level(dist.DebugLevel.OFF)
# endregion

# region monitored
import tempfile, time, torch.distributed as dist
from datetime import timedelta
from torch.multiprocessing import start_processes
URL = "file://" + tempfile.mktemp()
def run(rank):
    dist.init_process_group("gloo", URL, rank=rank, world_size=2)
    if rank == 1: return time.sleep(3)  # this rank is late
    try:
        dist.monitored_barrier(timeout=timedelta(milliseconds=500))
    except RuntimeError as error:
        print(str(error).split("\n")[0])
start_processes(run, nprocs=2, start_method="fork")
# Output:
# [Rank 0]: Rank 1 failed to pass monitoredBarrier in 500 ms
# endregion

# region proof_wrong_device
import torch
import torch.distributed as dist

dist.init_process_group(
    "cuda:gloo", store=dist.HashStore(), rank=0, world_size=1
)
try:
    dist.all_reduce(torch.ones(1))
except RuntimeError as error:
    print(error)
# Output:
# No backend type associated with device type cpu
dist.destroy_process_group()
# endregion

# region proof_hangs
import os
import time
from datetime import timedelta
import torch
import torch.distributed as dist
from torch.distributed.constants import default_pg_timeout
from ranks import in_ranks


def called_by_one(rank):
    # what only rank 0 calls waits for the others until the timeout
    for call in (lambda g: dist.barrier(g), lambda g: dist.all_reduce(torch.ones(1), group=g)):
        group = dist.new_group(timeout=timedelta(milliseconds=300))
        if rank == 0:
            began = time.monotonic()
            try:
                call(group)
                raise SystemExit("it did not wait")
            except RuntimeError as error:
                assert "imed out" in str(error), error
            assert time.monotonic() - began >= 0.2
        # the other rank notices nothing


def stop_together(rank):
    # one rank sees a NaN; after an all_reduce of the flag all leave the loop at the same step
    for step in range(5):
        bad = torch.tensor(float(rank == 1 and step == 2))
        dist.all_reduce(bad, op=dist.ReduceOp.MAX)
        if bad:
            break
        dist.all_reduce(torch.ones(1))  # the step
    assert step == 2


def last_rank_is_waited_for(rank):
    store = dist.distributed_c10d._get_default_store()
    # a blocking all_reduce returns only after all ranks have called it
    if rank == 1:
        time.sleep(0.5)
        store.set("late", "1")
    dist.all_reduce(torch.ones(1))
    assert store.check(["late"])


in_ranks(2, called_by_one)
in_ranks(2, stop_together)
in_ranks(2, last_rank_is_waited_for)
assert default_pg_timeout == timedelta(minutes=30)
# the flight recorder has room for 2000 records unless told otherwise; torch 2.4 had none
header = os.path.join(os.path.dirname(torch.__file__), "include/torch/csrc/distributed/c10d/FlightRecorder.hpp")
if torch.__version__ >= (2, 13) and os.path.exists(header):
    with open(header) as file:
        assert '{"TORCH_FR_BUFFER_SIZE", "TORCH_NCCL_TRACE_BUFFER_SIZE"}, 2000)' in file.read()
print("hangs as told")
# endregion
