"""APIs in tables: columns of names, of parameters, and names in cells of prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deckgen.extract.apis.in_prose import calls_in_spans, coded_words, names_in_prose
from deckgen.extract.apis.parameters import (
    NAME_WORDS,
    PARAMETER_NAME,
    PARAMETER_WORDS,
    api_of_heading,
    owner_in,
    owner_of,
    parameter,
    stated_default,
)
from deckgen.extract.apis.place import Mention, Place, all_placed
from deckgen.extract.apis.text import KEYWORD, NAME, names_of_cell
from deckgen.extract.claims.defaults import default_of, default_of_cell, is_default_column, tells_default
from deckgen.model.document import Row, Table
from deckgen.text.pattern import pattern

_VALUE_WORDS = pattern(
    r"默认|类型|取值|形状|输出|结果|返回|版本|(?i:^\s*(?:default|type|dtype|values?|shape|output|results?|returns?|versions?)s?\b)"
)
_EXAMPLE_WORDS = pattern(r"示例|例子|举例|样例|(?i:\bexamples?\b|\bsamples?\b|\bdemo\b)")
"""A column of calls with the writer's own variables."""
_SCORE_WORDS = pattern(r"你的(?:回答|答案)|评语|得分|评分|打分|(?i:\byour answer|\bscores?\b|\bgrades?\b|\bpoints\b)")


def of_table(table: Table, place: Place) -> list[Mention]:
    if any(_SCORE_WORDS.search(cell) for cell in table.header):
        return []
    columns = [_cells(table, index) for index in range(len(table.header))]
    kinds = [_kind_of_column(head, cells) for head, cells in zip(table.header, columns, strict=True)]
    others = _of_another_library(table.header)
    kinds = ["values" if other else kind for kind, other in zip(kinds, others, strict=True)]
    found: list[Mention] = []
    if "parameters" in kinds and "names" in kinds:
        found += _parameters_of_rows(table, kinds.index("names"), kinds.index("parameters"))
        kinds = ["prose" if kind == "parameters" else kind for kind in kinds]
    elif "parameters" in kinds and (owner := _owner_of_parameters(table, kinds.index("parameters"), place)):
        found += _parameter_rows(table, kinds.index("parameters"), owner)
        kinds = ["done" if kind == "parameters" else "prose" for kind in kinds]
    elif "names" in kinds and any(map(is_default_column, table.header)) and (owner := api_of_heading(place)):
        found += _stated_defaults(table, kinds.index("names"), owner)
    announced = [says_names(head) and _all_named(cells) for head, cells in zip(table.header, columns, strict=True)]
    for row in table.rows:
        found += _of_row(table, row, kinds, announced, place)
    return all_placed(found, place)


def _cells(table: Table, index: int) -> list[str]:
    return [row.cells[index] for row in table.rows if index < len(row.cells)]


@lru_cache(maxsize=256)
def _of_another_library(header: tuple[str, ...]) -> Sequence[bool]:
    """In a table that sets torch beside something else, the columns that are not torch's."""
    torchs = [re.search("torch", head, re.IGNORECASE) is not None for head in header]
    others = [re.fullmatch(r"\W*[A-Z]\w*(?: [A-Z]\w*)*\W*", head) is not None for head in header]
    return [any(torchs) and not mine and other for mine, other in zip(torchs, others, strict=True)]


def _kind_of_column(head: str, cells: Sequence[str]) -> str:
    """`names`, `parameters`, `values` (looked at by nobody) or `prose`."""
    if _VALUE_WORDS.search(head) and not NAME_WORDS.search(head):
        return "values"
    filled = [cell for cell in cells if cell.strip(' -—同上"〃')]
    names = [names_of_cell(cell, says_names(head)) for cell in filled]
    if not filled or sum(map(bool, names)) * 2 < len(filled):
        return "prose"
    if PARAMETER_WORDS.search(head) and not NAME_WORDS.search(head):
        return "parameters"
    if all(KEYWORD.fullmatch(name) for several in names for name in several):
        return "prose"
    return "names"


@lru_cache(maxsize=512)
def says_names(head: str) -> bool:
    """True if a header announces names, so that a lone word (`Adam`) in its cells is one."""
    return bool(NAME_WORDS.search(head) or PARAMETER_WORDS.search(head))


