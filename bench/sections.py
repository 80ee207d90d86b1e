"""`deckgen verify` of whole documents, cold: `python -m bench.sections [--quick] [TREE]`.

Each section has one snippet (or ten, which share a name) and the output that it has. Against the floor, which runs the same code with
`exec` in one process and isolates nothing. Processor time and page faults of the whole tree; with a TREE, its deckgen and
this one by turns. What is in the middle of `ROUNDS` runs counts.
"""

from __future__ import annotations

import contextlib
import io
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import bytecode, page
from bench.engine import run_floor, sessions

if sys.platform != "win32":
    import resource

ROOT = Path(__file__).resolve().parents[1]
MARK = "## Verifying documents, cold"
WORKLOADS = ((100, 1), (500, 1), (2_000, 1), (50, 10))
"""(sections, snippets of each)."""
ROUNDS = 3
EVERY = 0.05
"""Seconds between two looks at the memory of the processes."""


def document(count: int, length: int) -> str:
    """Sections with snippets, each with what it prints."""
    parts = ["# Notes\n"]
    for number, codes in enumerate(sessions(count, length)):
        parts.append(f"## Section {number}\n")
        namespace: dict[str, object] = {"__name__": "__main__"}
        for code in codes:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "<section>", "exec"), namespace)
            parts.append(f"```python\n{code}\n```\n\n```text\n{printed.getvalue().rstrip()}\n```\n")
    return "\n".join(parts)


@dataclass(frozen=True)
class Cost:
    cpu: float
    faults: int
    memory: int
    """MiB that all processes of the tree had at most at one time; what they share counts once."""


def measure(command: list[str], folder: Path, *, weigh: bool = False) -> Cost:
    """A command with all that it starts, and nothing remembered."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        environment = {**bytecode.environment(), "XDG_CACHE_HOME": home + "/cache", "XDG_DATA_HOME": home + "/data"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        most = [0]
        watch = threading.Thread(target=_weigh, args=(process, most), daemon=True)
        if weigh:
            watch.start()
        if process.wait():
            raise SystemExit(f"{' '.join(command)} failed")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, after.ru_minflt - before.ru_minflt, most[0] >> 20)


def _weigh(process: subprocess.Popen[bytes], most: list[int]) -> None:
    while process.poll() is None:
        most[0] = max(most[0], sum(map(_share, _tree(process.pid))))
        time.sleep(EVERY)


def _tree(root: int) -> Iterator[int]:
    yield root
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{root}/task/{root}/children").read_text().split():
            yield from _tree(int(child))


def _share(pid: int) -> int:
    """Bytes of a process, of what several have its share."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().split("\n"):
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0


def verify_of(tree: Path, document: Path) -> list[str]:
    """The command; deckgen of this tree, whoever's interpreter runs it."""
    code = f"import sys; sys.path.insert(0, {str(tree)!r}); from deckgen.cli import main; main()"
    return [sys.executable, "-c", code, "verify", "-q", str(document)]


def rows(tree: Path | None, quick: bool) -> Iterator[str]:
    trees = [ROOT] if tree is None else [tree, ROOT]
    names = ["now"] if tree is None else ["before", "now"]
    yield "| sections | floor s |" + "".join(f" {one} s | {one} / floor |" for one in names)
    yield "|---|---|" + "---|---|" * len(trees)
    faults: list[dict[int, int]] = [{} for _ in trees]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count, length in WORKLOADS[: 2 if quick else None]:
            note = folder / f"{count}x{length}.md"
            note.write_text(document(count, length), encoding="utf-8")
            floor, *costs = ([] for _ in (None, *trees))
            for _ in range(1 if quick else ROUNDS):
                command = [sys.executable, "-m", "bench.sections", "--floor", str(count), str(length)]
                floor.append(measure(["env", f"PYTHONPATH={ROOT}", *command], folder).cpu)
                for one, found in zip(trees, costs, strict=True):
                    cost = measure(verify_of(one, note), folder)
                    found.append(cost.cpu)
                    if length == 1:
                        faults[trees.index(one)][count] = cost.faults
            least = statistics.median(floor)
            cells = (f"{statistics.median(one):.2f} | **{statistics.median(one) / least:.2f}**" for one in costs)
            yield f"| {count} x {length} | {least:.2f} | {' | '.join(cells)} |"
        a_session = (f"{(one[500] - one[100]) / 400:,.0f}" for one in faults)
        yield f"\nPage faults a session, of 100 to 500: {', '.join(a_session)} (to be reached: 950)."
        note = folder / "500x1.md"
        peaks = (str(measure(verify_of(one, note), folder, weigh=True).memory) for one in trees)
        yield f"Memory of the tree with 500 sections, at most: {', '.join(peaks)} MiB (to be reached: 300)."


def section(quick: bool = False, tree: Path | None = None) -> str:
    """The section of docs/benchmarks.md."""
    text = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    return f"{MARK}\n\n`python -m bench.sections [TREE] --write`. {text}\n\n" + "\n".join(rows(tree, quick))


def main() -> None:
    if sys.argv[1:2] == ["--floor"]:
        run_floor(sessions(int(sys.argv[2]), int(sys.argv[3])))
        return
    given = [one for one in sys.argv[1:] if not one.startswith("--")]
    text = section("--quick" in sys.argv, Path(given[0]).resolve() if given else None)
    print(text)
    if "--write" in sys.argv:
        page.write(text + "\n")


if __name__ == "__main__":
    main()
