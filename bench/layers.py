"""What a session costs, layer by layer: `python -m bench.layers [TREE...]`, each tree by turns, this one where none is named.

A zygote is made as deckgen makes it and forks children that leave after one step more each: what a step costs is what all
steps up to it cost, less all before it. Processor time of the child and, for it, of the zygote, in the middle of several
rounds; page faults of the child.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MARK = "## A session, layer by layer"
CHILDREN, ROUNDS = 60, 5
"""Forks a round, and rounds of all steps."""
CODE = "import torch\nx = torch.arange(6).reshape(2, -1)[:, :3]\nprint(x.shape, x.sum().item())"

STEPS: tuple[tuple[str, str, str], ...] = (
    ("fork and exit", "worker.child", "os.setsid"),
    ("the request, files for the output", "worker.child", "confine"),
    ("namespaces of its own: mounts, network", "sandbox.root", "Root.renew_own_folders"),
    ("folders in memory of its own", "worker.child", "os.mkdir"),
    ("working folder, limits", "sandbox.layers", "drop_capabilities"),
    ("capabilities", "sandbox.landlock", "Landlock.restrict"),
    ("Landlock", "sandbox.seccomp", "Seccomp.restrict"),
    ("seccomp", "worker.child", "answer"),
    ("a session made ready", "worker.session", "Session._run_snippet"),
    ("three lines run, seen and reported", "", ""),
)
"""(what it is, module and name of what comes after it): a child of this step leaves where the next thing would begin."""


def leave(*_arguments: object, **_named: object) -> None:
    os._exit(0)


def worker(tree: Path, name: str) -> Any:
    """A module of the worker of this tree, as a worker process has it."""
    package = "_deckgen_worker"
    if package not in sys.modules:
        made = sys.modules[package] = types.ModuleType(package)
        made.__path__ = [str(tree / "deckgen" / "verify")]
    return importlib.import_module(f"{package}.{name}")


def serve(tree: Path) -> None:
    """In a process of its own: measures, prints JSON."""
    for library in ("OMP", "MKL", "OPENBLAS", "NUMEXPR"):
        os.environ[library + "_NUM_THREADS"] = "1"
    root = tempfile.mkdtemp(prefix="deckgen-")
    world = worker(tree, "sandbox.world").World(root, True)
    os.chdir(world.folder)
    worker(tree, "worker").import_torch(())
    child, session = worker(tree, "worker.child"), worker(tree, "worker.session")
    guard, _ = world.guarded()
    stage = session.Session()
    child.warm_up(stage, 500)
    worker(tree, "sandbox.limits").measure()
    worker(tree, "worker.pages").collapse()
    run = functools.partial(child.run_child, guard=guard, session=stage)
    kernel_fork = worker(tree, "worker.zygote").ctypes.PyDLL(None).fork
    found: list[list[list[float]]] = [[] for _ in STEPS]
    for at in range(-1, ROUNDS):
        for step, (_, module, name) in enumerate(STEPS):
            stop = at_seam(worker(tree, module), name) if module else (lambda: None)
            cost = measured(
                lambda folder, stop=stop: (stop(), run(*files(), folder)), kernel_fork, f"{world.folder}/{at}.{step}"
            )
            if at >= 0:  # the first round warms up
                found[step].append(cost)
    middle = [[statistics.median(part) for part in zip(*one, strict=True)] for one in found]
    os.write(1, json.dumps(middle).encode("ascii"))  # `sys.stdout` belongs to the sessions
    os._exit(0)


def at_seam(module: Any, name: str) -> Callable[[], None]:
    """A function that makes this process leave where `name` would be called."""
    *owners, last = name.split(".")
    owner = functools.reduce(getattr, owners, module)
    return lambda: setattr(owner, last, leave)


def files() -> tuple[int, int]:
    """A request, and where its frames go."""
    request, log = os.memfd_create("request"), os.memfd_create("frames")
    limits = {"AS": 4 << 30, "FSIZE": 256 << 20, "CORE": 0, "NOFILE": 1024, "CPU": 60}
    snippet = {"code": CODE, "prelude": [], "probes": [], "cell": False, "exits": False, "gone": {}, "seed": None}
    asked = {
        "kind": "session", "seed": 20_210_401, "reset": False, "device": "cpu", "output_limit": 2 << 20, "limits": limits,
        "loopback": False, "snippets": [snippet], "key": "bench",
    }  # fmt: skip
    os.write(request, json.dumps(asked).encode("ascii"))
    return request, log


def measured(act: Callable[[str], object], fork: Callable[[], int], folder: str) -> list[float]:
    """Milliseconds of the child, of the zygote, and page faults, for one child."""
    own, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    for number in range(CHILDREN):
        pid = fork()
        if pid == 0:
            try:
                act(f"{folder}.{number}")
            finally:
                os._exit(1)
        _, status = os.waitpid(pid, 0)
        if status:
            raise SystemExit("a child failed")
    own_after, after = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    times = ((after, theirs), (own_after, own))
    cpu = [(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime) / CHILDREN * 1000 for b, a in times]
    return [*cpu, (after.ru_minflt - theirs.ru_minflt) / CHILDREN]


def prices(tree: Path) -> list[list[float]]:
    command = [
        tree / ".venv" / "bin" / "python" if tree != ROOT else sys.executable,
        "-m",
        "bench.layers",
        "--serve",
        tree,
    ]
    answer = subprocess.run(list(map(str, command)), cwd=ROOT, check=True, capture_output=True, text=True)
    found: list[list[float]] = json.loads(answer.stdout)
    return found


def table(trees: list[Path]) -> Iterator[str]:
    """Rows of the layers; for each tree the price of the step, in ms of child and zygote, and its page faults."""
    costs = [prices(tree) for tree in trees]
    yield "| step |" + "".join(
        f" ms, {name} | faults, {name} |" for name in (["before", "after"] if len(trees) > 1 else ["now"])
    )
    yield "|---|" + "---|---|" * len(trees)
    rows = [[(one[at][0] + one[at][1], one[at][2]) for one in costs] for at in range(len(STEPS))]
    before = [(0.0, 0.0)] * len(trees)
    for (name, _, _), row in zip(STEPS, rows, strict=True):
        cells = (f"{now[0] - old[0]:.2f} | {now[1] - old[1]:.0f}" for now, old in zip(row, before, strict=True))
        yield f"| {name} | {' | '.join(cells)} |"
        before = row
    cells = (f"**{now[0]:.2f}** | **{now[1]:.0f}**" for now in rows[-1])
    yield f"| together | {' | '.join(cells)} |"


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        serve(Path(sys.argv[2]))
    for row in table([Path(one).resolve() for one in sys.argv[1:]] or [ROOT]):
        print(row)


if __name__ == "__main__":
    main()