_METHODS = pattern(r"\W*(?:常用)?(?:方法|成员函数)(?:名)?\W*|\W*methods?(?: name)?\W*", re.IGNORECASE)
_OF_TENSORS = pattern(
    r"(?:^|\W)(?:Tensor|张量)s?\s*(?:对象|类)?\s*(?:的)?\s*(?:常用|常见|基本)?\s*(?:方法|(?i:methods?\b))"
)


def _owner(head: str, place: Place) -> str | None:
    """Whose names a column holds: `Method` under `Tensor methods` says it in two places."""
    above = place.headings[-1].text if place.headings else ""
    return owner_in(head) or ("Tensor" if _METHODS.fullmatch(head) and _OF_TENSORS.search(above) else None)


def _all_named(cells: Sequence[str]) -> bool:
    """False if some are words: `Maximum` beside `Step decay` is one as well, whatever the header announces."""
    filled = [cell for cell in cells if cell.strip(' -—同上"〃')]
    words = [cell for cell in filled if "`" not in cell and not names_of_cell(cell, True)]
    return 5 * len(words) <= len(filled)


def _of_row(table: Table, row: Row, kinds: Sequence[str], announced: Sequence[bool], place: Place) -> list[Mention]:
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
    return _with_peers(found, by_column)


def _in_prose_cell(cell: str) -> list[str]:
    rooted = names_in_prose(cell)
    others = [*calls_in_spans(cell), *coded_words(cell)]
    return rooted + [name for name in others if not any(name.startswith(one.partition("(")[0]) for one in rooted)]


def _with_peers(found: list[Mention], by_column: Sequence[Sequence[str]]) -> list[Mention]:
    """Names in other columns of a row are said to be counterparts."""
    if len(by_column) > 1:
        for one in found:
            one.peers = tuple(name for names in by_column if one.text not in names for name in names)
    return found


def _owner_of_parameters(table: Table, column: int, place: Place) -> str | None:
    names = {name.partition("=")[0].strip() for cell in _cells(table, column) for name in names_of_cell(cell, True)}
    return owner_in(table.header[column]) or owner_of(names, table.span.start, place)


def _parameter_rows(table: Table, column: int, owner: str) -> list[Mention]:
    return [
        parameter(row.span.start, name, owner, default if len(names) == 1 else None)
        for row in table.rows
        if column < len(row.cells)
        for names, default in [(names_of_cell(row.cells[column], True), _default_in_row(table, row, column))]
        for name in names
    ]


def _default_in_row(table: Table, row: Row, column: int) -> str | None:
    """The default that a parameter's row states: in a column of its own, else in what another cell says."""
    for head, cell in zip(table.header, row.cells, strict=False):
        if is_default_column(head):
            return default_of_cell(cell)
    told = [default_of(cell) for at, cell in enumerate(row.cells) if at != column and tells_default(cell)]
    return told[0] if len(told) == 1 else None


def _stated_defaults(table: Table, column: int, owner: str) -> list[Mention]:
    """Under an API's heading, a table of names with their defaults is one of its parameters."""
    return [
        stated_default(row.span.start, names[0], owner, default)
        for row in table.rows
        if column < len(row.cells)
        for names in [names_of_cell(row.cells[column], True)]
        if len(names) == 1 and PARAMETER_NAME.fullmatch(names[0])
        if (default := _default_in_row(table, row, column))
    ]


def _parameters_of_rows(table: Table, named: int, column: int) -> list[Mention]:
    """Where a table has a column of names and one of parameters, each row's parameters are those of its name."""
    found: list[Mention] = []
    for row in (row for row in table.rows if max(named, column) < len(row.cells)):
        owners = [
            match.group() for one in names_of_cell(row.cells[named], True) if (match := NAME.match(one.lstrip(".")))
        ]
        if (holder := owner_in(table.header[named])) is not None:
            owners = [one if "." in one else f"{holder}.{one}" for one in owners]
        names = names_of_cell(row.cells[column], True)
        sure = len(owners) == len(names) == 1
        default = _default_in_row(table, row, column) if sure else None
        found += [parameter(row.span.start, name, owner, default) for owner in owners[:1] for name in names]
    return found
