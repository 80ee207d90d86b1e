"""Cards in tables: `.csv` and `.tsv`, whose first line names the columns, or which have two, the question and its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.model.document import Document
from deckgen.model.source import Source
from deckgen.read import anki
from deckgen.read.card_fields import with_options
from deckgen.read.records import KNOWN, SIDES, Entry, document_of_records
from deckgen.read.tables import Row, rows
from deckgen.text.pattern import pattern

ENDINGS = (".csv", ".tsv")
_SEPARATORS = ",;\t|"
_TOLD = pattern(r"sep=(.)", re.IGNORECASE)
"""What Excel writes above a table."""
_MOST = 3
"""Columns without a name: the question, its answer and its tags."""
_SEVERAL = pattern(r"[A-Za-z](?:\s*[,;、]\s*[A-Za-z])+")


def read(source: Source) -> Document | None:
    """The cards of a table. A row that is none is an error in its place."""
    if not source.name.lower().endswith(ENDINGS) or anki.is_export(source):
        return None
    return document_of_records(source, "csv", _entries(source))


def is_header(line: str) -> bool:
    """True for a line that names the columns of a table of cards."""
    return any(_names(line.split(separator)) for separator in _SEPARATORS)


def _names(cells: Sequence[str]) -> list[str]:
    """The names of columns; none if a row is no header."""
    names = [cell.strip().strip('"').casefold() for cell in cells]
    known = {*names} & KNOWN
    return names if "text" in known or any({*sides} <= known for sides in SIDES) else []


def _entries(source: Source) -> Iterator[Entry]:
    first = next((at for at, line in enumerate(source.lines) if line.strip()), 0)
    told = _TOLD.fullmatch(source.lines[first].strip())
    first += bool(told)
    head = source.lines[first] if first < len(source.lines) else ""
    separator = told[1] if told else "\t" if source.name.lower().endswith(".tsv") else _separator(head)
    table = rows(source, separator, first)
    names: list[str] = []
    for number, row in enumerate(table):
        if not number and not row.problem and (names := _names(row.cells)):
            continue
        yield _entry(row, names)


def _separator(head: str) -> str:
    """What parts the names of columns, or else what the first line has most of."""
    named = [one for one in _SEPARATORS if _names(head.split(one))]
    return named[0] if named else max(_SEPARATORS, key=lambda one: (head.count(one), one == ","))


def _entry(row: Row, names: Sequence[str]) -> Entry:
    if row.problem:
        return Entry(row.line, {}, row.problem)
    cells = [*row.cells]
    while cells and not cells[-1].strip() and len(cells) > max(2, len(names)):
        cells.pop()
    if not names and not 1 < len(cells) <= _MOST:
        more = "" if len(cells) < 2 else ": name the columns in the first line, `front,back,tags`"
        return Entry(row.line, {}, f"no card: a row of {len(cells)} cells{more}")
    if names and len(cells) > len(names):
        why = "put quotes around a cell that has the separator in it"
        return Entry(row.line, {}, f"no card: {len(cells)} cells under {len(names)} columns: {why}")
    given = zip(names or ("front", "back", "tags"), cells, strict=False)
    fields: dict[str, object] = {name: cell for name, cell in given if cell.strip()}
    if "choices" in fields:
        fields["choices"] = _parts(str(fields["choices"]))
        answer = str(fields.get("answer", ""))
        if _SEVERAL.fullmatch(answer.strip()):
            fields["answer"] = re.split(r"\s*[,;、]\s*", answer.strip())
        return Entry(row.line, fields)
    return Entry(row.line, with_options(fields) if "front" in fields else fields)


def _parts(cell: str) -> list[str]:
    """Choices on lines of their own, or with bars or semicolons between them."""
    separator = next((one for one in "\n|;" if one in cell), "\n")
    return [part.strip() for part in cell.split(separator) if part.strip()]
