"""How a table is to be read: its column of names, what merged and `ditto` cells stand for, data in its header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckgen.extract import columns
from deckgen.extract.apis.names import api_names, bare_names, is_name
from deckgen.extract.text import has_words, plain
from deckgen.model.document import Row, Table
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_ADDRESS = pattern(
    r"<?https?://\S+>?|\[[^\]]*\]\(\s*<?https?://[^)]*\)|(?:`?[\w./-]+\.\w{1,4}:\d[\d,\s-]*`?[,;、\s]*)+"
)
"""A cell that only leads somewhere else: to a page, or to lines of a file."""


class Reading(NamedTuple):
    """How a table is to be read."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    """With merged and `ditto` cells filled in."""
    api: int | None
    """Column that names the API or the parameter."""
    content: tuple[int, ...]
    """The other columns that say something."""


def read_table(table: Table) -> Reading:
    """The table with its API column found, its merged cells filled in, and data in the header moved down."""
    table = _unnumbered(table)
    rows = table.rows
    api = _api_column(table)
    header = table.header
    if api is not None and _is_data(header, api):
        rows = (Row(line_span(table.span.start), header), *rows)
        header = tuple("" for _ in header)
    rows = tuple(_filled(rows, api))
    content = tuple(
        column for column in range(len(header)) if column != api and _says_something(header[column], rows, column)
    )
    return Reading(header, rows, api, content)


_NUMBER = pattern(r"\W*(?:\d{1,3}|[①-⑳])\W*")
_COUNTS = pattern(r"\W*(?:no|nr|num|number|n°|№|序号|编号|序|号)?\W*", re.IGNORECASE)


def _unnumbered(table: Table) -> Table:
    """Without a first column that only counts the rows: `| # | Symptom | Fix |`."""
    if len(table.header) < 3 or not _COUNTS.fullmatch(plain(table.header[0])):
        return table
    if not table.rows or not all(_NUMBER.fullmatch(plain(row.cells[0])) for row in table.rows):
        return table
    return replace(table, header=table.header[1:], rows=tuple(Row(row.span, row.cells[1:]) for row in table.rows))


def _is_data(header: Sequence[str], api: int) -> bool:
    """The header row names an API and what it does, as the rows below it do."""
    title_, others = header[api], [cell for at, cell in enumerate(header) if at != api]
    named = columns.API.search(plain(title_)) or columns.PARAMETER.search(plain(title_))
    return bool(api_names(title_)) and not named and not all(columns.MEANING.fullmatch(plain(c)) for c in others)


def _api_column(table: Table) -> int | None:
    """The first or second column, if most of its cells are names in code."""
    for column in range(min(2, len(table.header))):
        cells = [row.cells[column] for row in table.rows if row.cells[column].strip()]
        parameters = bool(columns.PARAMETER.search(plain(table.header[column])))
        titled = parameters or bool(columns.API.search(plain(table.header[column])))
        named = sum(bool(api_names(cell) or (parameters and is_name(cell))) for cell in cells)
        bare = 0 if not titled or column else sum(bool(bare_names(cell)) for cell in cells)
        if not titled and column and len(table.header) == 2:
            continue  # what is asked for stands in the first column, the name is the answer
        if cells and (named * 10 >= len(cells) * (5 if titled else 7) or bare == len(cells)):
            return column
    return None


def _says_something(header: str, rows: Sequence[Row], column: int) -> bool:
    if columns.DECORATION.search(plain(header)):
        return False
    filled = [row.cells[column] for row in rows if row.cells[column].strip()]
    if filled and all(":" in cell and _ADDRESS.fullmatch(cell.strip()) for cell in filled):
        return False
    return any(has_words(cell) or cell.strip() in "✅❌✓✗" for cell in filled)


def _filled(rows: Sequence[Row], api: int | None) -> Iterator[Row]:
    """Rows whose `ditto` is written out; an empty first cell repeats the one above, unless it is a missing name."""
    above: Row | None = None
    for row in rows:
        cells = list(row.cells)
        for column, cell in enumerate(cells):
            if above is None:
                continue
            if columns.DITTO.search(plain(cell)):
                cells[column] = _written_out(cell, above.cells[column])
            elif not cell.strip() and column == 0 and api is None:
                cells[column] = above.cells[column]
        above = Row(row.span, tuple(cells))
        yield above


def _written_out(cell: str, above: str) -> str:
    """`模块字典，同上` under `模块列表，仅用于注册参数` is `模块字典，仅用于注册参数`."""
    parts = re.split(r"([，,；;])", cell)
    source = re.split(r"([，,；;])", above)
    at = next((i for i, part in enumerate(parts) if columns.DITTO.search(part)), 0)
    tail = source[at:] if at < len(source) else source[-1:]
    return "".join([*parts[:at], *tail, *parts[at + 1 :]]).strip()
