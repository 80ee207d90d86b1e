"""What torchrun and spawn start, and what they tell the processes."""

# region after_the_script
from torch.distributed.run import parse_args

for line in ("--nproc-per-node=2 a.py", "a.py --nproc-per-node=2"):
    args = parse_args(line.split())
    print(args.nproc_per_node, args.training_script_args)
# Output:
# 2 []
# 1 ['--nproc-per-node=2']
# endregion

# region proof_nodes
from torch.distributed.run import parse_min_max_nnodes

print(parse_min_max_nnodes("4"), parse_min_max_nnodes("2:4"))
# Output:
# (4, 4) (2, 4)
# endregion

# region no_restarts
from torch.distributed.run import config_from_args, parse_args

for line in (["train.py"], ["--max-restarts=3", "train.py"]):
    config, program, words = config_from_args(parse_args(line))
    print(config.max_restarts)
# Output:
# 0
# 3
# endregion

# region first_argument
from torch.multiprocessing import start_processes

def train(*arguments):
    if arguments[0] == 1: print(arguments)

start_processes(
    train, args=("lr", 0.1), nprocs=2, start_method="fork"
)
# Output:
# (1, 'lr', 0.1)
# endregion

# region which_failed
from torch.multiprocessing import ProcessRaisedException
from torch.multiprocessing import start_processes

def train(rank):
    return 1 // (2 - rank)  # rank 2 divides by 0

try:
    start_processes(train, nprocs=3, start_method="fork")
except ProcessRaisedException as error:
    print(error.error_index, "ZeroDivisionError" in str(error))
# Output:
# 2 True
# endregion

# region restarted
import tempfile
from torch.distributed.run import main

script = tempfile.mkdtemp() + "/train.py"
code = """import os, sys
attempt = os.environ["TORCHELASTIC_RESTART_COUNT"]
open(__file__ + ".log", "a").write(attempt + " ")
sys.exit(attempt != "2")  # fails twice
"""
with open(script, "w") as file: file.write(code)
main(["--standalone", "--max-restarts=3", script])  # torchrun
print("attempts:", open(script + ".log").read())
# Output:
# attempts: 0 1 2
# endregion

# region proof_launching
import os
import socket
import subprocess
import sys
import tempfile
from torch.distributed.elastic.multiprocessing.errors import ProcessFailure

WORKER = """
import os, sys, time

def main():
    e = os.environ
    with open("said", "a") as file:
        names = "RANK", "LOCAL_RANK", "WORLD_SIZE", "TORCHELASTIC_RESTART_COUNT", "OMP_NUM_THREADS"
        file.write(" ".join(e.get(name, "-") for name in names) + "\\n")
    if "fail" in sys.argv:
        begun = 0
        while begun % 2 or not begun:  # until both have begun
            time.sleep(0.02)
            with open("said") as file:
                begun = len(file.readlines())
        if e["RANK"] == "1":
            1 / 0
        time.sleep(500)  # until it is stopped

if os.environ["TORCHELASTIC_RESTART_COUNT"] == os.environ["RANK"] == "1":
    from torch.distributed.elastic.multiprocessing.errors import record
    main = record(main)
main()
"""
GUARDLESS = """
import torch.multiprocessing as mp

def train(rank):
    pass

mp.spawn(train, nprocs=1)
"""
environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}


def agents(*lines):
    """Runs torchrun once for each line, side by side: what the workers wrote, the exit codes, and what was printed."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/worker.py", "w") as file:
            file.write(WORKER)
        running = []
        try:
            for line in lines:
                command = [sys.executable, "-m", "torch.distributed.run", *line.split()]
                printed = tempfile.TemporaryFile("w+")
                running.append((subprocess.Popen(command, cwd=folder, env=environment, stdout=printed, stderr=printed), printed))
            for agent, _ in running:
                agent.wait(timeout=200)
        finally:
            for agent, _ in running:
                agent.kill()
                agent.wait()
        texts = []
        for _, printed in running:
            printed.seek(0)
            texts.append(printed.read())
        with open(f"{folder}/said") as file:
            return sorted(file.read().splitlines()), [agent.returncode for agent, _ in running], texts


# spawn imports the script again in each new process; this runs beside the rest
folder = tempfile.TemporaryDirectory()
with open(f"{folder.name}/spawned.py", "w") as file:
    file.write(GUARDLESS)
spawning = subprocess.Popen([sys.executable, "spawned.py"], cwd=folder.name, stderr=subprocess.PIPE, text=True)
# one worker fails: the other is stopped, and with a restart left both begin again, from the first line;
# the summary has the traceback of a function under @record
said, codes, texts = agents("--standalone --nproc-per-node=2 --max-restarts=1 worker.py fail")
assert said == ["0 0 2 0 1", "0 0 2 1 1", "1 1 2 0 1", "1 1 2 1 1"] and codes == [1], (said, texts)
summary = texts[0][texts[0].index("Root Cause") :]
assert "ZeroDivisionError" in summary and "To enable traceback see" not in summary, summary
# a worker that wrote no file about its error, as one without @record
failure = ProcessFailure(local_rank=1, pid=7, exitcode=1, error_file="none")
assert failure.message.startswith("To enable traceback see: ")
# two machines without a rendezvous service: one address and port for both, another --node-rank for each
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
line = f"--nnodes=2 --nproc-per-node=2 --master-addr=127.0.0.1 --master-port={port} --node-rank=%d worker.py"
said, codes, texts = agents(line % 0, line % 1)
assert said == ["0 0 4 0 1", "1 1 4 0 1", "2 0 4 0 1", "3 1 4 0 1"], (said, texts)
text = spawning.communicate(timeout=200)[1]
assert spawning.returncode and "bootstrapping phase" in text, text
folder.cleanup()
print("launched as told")
# endregion
