"""Rows of a table as text, each with the line on which it begins: CSV, TSV and Anki's own export share them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.model.source import Source

_MOST_ERRORS = 20
"""After so many the rest is not read: from each on all is read anew."""


class Row(NamedTuple):
    """A row of a table."""

    line: int
    cells: Sequence[str]
    problem: str = ""
    """Why it could not be read; then it has no cells."""


def rows(source: Source, separator: str, first: int = 0, comment: str = "") -> Iterator[Row]:
    """The rows of a source from a line on that are not empty, and no comments; one that is broken is told, and those below it are read."""
    errors = 0
    while first < len(source.lines):
        lines = _Lines(source.lines, first)
        begin = first
        try:
            for cells in csv.reader(lines, delimiter=separator, strict=True):
                skipped = bool(comment) and source.lines[begin].startswith(comment)
                if not skipped and any(cell.strip() for cell in cells):
                    yield Row(begin, cells)
                begin = lines.number
            return
        except csv.Error as error:
            errors += 1
            yield Row(begin, (), _in_words(error, separator))
            first = begin + 1
            if errors == _MOST_ERRORS:
                yield Row(first, (), "too many rows are broken: those below are not read")
                return


def _in_words(error: csv.Error, separator: str) -> str:
    said = str(error)
    if "end of data" in said or "field larger" in said:
        return 'no card: a quote `"` that opens a cell is not closed'
    if "expected after" in said:
        return f'no card: behind a cell in quotes stands something else than `{separator}`: write a quote in it as `""`'
    return f"no card: {said}"


class _Lines:
    """Lines that know how many were taken."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self._lines = lines
        self.number = first

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if self.number >= len(self._lines):
            raise StopIteration
        self.number += 1
        return f"{self._lines[self.number - 1]}\n"
