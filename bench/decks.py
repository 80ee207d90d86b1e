"""Building decks: against the sum of the parts that nobody can do without, in the same run.

Parts: markdown-it-py parsing the same text, Pygments highlighting every block, genanki writing the same
fields. Every note has a code block of six lines of its own; no two are alike. Nothing is run under torch.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import bytecode

if sys.platform != "win32":
    import resource

NOTE = """### What does step {n} of the recipe do?

It makes `x{n}` from a range of {n} numbers and keeps what is above {n}.

```python
import torch
x{n} = torch.arange({n}, dtype=torch.float32)
mask = x{n} > {n} / 2
for value in x{n}[mask].tolist():
    total_{n} = value * {n} + len("step {n}")
print(x{n}.shape, "kept {n}")
```
"""


FILE = 100
"""Notes a file, where a deck has several."""


def write(folder: Path, count: int, several: bool, cards: bool = True) -> Path:
    """A deck of so many notes in `folder`, in one file or in many; returns the file that will be edited.

    They are cards if their author says so in `deck.toml`, else suggestions.
    """
    step = FILE if several else count
    if cards:
        (folder / "deck.toml").write_text('headings = "cards"\n')
    for first in range(0, count, step):
        text = "\n".join(NOTE.format(n=n) for n in range(first, first + step))
        (folder / f"{first:05}.md").write_text(f"# Recipes from {first}\n\n{text}")
    return folder / "00000.md"


def cpu(*command: str, cwd: Path, tree: Path = bytecode.TREE) -> float:
    """Seconds of processor time of one process and its children, with the deckgen of a tree."""
    environment = _environment(cwd, tree)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=cwd, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(home: Path, tree: Path) -> dict[str, str]:
    return {**bytecode.environment(tree), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(home / "cache")}


def memory(*command: str, cwd: Path, tree: Path = bytecode.TREE) -> float:
    """The most MiB that a process had."""
    process = subprocess.Popen(command, cwd=cwd, env=_environment(cwd, tree), stdout=subprocess.DEVNULL)
    return os.wait4(process.pid, 0)[2].ru_maxrss / 2**10


PARSE = """
import sys
from markdown_it import MarkdownIt
for name in sys.argv[1:]:
    MarkdownIt().enable("table").parse(open(name).read())
"""
HIGHLIGHT = """
import sys
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
texts = [open(name).read() for name in sys.argv[1:]]
blocks = [part.split("```", 1)[0] for text in texts for part in text.split("```python\\n")[1:]]
lexer, formatter = PythonLexer(), HtmlFormatter(nowrap=True)
for block in blocks:
    highlight(block, lexer, formatter)
"""
GENANKI = """
import json, sys, genanki
rows = json.load(open(sys.argv[1]))
model = genanki.Model(1, "m", fields=[{"name": f"f{i}"} for i in range(len(rows[0]))],
                      templates=[{"name": "t", "qfmt": "{{f0}}", "afmt": "{{f0}}"}])
deck = genanki.Deck(2, "d")
for row in rows:
    deck.add_note(genanki.Note(model, row, guid=row[0][:40]))
