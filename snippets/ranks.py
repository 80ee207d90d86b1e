"""Real ranks for the proofs: processes of this machine that are one group over gloo."""

import os
import signal
import tempfile
import time
import traceback
from datetime import timedelta

import torch.distributed as dist


def in_ranks(world, check, *args):
    """Runs check(rank, *args) in one process for each rank, and leaves none of them behind."""
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
                    check(rank, *args)
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


if __name__ == "__main__":
    in_ranks(2, lambda rank: dist.barrier())
    print("two ranks met")
