"""How much running snippets costs, against the alternatives, in one run: `python -m bench [--quick]`.

Contestants: this engine (sandbox on, cold and warm), a fresh `python` a session, a naive fork server (import
torch, fork, exec, wait), and the in-process `exec` floor, which isolates nothing. Processor time is user +
system of the whole process tree. Ratios are to the floor of the same workload in the same run.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench import bytecode, page
from deckgen.model.claim import Prints, Snippet
from deckgen.model.document import Document, Extraction
from deckgen.model.source import Source, Span
from deckgen.verify import VerifyOptions, verify

ROOT = Path(__file__).resolve().parents[1]
MARK = "## The engine"

KINDS = (
    "x{n} = torch.arange({n} % 4 * 2 + 6).reshape(2, -1)[:, :3]\nprint(x{n}.shape, x{n}.sum().item())",
    "a{n} = torch.ones(2, 3) * {n}\nb{n} = a{n}.t() @ a{n}\nprint(b{n})",
    "w{n} = torch.tensor([1.0, 2.0], requires_grad=True)\n(w{n} ** 2).sum().backward()\nprint(w{n}.grad)",
    "parts{n} = torch.arange(10).split(4)\nfor part in parts{n}:\n    print(part)",
    "m{n} = nn.Linear(3, 2)\nprint(m{n}(torch.ones(4, 3)).shape)",
)
IMPORTS = "import torch\nimport torch.nn as nn\n"


def snippet(index: int) -> str:
    return IMPORTS + KINDS[index % len(KINDS)].replace("{n}", str(index))


def sessions(count: int, length: int) -> list[list[str]]:
    """`count` sessions of `length` snippets; later snippets of one need the name that the first one binds."""
    made = []
    for number in range(count):
        codes = [snippet(number * length + index) for index in range(length)]
        if length > 1:
            codes = [codes[0] + f"\nshared{number} = 1", *(code + f"\nshared{number}" for code in codes[1:])]
        made.append(codes)
    return made


@dataclass(frozen=True)
class Cost:
    cpu: float
    wall: float
    memory: int
    """Peak resident MiB of the largest single process."""


def measure(command: list[str]) -> Cost:
    """A whole command, with all that it starts (and waits for)."""
    environment = bytecode.environment()
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss // 1024)


# Contestants: each is this file again, in a process of its own


def run_floor(work: list[list[str]]) -> None:
    for codes in work:
        namespace: dict[str, object] = {"__name__": "__main__"}
        for code in codes:
            exec(compile(code, "<floor>", "exec"), namespace)


def run_naive(work: list[list[str]]) -> None:
    importlib.import_module("torch")  # what a naive fork server does before it forks
    for codes in work:
        pid = os.fork()
        if pid == 0:
            run_floor([codes])
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(pid, 0)


def run_fresh(work: list[list[str]]) -> None:
    for codes in work:
        subprocess.run([sys.executable, "-c", "\n".join(codes)], check=True, stdout=subprocess.DEVNULL)


def run_engine(work: list[list[str]], jobs: int | None = None, cache: str | None = None) -> None:
    gc.disable()  # as the command does
    found = [
        Snippet(
            id=f"{number}.{index}",
            span=Span(0, 1),
            code=code,
            lines=tuple(range(code.count("\n") + 1)),
            language="python",
            headings=(str(number),),
            claims=(
                Prints(
                    id=f"{number}.{index}.1",
                    span=Span(0, 1),
                    text="whatever",
                    form="bench",
                    place="after",
                    code_line=None,
                ),
            ),
        )
        for number, codes in enumerate(work)
        for index, code in enumerate(codes)
    ]
    document = Document(source=Source("bench.md", ""), reader="markdown", blocks=())
    extraction = Extraction(document=document, notes=(), snippets=tuple(_settled(found)), apis=(), skipped=())
    options = VerifyOptions(
        jobs=jobs, sandbox="require", use_cache=cache is not None, cache_folder=Path(cache) if cache else None
    )
    runs = verify([extraction], options).sources[0].runs
    if not all(run.first.status == "ran" and run.first.exception is None for run in runs.values()):
        raise SystemExit("a snippet of the benchmark failed")


def _settled(found: list[Snippet]) -> list[Snippet]:
    """Without claims: what is compared is running, not judging."""
    from dataclasses import replace

    return [replace(one, claims=()) for one in found]


CONTESTANTS: dict[str, Callable[..., None]] = {
    "floor": run_floor,
    "naive": run_naive,
    "fresh": run_fresh,
    "engine": run_engine,
}


def contest(name: str, count: int, length: int, *more: str) -> Cost:
    return measure([sys.executable, "-m", "bench.engine", "--contestant", name, str(count), str(length), *more])


def table(quick: bool) -> str:
    lines = [
        "| workload | contestant | CPU s | wall s | CPU ms a session | CPU / floor | peak MiB |",
        "|---|---|---|---|---|---|---|",
    ]

    def row(work: str, name: str, count: int, cost: Cost, floor: Cost) -> None:
        lines.append(
            f"| {work} | {name} | {cost.cpu:.2f} | {cost.wall:.2f} | {cost.cpu / count * 1000:.1f} "
            f"| {cost.cpu / floor.cpu:.2f} | {cost.memory} |"
        )
        print(lines[-1], file=sys.stderr, flush=True)

    workloads = [(100, 1), (200, 10)] if quick else [(100, 1), (200, 1), (2000, 1), (5000, 1), (200, 10)]
    for count, length in workloads:
        work = f"{count} x {length}"
        floor = contest("floor", count, length)
        row(work, "exec in one process (floor)", count, floor, floor)
        row(work, "deckgen, cold", count, contest("engine", count, length), floor)
        if (count, length) == (100, 1):
            with tempfile.TemporaryDirectory() as folder:
                contest("engine", count, length, "--cache", folder)
                row(work, "deckgen, warm cache", count, contest("engine", count, length, "--cache", folder), floor)
            few = contest("fresh", 10, length)
            scaled = Cost(few.cpu * count / 10, few.wall * count / 10, few.memory)
            row(work, "fresh python (10 run, scaled)", count, scaled, floor)
        if count in (100, 2000) or length > 1:
            row(work, "naive fork server", count, contest("naive", count, length), floor)
        if count == 2000:
            row(work, "deckgen, one core", count, contest("engine", count, length, "--jobs", "1", "--core", "0"), floor)
    return "\n".join(lines)


def machine() -> str:
    model = ""
    if Path("/proc/cpuinfo").exists():
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        model = next((line.split(":", 1)[1].strip() for line in text.splitlines() if "model name" in line), "")
    from importlib.metadata import version

    return (
        f"{model or platform.machine()}, {os.cpu_count()} processors, Linux {platform.release()}, Python "
        f"{platform.python_version()}, torch {version('torch')}; load average {os.getloadavg()[0]:.1f} at the start"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--print", action="store_true", help="only print, do not write docs/benchmarks.md")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--contestant", nargs=3, metavar=("NAME", "SESSIONS", "SNIPPETS"))
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--cache")
    parser.add_argument("--core", type=int, help="the only processor that may be used (Linux)")
    given = parser.parse_args()
    if given.core is not None:
        os.sched_setaffinity(0, {given.core})
    if given.contestant:
        name, count, length = given.contestant
        more = {"jobs": given.jobs, "cache": given.cache} if name == "engine" else {}
        CONTESTANTS[name](sessions(int(count), int(length)), **more)
        return
    head = machine()
    text = (
        f"{MARK}\n\n`make bench`; sandbox on (`--sandbox require`), imports included. {head}.\n\n{table(given.quick)}\n"
    )
    print(text)
    if not given.print:
        page.write(text)


if __name__ == "__main__":
    main()
