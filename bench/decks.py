"""Building decks: against the sum of the parts that nobody can do without, in the same run.

Parts: markdown-it-py parsing the same text, Pygments highlighting every block, genanki writing the same
fields. Every note has a code block of six lines of its own; no two are alike. Nothing is run under torch.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

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


def notes(count: int) -> str:
    """Markdown of so many notes, a chapter every 100."""
    return "# Recipes\n\n" + "\n".join(
        f"## Part {n // 100}\n\n" * (n % 100 == 0) + NOTE.format(n=n) for n in range(count)
    )


def cpu(*command: str, cwd: Path) -> float:
    """Seconds of processor time of one process and its children."""
    environment = {**os.environ, "XDG_DATA_HOME": str(cwd / "data"), "XDG_CACHE_HOME": str(cwd / "cache")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=cwd, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


PARSE = "import sys; from markdown_it import MarkdownIt; MarkdownIt().enable('table').parse(open(sys.argv[1]).read())"
HIGHLIGHT = """
import sys
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
blocks = [part.split("```", 1)[0] for part in open(sys.argv[1]).read().split("```python\\n")[1:]]
for block in blocks:
    highlight(block, PythonLexer(), HtmlFormatter(nowrap=True))
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


def row(count: int) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "notes.md"
        text.write_text(notes(count))
        build = ("-m", "deckgen", "build", "notes.md", "--no-run", "-q")
        cold = cpu(*build, cwd=folder)
        package = folder / "build" / "notes.apkg"
        (folder / "rows.json").write_text(json.dumps(fields(package)))
        parse = cpu("-c", PARSE, "notes.md", cwd=folder)
        highlight = cpu("-c", HIGHLIGHT, "notes.md", cwd=folder)
        bare = cpu("-c", GENANKI, "rows.json", cwd=folder)
        nothing = cpu(*build, cwd=folder)
        text.write_text(text.read_text().replace("It makes `x7` from", "It builds `x7` from"))
        edit = cpu(*build, cwd=folder)
        size = package.stat().st_size / deflated(package)
    total = parse + highlight + bare
    cells = (count, parse, highlight, bare, cold, cold / total, edit, edit / bare, nothing, nothing / bare, size)
    return "| " + " | ".join(str(cell) if isinstance(cell, int) else f"{cell:.2f}" for cell in cells) + " |"


def table(quick: bool) -> Iterator[str]:
    yield (
        "| notes | parse s | Pygments s | genanki s | cold s | cold / sum | one edit s | edit / genanki "
        "| nothing changed s | nothing / genanki | size / deflated |"
    )
    yield "|---" * 11 + "|"
    for count in (1_000,) if quick else (1_000, 10_000, 50_000):
        yield row(count)


def section(quick: bool = False) -> str:
    """The section of docs/benchmarks.md."""
    return "## Building decks\n\nProcessor time, imports included.\n\n" + "\n".join(table(quick)) + "\n"


if __name__ == "__main__":
    print(section("--quick" in sys.argv))
