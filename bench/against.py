"""Everything that is measured of speed, of one commit or of two by turns: `python -m bench --against COMMIT [--quick]`.

Each number is processor time (user and system) of a whole process tree, the median of `ROUNDS`, and stands beside a floor that
is measured in the same run. The older commit is checked out for as long as it takes, and runs with the same libraries.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench import bytecode, decks, engine, review, sections
from bench.decks import cpu, memory

ROUNDS = 3
ROOT = bytecode.TREE
Costs = Mapping[str, float]
"""Seconds of processor time by what was done; a name that ends with `MiB` or `clock` says what it is instead."""


class Work(NamedTuple):
    """What deckgen is given to do, and the floor that it is held against."""

    name: str
    measure: Callable[[Path], Costs]
    """By the deckgen of a tree."""
    floor_name: str
    floor: Callable[[], float]
    is_quick: bool = False


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A tree of that commit, for as long as this is open."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ("git", "-C", str(ROOT), "worktree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


@contextmanager
def _home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


# --- builds ---

BUILD = ("-m", "deckgen", "build", "deck", "--no-run", "-q")


def builds(count: int, several: bool, tree: Path) -> Costs:
    """A deck that is built from nothing, again, after an edit, and with a note deleted."""
    with _home() as home:
        (home / "deck").mkdir()
        edited = decks.write(home / "deck", count, several)
        peak = memory(sys.executable, *BUILD, cwd=home, tree=tree)
        cold = cpu(*BUILD, cwd=decks.emptied(home), tree=tree)
        unchanged = cpu(*BUILD, cwd=home, tree=tree)
        text = edited.read_text()
        edited.write_text(text.replace("It makes `x7` from", "It makes `x7` (edited) from"))
        edit = cpu(*BUILD, cwd=home, tree=tree)
        edited.write_text(next(decks.without_one(text)))
        deletion = cpu(*BUILD, cwd=home, tree=tree)
    return {"cold": cold, "edit": edit, "deletion": deletion, "unchanged": unchanged, "peak MiB": peak}


@cache
def _fields(count: int) -> str:
    """The fields of such a deck, for genanki to write again."""
    with _home() as home:
        (home / "deck").mkdir()
        decks.write(home / "deck", count, several=True)
        cpu(*BUILD, cwd=home)
        return json.dumps(decks.fields(home / "build" / "deck.apkg"))


def genanki(count: int) -> float:
    with _home() as home:
        (home / "rows.json").write_text(_fields(count))
        return cpu("-c", decks.GENANKI, "rows.json", cwd=home)


def parts(count: int) -> float:
    """markdown-it's parse, Pygments on every block, and bare genanki."""
    with _home() as home:
        decks.write(home, count, several=True)
        files = sorted(path.name for path in home.glob("*.md"))
        return sum(cpu("-c", part, *files, cwd=home) for part in (decks.PARSE, decks.HIGHLIGHT)) + genanki(count)


# --- verification ---


def verifies(count: int, length: int, tree: Path) -> Costs:
    """Sections that are verified from nothing, again, below one more blank line, and with one of them edited."""
    check = ("-m", "deckgen", "verify", "notes.md", "-q")
    with _home() as home:
        text = sections.document(count, length)
        first = "```python\n"
        found = {}
        for name, written in (
            ("cold", text),
            ("warm", text),
            ("blank line on top", f"\n{text}"),
            ("a section edited", f"\n{text}".replace(first, first + "spare = 1\n", 1)),
        ):
            (home / "notes.md").write_text(written)
            found[name] = cpu(*check, cwd=home, tree=tree)
    return found


def executed(count: int, length: int) -> float:
    """All sessions in one process, which isolates nothing."""
    with _home() as home:
        return cpu("-m", "bench.sections", "--floor", str(count), str(length), cwd=home)


# --- reading, cards, the page ---

READ = """
import gc, sys, time
from markdown_it import MarkdownIt
from deckgen.extract import extract
from deckgen.model.source import Source
from deckgen.read import read
gc.disable()
texts = [open(name).read() for name in sys.argv[1:]]
extract(read(Source("warm.md", texts[0][:3000])))
began = time.process_time()
for number, text in enumerate(texts):
    extract(read(Source(f"{number}.md", text)))
read_ = time.process_time() - began
began = time.process_time()
for text in texts:
    MarkdownIt().enable("table").parse(text)
parsed = time.process_time() - began
lines = sum(text.count(chr(10)) for text in texts)
print((read_ - parsed) * 1000 / lines, parsed * 1000 / lines)
"""


def reads(tree: Path) -> Costs:
    """Reading and extracting beyond markdown-it's own parse, of 1,000 lines."""
    return {"1,000 lines": _read(tree)[0]}


def _read(tree: Path) -> tuple[float, float]:
    with _home() as home:
        decks.write(home, 500, several=True)
        files = sorted(path.name for path in home.glob("*.md"))
        command = [sys.executable, "-c", READ, *files]
        run = subprocess.run(
            command, cwd=home, env=bytecode.environment(tree), check=True, capture_output=True, text=True
        )
        beyond, parsed = map(float, run.stdout.split())
        return beyond, parsed


