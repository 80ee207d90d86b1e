"""Process groups: how they start and end, their stores and ranks, and what their errors say."""

# region proof_new_group
import os
import signal
import tempfile
import time
import traceback
from datetime import timedelta
import torch
import torch.distributed as dist


def in_ranks(world, check):
    """Runs check(rank) in one process for each rank, and leaves none of them behind."""
    with tempfile.TemporaryDirectory() as folder:
        pids = []
        for rank in range(world):
            pid = os.fork()
            if pid == 0:
                signal.alarm(150)  # whoever waits for a dead process ends, too
                code = 1
                try:
                    store = dist.FileStore(f"{folder}/s", world)
                    dist.init_process_group("gloo", store=store, rank=rank, world_size=world, timeout=timedelta(seconds=120))
                    check(rank)
                    store.add("done", 1)
                    while store.add("done", 0) < world:  # nobody leaves while another rank may need it
                        time.sleep(0.01)
                    code = 0
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(code)
            pids.append(pid)
        codes = [os.waitpid(pid, 0)[1] for pid in pids]
        assert not any(codes), codes


def check(rank):  # new_group is collective: a rank that does not call it leaves the members waiting
    group = dist.new_group([0])
    x = torch.tensor([rank + 1])
    if rank == 0:
        dist.all_reduce(x, group=group)
        assert x == 1
    dist.barrier()
    assert dist.get_rank(group) == (0 if rank == 0 else -1)


in_ranks(2, check)
# endregion

# region proof_groups
import os
import threading
import time
from datetime import timedelta
import torch.distributed as dist

# LOCAL_RANK is not read: rank 0 above though LOCAL_RANK is 3. A gloo group refuses nothing on the CPU, nccl needs GPUs.
for backend in ("gloo", "nccl", "mpi"):
    assert hasattr(dist, f"is_{backend}_available")
# The process group waits for all: with a rank missing it fails at the timeout.
store = dist.HashStore()
try:
    dist.init_process_group("gloo", store=store, rank=0, world_size=2, timeout=timedelta(milliseconds=300))
    raise SystemExit("it did not wait")
except (RuntimeError, ValueError):
    pass
assert not dist.is_initialized()
# get blocks until another thread sets the key
store = dist.HashStore()
def later():
    time.sleep(0.2)
    store.set("k", "v")
thread = threading.Thread(target=later)
thread.start()
assert store.get("k") == b"v"
thread.join()
assert store.check(["k"]) and not store.check(["z"])
assert store.delete_key("k") and not store.check(["k"])
store.set("w", "1")
store.wait(["w"])
try:
    store.wait(["never"], timedelta(milliseconds=50))
    raise SystemExit("waited for nothing")
except RuntimeError:
    pass
# the fallback of the port: env:// reads MASTER_PORT; all four are needed
for missing in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
    values = dict(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
    for name in values:
        os.environ.pop(name, None)
    del values[missing]
    os.environ.update(values)
    try:
        dist.init_process_group("gloo")
        raise SystemExit(missing)
    except ValueError as error:
        assert missing in str(error)
# arguments win over the environment
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="5", WORLD_SIZE="9")
dist.init_process_group("gloo", rank=0, world_size=1)
assert dist.get_rank() == 0 and dist.get_world_size() == 1
# subgroups
assert dist.new_group([0]) is not dist.group.WORLD
assert dist.get_backend(dist.new_group([0])) == "gloo"
dist.destroy_process_group()
assert not dist.is_initialized()
for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
    os.environ.pop(name, None)
# endregion

# region before_init
import torch.distributed as dist

print(dist.is_initialized())
try:
    dist.get_rank()
except ValueError as error:
    print(error)
# Output:
# False
# Default process group has not been initialized, please make sure to call init_process_group.
# endregion

# region world_of_one
import torch.distributed as dist

store = dist.HashStore()
dist.init_process_group(
    "gloo", store=store, rank=0, world_size=1
)
print(dist.get_rank(), dist.get_world_size())  # prints 0 1
print(dist.get_backend())  # prints gloo
dist.destroy_process_group()
# endregion

# region missing_rank
import os
import torch.distributed as dist

for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR"):
    os.environ.pop(name, None)
try:
    dist.init_process_group("gloo")
except ValueError as error:
    print(error)
# Output:
# Error initializing torch.distributed using env:// rendezvous: environment variable RANK expected, but not set
# endregion

# region env_variables
import os
import torch.distributed as dist

os.environ.update(
    MASTER_ADDR="127.0.0.1", MASTER_PORT="0",
    RANK="0", WORLD_SIZE="1", LOCAL_RANK="3",
)
dist.init_process_group("gloo")
print(dist.get_rank())  # prints 0
dist.destroy_process_group()
# endregion

# region twice
import torch.distributed as dist

def start():
    store = dist.HashStore()
    dist.init_process_group("gloo", None, None, 1, 0, store)

start()
try:
    start()
except ValueError:
    print("refused")  # prints refused
dist.destroy_process_group()
# endregion

# region destroyed
import torch.distributed as dist

store = dist.HashStore()
dist.init_process_group("gloo", None, None, 1, 0, store)
before = dist.is_initialized()
dist.destroy_process_group()
print(before, dist.is_initialized())
# Output:
# True False
# endregion

# region store_bytes
import torch.distributed as dist

store = dist.HashStore()
store.set("step", "7")
print(store.get("step"))
# Output:
# b'7'
# endregion

# region store_add
import torch.distributed as dist

store = dist.HashStore()
store.add("arrived", 1)
print(store.add("arrived", 2), store.get("arrived"))
# Output:
# 3 b'3'
# endregion

# region store_missing
from datetime import timedelta
import torch.distributed as dist

store = dist.HashStore()
store.set_timeout(timedelta(milliseconds=50))
try:
    store.get("missing")
except RuntimeError:
    print("gave up")
# Output:
# gave up
# endregion

# region store_prefix
import torch.distributed as dist

store = dist.HashStore()
a = dist.PrefixStore("a", store)
b = dist.PrefixStore("b", store)
a.set("key", "1")
b.set("key", "2")
print(a.get("key"), b.get("key"))
# Output:
# b'1' b'2'
# endregion

# region proof_subgroup
import torch.distributed as dist
from torch.testing._internal.distributed import fake_pg

dist.init_process_group("fake", store=fake_pg.FakeStore(), rank=3, world_size=7)
group = dist.new_group([4, 6])
assert dist.get_global_rank(group, 1) == 6
group = dist.new_group([1, 3])
assert (dist.get_rank(), dist.get_rank(group), dist.get_world_size(group)) == (3, 1, 2)
assert dist.get_global_rank(group, 0) == 1 and dist.get_group_rank(group, 3) == 1
group = dist.new_group([3, 1])
assert dist.get_rank(group) == 1
group = dist.new_group([0, 1])
assert (dist.get_rank(group), dist.get_world_size(group)) == (-1, -1)
dist.destroy_process_group()
# endregion
