"""Keys of answers in tables: numbers and answers side by side or below each other, with those that somebody gave among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.extract import columns
from deckgen.extract.text import plain, without_emoji
from deckgen.model.document import Table
from deckgen.text.pattern import pattern

_NUMBER = pattern(r"\W*(?:Q|第|题目?|问题|question\s*)?\s*(\d{1,3})\s*题?\W*$", re.IGNORECASE)
_POINTS = pattern(r"points?|marks?|pts|scores?|分[值数]?|得分|难度|difficulty|知识点|topics?|sections?", re.IGNORECASE)
"""A column that says nothing of the answer."""
_RATED_RIGHT = pattern(r"\s*(?:[✅✔☑√✓]\ufe0f?|对|正确|right|correct|yes)\s*", re.IGNORECASE)
_RATED_WRONG = pattern(r"\s*(?:[❌❎✗✘×]\ufe0f?|错误?|wrong|incorrect|no)\s*", re.IGNORECASE)


def answers_in_table(table: Table) -> Iterator[tuple[int, str]]:
    """(number, answer) of all that a table gives; nothing where only somebody's own wrong answer stands."""
    header = [plain(cell).strip() for cell in table.header]
    rows = [list(row.cells) for row in table.rows]
    across = list(_across([header, *rows]))
    yield from across
    for cells in rows if not across else ():
        match = _NUMBER.match(without_emoji(plain(cells[0])))
        told = list(_told(header[1:], [cell.strip() for cell in cells[1:]])) if match else []
        if match and told:
            yield int(match[1]), "\n".join(told)


def _across(rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, str]]:
    """A row of numbers and those below it up to the next such row."""
    starts = [at for at, row in enumerate(rows) if _are_numbers(row)]
    for start, stop in zip(starts, [*starts[1:], len(rows)], strict=False):
        labels = [plain(row[0]).strip() for row in rows[start + 1 : stop]]
        for at, number in enumerate(rows[start]):
            told = list(_told(labels, [row[at].strip() for row in rows[start + 1 : stop]])) if at else []
            if told and plain(number).strip():
                yield int(plain(number)), told[0]


def _are_numbers(row: Sequence[str]) -> bool:
    cells = [plain(cell).strip() for cell in row[1:]]
    return len(row) > 2 and any(cells) and all(cell.isdecimal() for cell in cells if cell)


def _told(heads: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """What is told of one question, the right answer first: nothing of what somebody answered, unless that is rated as right."""
    filled = [(head, cell) for head, cell in zip(heads, cells, strict=True) if cell and not _POINTS.fullmatch(head)]
    own = [one for one in filled if columns.PUPIL.search(one[0])]
    right = [one for one in filled if one not in own and columns.RIGHT.search(one[0])]
    right.sort(key=lambda one: _is_rating(one[1]))
    rest = [one for one in filled if one not in own and one not in right]
    first = right[:1] or ([] if own else rest[:1])
    first = [one for one in first if not (own and _is_rating(one[1]))]
    others = [one for one in (*right, *rest) if one not in first]
    ratings = [cell for _, cell in others if _is_rating(cell)]
    if not first and any(map(_RATED_RIGHT.fullmatch, ratings)):
        first = own[:1]
    rated_wrong = not own and any(map(_RATED_WRONG.fullmatch, ratings))
    yield from (cell for _, cell in [*first, *others] if first and not rated_wrong and (cell not in ratings))


def _is_rating(cell: str) -> bool:
    return bool(_RATED_RIGHT.fullmatch(cell) or _RATED_WRONG.fullmatch(cell))