genanki.Package(deck).write_to_file("bare.apkg")
"""


def fields(package: Path) -> list[list[str]]:
    """The fields of every note in a package, for genanki to write again."""
    import sqlite3
    import zipfile

    with zipfile.ZipFile(package) as archive, tempfile.TemporaryDirectory() as folder:
        database = archive.extract("collection.anki2", folder)
        connection = sqlite3.connect(database)
        rows = [text.split("\x1f") for (text,) in connection.execute("select flds from notes order by id")]
        connection.close()
    return rows


def deflated(package: Path) -> int:
    """Bytes of the same members, deflated as hard as zlib can: no package of this kind is smaller."""
    import zipfile
    import zlib

    with zipfile.ZipFile(package) as archive:
        return sum(len(zlib.compress(archive.read(name), 9)) for name in archive.namelist())


@dataclass(frozen=True)
class Cost:
    """Seconds of processor time for a deck and for its parts, measured in one run."""

    count: int
    files: int
    parse: float
    highlight: float
    bare: float
    cold: float
    edit: float
    deleted: float
    """With a note in the middle of a file deleted."""
    nothing: float
    size: float
    """Of the package, over the least that deflate can do."""
    peak: float
    """MiB of memory at most, of the build from nothing."""

    @property
    def total(self) -> float:
        return self.parse + self.highlight + self.bare

    @property
    def row(self) -> str:
        cells = (
            f"{self.count:,}", str(self.files), f"{self.parse:.2f}", f"{self.highlight:.2f}", f"{self.bare:.2f}",
            f"{self.cold:.2f}", f"**{self.cold / self.total:.2f}**", f"{self.edit:.2f}",
            f"**{self.edit / self.bare:.2f}**", f"{self.deleted:.2f}", f"**{self.deleted / self.bare:.2f}**", f"{self.nothing:.2f}", f"**{self.nothing / self.bare:.2f}**",
            f"{self.size:.3f}", f"{self.peak:.0f}",
        )  # fmt: skip
        return f"| {' | '.join(cells)} |"


def measured(count: int, several: bool) -> Cost:
    """A deck built cold, after an edit, and with nothing changed; each the least of `ROUNDS`."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        deck = home / "deck"
        deck.mkdir()
        edited = write(deck, count, several)
        files = sorted(path.as_posix() for path in deck.glob("*.md"))
        build = ("-m", "deckgen", "build", "deck", "--no-run", "-q")
        cold = least(lambda: cpu(*build, cwd=emptied(home)))
        peak = memory(sys.executable, *build, cwd=emptied(home))
        package = home / "build" / "deck.apkg"
        (home / "rows.json").write_text(json.dumps(fields(package)))
        parse = least(lambda: cpu("-c", PARSE, *files, cwd=home))
        highlight = least(lambda: cpu("-c", HIGHLIGHT, *files, cwd=home))
        bare = least(lambda: cpu("-c", GENANKI, "rows.json", cwd=home))
        nothing = least(lambda: cpu(*build, cwd=home))
        edits: list[float] = []
        text = edited.read_text()
        for number in range(ROUNDS):
            edited.write_text(text.replace("It makes `x7` from", f"It makes `x7` ({number}) from"))
            edits.append(cpu(*build, cwd=home))
        deletions = [cpu(*build, cwd=home) for _ in map(edited.write_text, without_one(text))]
        size = package.stat().st_size / deflated(package)
    return Cost(count, len(files), parse, highlight, bare, cold, min(edits), min(deletions), nothing, size, peak)


def without_one(text: str) -> Iterator[str]:
    """The notes with another one in the middle deleted, each time."""
    notes = text.split("### What")
    for middle in range(len(notes) // 2, len(notes) // 2 + ROUNDS):
        yield "### What".join(notes[:middle] + notes[middle + 1 :])


ROUNDS = 2


def emptied(home: Path) -> Path:
    """Without what earlier builds have left: package, lock, and all that is recalled."""
    for left in ("build", "data", "cache"):
        shutil.rmtree(home / left, ignore_errors=True)
    (home / "deck" / "deckgen.lock").unlink(missing_ok=True)
    return home


def least(measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(ROUNDS))


def table(quick: bool) -> Iterator[str]:
    yield (
        "| notes | files | parse s | Pygments s | genanki s | cold s | cold / sum | one edit s | edit / genanki "
        "| deleted s | deleted / genanki | nothing changed s | nothing / genanki | size / deflated | peak MiB |"
    )
    yield "|---" * 15 + "|"
    for count in (1_000,) if quick else (1_000, 10_000, 50_000):
        for several in (True, False):
            yield measured(count, several).row


INTRODUCTION = """## Building decks

Processor time in seconds, imports included, `--no-run`. The sum is that of markdown-it's parse, Pygments on every block (one
lexer and one formatter for all of them), and bare genanki writing the same fields, measured in the same run. To be reached at
10,000 notes: cold at most 1.3 times the sum, after one edit and with a note deleted at most 4 times genanki, nothing changed
at most 2 times, package at most 1.2 times the least, memory at most 200 MiB. What is edited is one answer in one file; a file
that changed is read whole, so a deck in one file of 50,000 notes pays for all of them.

"""


def section(quick: bool = False) -> str:
    """The section of docs/benchmarks.md."""
    return INTRODUCTION + "\n".join(table(quick)) + "\n"


if __name__ == "__main__":
    print(section("--quick" in sys.argv))