def cards(tree: Path) -> Costs:
    """Our own decks, with every claim; then with one word of an answer edited."""
    build = ("-m", "deckgen", "build", "cards", "-q")
    with _home() as home:
        for name in ("cards", "snippets"):
            shutil.copytree(ROOT / name, home / name)
        cold = cpu(*build, cwd=home, tree=tree)
        edited = home / "cards" / "nn" / "module.md"
        edited.write_text(edited.read_text().replace(" the ", " that ", 1))
        return {"cold": cold, "one word": cpu(*build, cwd=home, tree=tree)}


def page(several: bool, tree: Path) -> Costs:
    """The server of `deckgen review` with 1,000 notes."""
    cost = review.measured(tree, several=several)
    return {"a decision": cost.decision, "an edit": cost.edit_cpu, "an edit shown, clock": cost.edit}


def _works() -> Iterator[Work]:
    for count, several in ((500, True), (2_000, False), (10_000, True)):
        name = f"build {count:,} notes in {'many files' if several else 'one file'}"
        yield Work(name, partial(builds, count, several), "genanki", partial(genanki, count), count == 500)
        if count == 10_000:
            yield Work(f"{name}, cold", partial(_cold, count, several), "sum of the parts", partial(parts, count))
    yield Work("read and extract beyond markdown-it", reads, "markdown-it", lambda: _read(ROOT)[1], is_quick=True)
    for several in (True, False):
        where = "10 files" if several else "one file"
        yield Work(f"page, 1,000 notes in {where}", partial(page, several), "genanki", partial(genanki, 1_000), several)
    for count, length in sections.WORKLOADS:
        name = f"verify {count:,} sections of {length}"
        yield Work(name, partial(verifies, count, length), "exec", partial(executed, count, length))
    yield Work("build cards", cards, "genanki", partial(genanki, 1_000))


def _cold(count: int, several: bool, tree: Path) -> Costs:
    return {"cold": builds(count, several, tree)["cold"]}


WORKS = tuple(_works())


# --- those who do something alike ---

PEERS_WORK = (100, 1)
"""Sections, snippets of each."""
PEERS = {"nbval": "pytest --nbval", "pytest_examples": "pytest-examples", "sybil": "sybil"}


def peers() -> Iterator[str]:
    """A line for each peer that is not installed, and how long those that are take for 100 sections."""
    for module, name in PEERS.items():
        if importlib.util.find_spec(module) is None:
            yield f"{name}: not installed"
            continue
        with _home() as home:
            tests = _AS_TESTS[module](home)
            floor = executed(*PEERS_WORK)
            spent = cpu("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=home)
            yield f"{name}: 100 sections {spent:.2f} s, {spent / floor:.2f} times exec"


def _notebook(home: Path) -> tuple[str, ...]:
    cells = [
        {"cell_type": "code", "source": code, "outputs": [], "metadata": {}, "execution_count": None}
        for codes in engine.sessions(*PEERS_WORK)
        for code in codes
    ]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (home / "notes.ipynb").write_text(json.dumps(book))
    return "--nbval-lax", "notes.ipynb"


def _examples(home: Path) -> tuple[str, ...]:
    (home / "notes.md").write_text(sections.document(*PEERS_WORK))
    (home / "test_notes.py").write_text(
        "import pytest\nfrom pytest_examples import find_examples\n\n"
        "@pytest.mark.parametrize('one', find_examples('notes.md'), ids=str)\n"
        "def test_it(one, eval_example):\n    eval_example.run(one)\n"
    )
    return ("test_notes.py",)


def _sybil(home: Path) -> tuple[str, ...]:
    (home / "notes.md").write_text(sections.document(*PEERS_WORK))
    (home / "conftest.py").write_text(
        "from sybil import Sybil\nfrom sybil.parsers.markdown import PythonCodeBlockParser\n"
        "pytest_collect_file = Sybil([PythonCodeBlockParser()], pattern='*.md').pytest()\n"
    )
    return ("notes.md",)


_AS_TESTS = {"nbval": _notebook, "pytest_examples": _examples, "sybil": _sybil}


# --- tables ---


def table(trees: Mapping[str, Path], quick: bool = False) -> Iterator[str]:
    """A row for each thing that is done: seconds and ratio to the floor of each tree, and the last over the first."""
    yield f"| work | | floor | {' | '.join(trees)} | ratio |"
    yield f"|---|---|---|{'---|' * len(trees)}---|"
    for work in WORKS:
        if work.is_quick or not quick:
            yield from _rows(work, trees)


def _rows(work: Work, trees: Mapping[str, Path]) -> Iterator[str]:
    floors: list[float] = []
    costs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(ROUNDS):  # by turns: a machine that is busy for a while is so for all
        floors.append(work.floor())
        for label, tree in trees.items():
            for done, value in work.measure(tree).items():
                costs[done][label].append(value)
    floor = median(floors)
    for done, by_tree in costs.items():
        values = [median(by_tree[label]) for label in trees]
        is_time = not done.endswith(("MiB", "clock"))
        cells = [f"{value:.2f} ({value / floor:.2f})" if is_time else f"{value:.2f}" for value in values]
        yield f"| {work.name} | {done} | {work.floor_name} {floor:.2f} | {' | '.join(cells)} | {values[-1] / values[0]:.2f} |"


def main(commit: str, quick: bool) -> None:
    with checked_out(commit) as tree:
        for line in table({commit: tree, "now": ROOT}, quick):
            print(line, flush=True)
    for line in peers():
        print(line, flush=True)
