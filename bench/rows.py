"""`python -m bench.rows FOLDER...` leaves out each row of each table, and shows that the documents it names lose something.

The folders hold seeds (`000_....txt`) and repositories (`OWNER/NAME/...` or `OWNER+NAME/...`). Documents that are in none of
them are listed. The exit status is 1 if a document that is there loses nothing.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from deckgen.extract import extract
from deckgen.extract.rows import Row, Table, rows
from deckgen.files import load
from deckgen.model.document import Extraction
from deckgen.model.note import back, front
from deckgen.model.source import Source
from deckgen.read import read


@contextmanager
def left_out(table: Table, row: Row) -> Iterator[None]:
    """The table without a row, as long as this is open."""
    module, every = import_module(table.module), table.rows()
    whole = getattr(module, table.attribute)
    setattr(module, table.attribute, type(whole)(one for one in every if one is not row))
    try:
        yield
    finally:
        setattr(module, table.attribute, whole)


def found(source: Source) -> Counter[str]:
    """All that is made of a source, a line each: notes, doubts, claims, names and what is refused by a rule of its own."""
    return Counter(_lines(extract(read(source))))


def _lines(made: Extraction) -> Iterator[str]:
    for note in made.notes:
        yield f"{type(note.body).__name__.lower()}: {front(note)} = {back(note)}"
        yield from (f"doubted: {front(note)}: {doubt.name}" for doubt in note.doubts)
    for snippet in made.snippets:
        yield from (f"claim: {claim.text} ({claim.form})" for claim in snippet.claims)
    yield from (f"name: {api.text}" for api in made.apis)
    yield from (f"refused: {skip.reason}" for skip in made.skipped if skip.rule not in ("left_over", "oversized"))


def document(seen: str, folders: Sequence[Path]) -> Path | None:
    """The document that a row names, if it is in one of the folders."""
    if seen.startswith("seed "):
        found = (path for folder in folders for path in sorted(folder.glob(f"{seen.removeprefix('seed ')}_*.txt")))
        return next(found, None)
    if seen.startswith("design: "):
        return None
    owner, name, *rest = seen.split("/")
    names = (f"{owner}/{name}", f"{owner}+{name}")
    paths = (folder.joinpath(one, *rest) for folder in folders for one in names)
    return next((path for path in paths if path.is_file()), None)


class Loss(NamedTuple):
    """What a document loses without a row."""

    table: str
    row: str
    seen: str
    lost: Counter[str] | None
    """None if the document is not at hand."""


def losses(folders: Sequence[Path]) -> Iterator[Loss]:
    """For each row and each document that it names, what is lost without it."""
    whole: dict[Path, Counter[str]] = {}
    for table, row in rows():
        for seen in row.seen:
            path = document(seen, folders)
            if path is None:
                yield Loss(table.title, row.name, seen, None)
                continue
            source = load(path)
            if path not in whole:
                whole[path] = found(source)
            with left_out(table, row):
                yield Loss(table.title, row.name, seen, whole[path] - found(source))


def main(folders: Sequence[str]) -> int:
    needless = 0
    for loss in losses([Path(folder) for folder in folders]):
        says = "not at hand" if loss.lost is None else f"loses {loss.lost.total()}" if loss.lost else "LOSES NOTHING"
        needless += loss.lost is not None and not loss.lost
        print(f"{loss.table}: {loss.row}: {loss.seen}: {says}")
    return 1 if needless else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
