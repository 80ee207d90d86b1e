"""Cards in tables: `.csv` and `.tsv`, whose first line names the columns, or which have two, the question and its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.model.document import Document
from deckgen.model.source import Source
from deckgen.read import anki
from deckgen.read.card_fields import quiz_of, with_options
from deckgen.read.records import Entry, document_of_records
from deckgen.read.tables import Row, rows
from deckgen.text.columns import SEPARATORS, SIDES, names_of_columns, words_for
from deckgen.text.pattern import pattern
from deckgen.text.wording import one_line

ENDINGS = (".csv", ".tsv")
_TOLD = pattern(r"sep=(.)", re.IGNORECASE)
"""What Excel writes above a table."""
_MOST = 3
"""Columns without a name: the question, its answer and its tags."""
_NAME = pattern(r"[^\W\d]+(?:[\s_-]+\w+){0,2}")
_LONGEST_NAME = 24
"""Bytes of what may be the name of a column: 24 Latin letters or 8 Chinese ones."""
_ABOVE = 5
"""Rows in which the names of columns are looked for."""


def read(source: Source) -> Document | None:
    """The cards of a table. A row that is none is an error in its place."""
    if not source.name.lower().endswith(ENDINGS) or anki.is_export(source):
        return None
    return document_of_records(source, "csv", _entries(source))


_SIDES = frozenset(name for sides in SIDES for name in sides)


def _is_like_names(cells: Sequence[str]) -> bool:
    """True for cells that may be the names of columns, whatever they mean: words, and few of them."""
    said = [cell.strip() for cell in cells]
    return all(_NAME.fullmatch(cell) and len(cell.encode()) <= _LONGEST_NAME for cell in said)


def _why_no_cards(table: Sequence[Row]) -> str:
    """What is said of a table whose first row is no card; nothing where it may be one, as in a list of words and their like."""
    first, *others = [row for row in table if not row.problem]
    below = next((row for row in others[:_ABOVE] if names_of_columns(row.cells)), None)
    if below:
        return f"no table of cards: line {below.line + 1} names the columns: leave out what stands above it"
    meant = any(cell.strip().casefold() in words_for(name) for cell in first.cells for name in _SIDES)
    alike = sum(_is_like_names(row.cells) for row in others)
    if len(first.cells) < 2 or not _is_like_names(first.cells) or not (meant or 4 * alike < len(others)):
        return ""
    seen = ", ".join(one_line(cell, _LONGEST_NAME) for cell in first.cells[:_ABOVE])
    return (
        f"no table of cards: its first line looks like the names of columns, {seen}, and names no question with its answer: "
        "call them `front,back`, or write that above the line if it is a card"
    )


def _entries(source: Source) -> Iterator[Entry]:
    first = next((at for at, line in enumerate(source.lines) if line.strip()), 0)
    told = _TOLD.fullmatch(source.lines[first].strip())
    first += bool(told)
    head = "\n".join(source.lines[first : first + _ABOVE])
    separator = told[1] if told else "\t" if source.name.lower().endswith(".tsv") else _separator(head)
    table = [*rows(source, separator, first)]
    names = names_of_columns(table[0].cells) if table and not table[0].problem else []
    if table and not table[0].problem and not names and (why := _why_no_cards(table)):
        yield Entry(table[0].line, {}, why)
        return
    for row in table[bool(names) :]:
        yield _entry(row, names)


def _separator(head: str) -> str:
    """What parts the names of columns, or else what the first line has most of."""
    named = [one for one in SEPARATORS for line in head.split("\n") if names_of_columns(line.split(one))]
    head = head.partition("\n")[0]
    return named[0] if named else max(SEPARATORS, key=lambda one: (head.count(one), one == ","))


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
    record = quiz_of(dict(zip(names or ("front", "back", "tags"), cells, strict=False)))
    return Entry(row.line, with_options(record) if "front" in record and "choices" not in record else record)
