"""Names of the API in tables: columns of names, of parameters, and names in cells of prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deckgen.extract.claims.values import default_of, default_of_cell, is_default_column, tells_default
from deckgen.extract.names.place import (
    NAME_WORDS,
    PARAMETER_WORDS,
    Mention,
    Place,
    all_placed,
    owner_in,
    owner_of,
    parameter,
)
from deckgen.extract.names.written import KEYWORD, calls_in_spans, coded_words, names_in_prose, names_of_cell
from deckgen.model.document import Row, Table
from deckgen.text.pattern import pattern

_VALUE_WORDS = pattern(r"^[^A-Za-z]*«api.value»")
_EXAMPLE_WORDS = pattern("«api.example»")
"""A column of calls with the writer's own variables."""
_SCORE_WORDS = pattern("«api.score»")
_METHODS = pattern(r"\W*«api.method»\W*")
_OF_TENSORS = pattern(r"(?:^|\W)(?:Tensor|张量)s?\W*«api.method»")
_EMPTY = ' -—同上"〃'


def of_table(table: Table, place: Place) -> list[Mention]:
    """The names in a table; none in one of scores."""
    if any(_SCORE_WORDS.search(head) for head in table.header):
        return []
    columns = [_cells(table, index) for index in range(len(table.header))]
    kinds = [_kind_of_column(head, cells) for head, cells in zip(table.header, columns, strict=True)]
    kinds = ["values" if other else kind for kind, other in zip(kinds, _of_another_library(table), strict=True)]
    found: list[Mention] = []
    if "parameters" in kinds and "names" not in kinds:
        at = kinds.index("parameters")
        names = {name.partition("=")[0].strip() for cell in columns[at] for name in names_of_cell(cell, True)}
        if owner := owner_in(table.header[at]) or owner_of(names, table.span.start, place):
            found += _parameter_rows(table, at, owner)
            kinds = ["done" if kind == "parameters" else "prose" for kind in kinds]
    kinds = ["prose" if kind == "parameters" and "names" in kinds else kind for kind in kinds]
    announced = [says_names(head) and _all_named(cells) for head, cells in zip(table.header, columns, strict=True)]
    for row in table.rows:
        found += _of_row(table, row, kinds, announced, place)
    return all_placed(found, place)


def _cells(table: Table, index: int) -> list[str]:
    """The cells of a column that say something."""
    return [row.cells[index] for row in table.rows if index < len(row.cells) and row.cells[index].strip(_EMPTY)]


def _of_another_library(table: Table) -> Sequence[bool]:
    """In a table that sets torch beside something else, the columns that are not torch's."""
    torchs = [re.search("torch", head, re.IGNORECASE) is not None for head in table.header]
    others = [re.fullmatch(r"\W*[A-Z]\w*(?: [A-Z]\w*)*\W*", head) is not None for head in table.header]
    return [any(torchs) and not mine and other for mine, other in zip(torchs, others, strict=True)]


def _kind_of_column(head: str, cells: Sequence[str]) -> str:
    """`names`, `parameters`, `values` (looked at by nobody) or `prose`."""
    if _VALUE_WORDS.search(head) and not NAME_WORDS.search(head):
        return "values"
    names = [names_of_cell(cell, says_names(head)) for cell in cells]
    if not cells or sum(map(bool, names)) * 2 < len(cells):
        return "prose"
    if PARAMETER_WORDS.search(head) and not NAME_WORDS.search(head):
        return "parameters"
    return "prose" if all(KEYWORD.fullmatch(name) for several in names for name in several) else "names"


@lru_cache(maxsize=512)
def says_names(head: str) -> bool:
    """True if a header announces names, so that a lone word (`Adam`) in its cells is one."""
    return bool(NAME_WORDS.search(head) or PARAMETER_WORDS.search(head))


def _all_named(cells: Sequence[str]) -> bool:
    """False if some are words: `Maximum` beside `Step decay` is one as well, whatever the header announces."""
    words = [cell for cell in cells if "`" not in cell and not names_of_cell(cell, True)]
    return 5 * len(words) <= len(cells)


def _owner(head: str, place: Place) -> str | None:
    """Whose names a column holds: `Method` under `Tensor methods` says it in two places."""
    above = place.headings[-1].text if place.headings else ""
    return owner_in(head) or ("Tensor" if _METHODS.fullmatch(head) and _OF_TENSORS.search(above) else None)


def _of_row(table: Table, row: Row, kinds: Sequence[str], announced: Sequence[bool], place: Place) -> list[Mention]:
    """The names in a row; names in several of its columns are said to be counterparts."""
    line = row.span.start
    found: list[Mention] = []
    by_column: list[tuple[str, ...]] = []
    for head, cell, kind, lone in zip(table.header, row.cells, kinds, announced, strict=False):
        names = names_of_cell(cell, lone) if kind in ("names", "parameters") else ()
        if names:
            by_column.append(names)
            form = "prose" if _EXAMPLE_WORDS.search(head) else "table"
            found += [Mention(line, name, form, owner=_owner(head, place)) for name in names]
        elif kind != "values":
            found += [Mention(line, name, "prose") for name in _in_prose_cell(cell)]
    for one in found if len(by_column) > 1 else ():
        one.peers = tuple(name for names in by_column if one.text not in names for name in names)
    return found


def _in_prose_cell(cell: str) -> list[str]:
    rooted = names_in_prose(cell)
    others = [*calls_in_spans(cell), *coded_words(cell)]
    return rooted + [name for name in others if not any(name.startswith(one.partition("(")[0]) for one in rooted)]


def _parameter_rows(table: Table, column: int, owner: str) -> list[Mention]:
    """Each name in a column of parameters, with the default that its row states."""
    found: list[Mention] = []
    for row in table.rows:
        names = names_of_cell(row.cells[column], True) if column < len(row.cells) else ()
        default = _default_in_row(table, row, column) if len(names) == 1 else None
        found += [parameter(row.span.start, name, owner, default) for name in names]
    return found


def _default_in_row(table: Table, row: Row, column: int) -> str | None:
    """The default that a parameter's row states: in a column of its own, else in what another cell says."""
    for head, cell in zip(table.header, row.cells, strict=False):
        if is_default_column(head):
            return default_of_cell(cell)
    told = [default_of(cell) for at, cell in enumerate(row.cells) if at != column and tells_default(cell)]
    return told[0] if len(told) == 1 else None
