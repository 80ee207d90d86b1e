"""Process groups: how they start and end, their stores and ranks, and what their errors say."""

# region proof_new_group
import os
import tempfile
from datetime import timedelta
import torch
import torch.distributed as dist
from ranks import in_ranks


def check(rank):
    group = dist.new_group([0])
    x = torch.tensor([rank + 1])
    if rank == 0:
        dist.all_reduce(x, group=group)
        assert x == 1
    assert dist.get_rank(group) == (0 if rank == 0 else -1)
    # Groups are named by counting the calls: a rank that leaves one out cannot find the next group.
    if rank == 0:
        dist.new_group([0])
    try:
        group = dist.new_group([0, 1], timeout=timedelta(milliseconds=200))
        dist.all_reduce(x, group=group)
        raise SystemExit("found each other")
    except RuntimeError:
        pass
    # with use_local_synchronization the members alone call it
    if rank == 0:
        dist.new_group([0], use_local_synchronization=True)
    x = torch.tensor([rank + 1])
    dist.all_reduce(x)
    assert x == 3


in_ranks(2, check)

# A HashStore is not shared by processes, a FileStore is.
with tempfile.TemporaryDirectory() as folder:
    inside, outside = dist.HashStore(), dist.FileStore(f"{folder}/s", 2)
    pid = os.fork()
    if pid == 0:
        inside.set("k", "1")
        dist.FileStore(f"{folder}/s", 2).set("k", "1")
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert outside.check(["k"]) and not inside.check(["k"])
# endregion

# region proof_groups
import os
import tempfile
import threading
import time
from datetime import timedelta
import torch.distributed as dist

# without a group there is no world size either
assert dist.is_initialized() is False
for ask in (dist.get_world_size, dist.get_rank):
    try:
        ask()
        raise SystemExit("an answer without a group")
    except ValueError:
        pass
# A gloo group waits for all: with a rank missing it fails at the timeout.
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
# and gives up at the timeout
store.set_timeout(timedelta(milliseconds=50))
try:
    store.get("missing")
    raise SystemExit("got what nobody set")
except RuntimeError:
    pass
store.set_timeout(timedelta(minutes=5))
assert store.check(["k"]) and not store.check(["z"])
assert store.delete_key("k") and not store.check(["k"])
store.set("w", "1")
store.wait(["w"])
store.set("x", "1")
for keys in (["w", "x"], ["w", "x", "never"]):  # all of them are waited for
    try:
        store.wait(keys, timedelta(milliseconds=50))
        assert "never" not in keys
    except RuntimeError:
        assert "never" in keys
# add begins at 0 for a new key only, and takes what is negative, too
store.set("n", "5")
assert store.add("n", 2) == 7 and store.add("n", -9) == -2 and store.get("n") == b"-2"
dist.PrefixStore("a", store).set("p", "1")
assert store.get("a/p") == b"1" and not store.check(["p"])
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
# another default group only after the first was destroyed
for again in (False, True):
    if again:
        dist.destroy_process_group()
        assert not dist.is_initialized()
    try:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        assert again
    except ValueError:
        assert not again
# subgroups
assert dist.new_group([0]) is not dist.group.WORLD
assert dist.get_backend(dist.new_group([0])) == "gloo"
dist.destroy_process_group()
assert not dist.is_initialized()
for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
    os.environ.pop(name, None)
# an init_method takes the place of the environment
with tempfile.TemporaryDirectory() as folder:
    dist.init_process_group("gloo", init_method=f"file://{folder}/s", rank=0, world_size=1)
    assert dist.get_world_size() == 1
    dist.destroy_process_group()
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
assert dist.get_rank(group) == 1  # in the order of the default group, not of the list
group = dist.new_group([0, 1])
assert (dist.get_rank(group), dist.get_world_size(group)) == (-1, -1)
dist.destroy_process_group()
# endregion

# region proof_rank_of_environment
import os
import signal
import torch.distributed as dist

# As under torchrun: a store that runs already, and what a process finds in its environment.
store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
pids = []
for rank in range(2):
    pid = os.fork()
    if pid == 0:
        signal.alarm(150)
        code = 1
        try:
            os.environ.update(TORCHELASTIC_USE_AGENT_STORE="True", TORCHELASTIC_RESTART_COUNT="0")
            os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(store.port))
            os.environ.update(RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK="0")
            dist.init_process_group("gloo")
            assert (dist.get_rank(), dist.get_world_size()) == (rank, 2)
            dist.barrier()
            code = 0
        finally:
            os._exit(code)
    pids.append(pid)
codes = [os.waitpid(pid, 0)[1] for pid in pids]
assert not any(codes), codes
# endregion
