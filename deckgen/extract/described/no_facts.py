"""Tables that hold no facts: outlines of lessons, a pupil's scores, keys of answers, figures, layouts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract import columns, wording
from deckgen.extract.page import Page
from deckgen.extract.text import plain, title, without_emoji
from deckgen.model.document import Prose, Table
from deckgen.text.pattern import pattern

_FIGURE = pattern(r"\s*[~≈<>±+-]?\s*\d[\d,.]*\s*(?:[±x×]\s*[\d.]*)?\s*[a-zA-Zµ%/]{0,8}\s*")
_POINTS = pattern(r"\W*\d+(?:\.\d+)?(?:\s*/\s*\d+)?\s*(?:分|points?|pts)?\W*", re.IGNORECASE)
_NUMBERED = pattern(
    r"^[A-Za-z]?\d+(?:[.-]\d+)*[.、]?$|^第?\s*[一二三四五六七八九十\d]+\s*(?:[章节周天课题关站]|单元|阶段|部分)?$|^[A-Z]\s*(?:[区关站部组]|部分)$|^(?:question|题目?|问题|level|stage|part|day|week|lesson|chapter|module|unit|round|session)\s*\d+$",
    re.IGNORECASE,
)
_LEAD = 60
"""Characters of a line that says what the table below it holds."""


def not_for_cards(page: Page, index: int, table: Table) -> str | None:
    """Why a table is no set of facts, if it is none."""
    header = [title(plain(cell)) for cell in table.header]
    first = [without_emoji(plain(row.cells[0])) for row in table.rows]
    numbered = bool(first) and all(_NUMBERED.match(cell) for cell in first)
    heading = title(page.path(index)[-1]) if page.path(index) else ""
    signs = (numbered, header[0].lower() in columns.SECTION, wording.ROADMAP.search(heading) is not None)
    if sum(signs) > 1:
        return "an outline of lessons"
    scored = numbered and any(columns.SCORE.search(cell) for cell in header)
    if scored or wording.SCORES.search(_lead(page, index, heading)) or _is_pupils(table, header, first):
        return "a pupil's answers and scores"
    if numbered and any(columns.RIGHT.search(cell) for cell in header):
        return "a key of answers"
    if len(table.header) < 2:
        return "a table of one column"
    if wording.CHORES.search(heading):
        return "versions, steps or exercises, not facts to recall"
    if _is_measured(table, heading):
        return "figures that somebody measured"
    if _is_layout(table):
        return "a table used as layout: its header row is no header"
    return None


def _lead(page: Page, index: int, heading: str) -> str:
    """The heading above a table, and a short line right above it."""
    above = page.blocks[index - 1] if index else None
    return f"{heading}\n{plain(above.text)}" if isinstance(above, Prose) and len(above.text) < _LEAD else heading


def _is_pupils(table: Table, header: Sequence[str], first: Sequence[str]) -> bool:
    if any(columns.PUPIL.search(cell) for cell in (*header, *first)):
        return True
    return _are_scores(table, header) or any(map(columns.OWN_SCORE.fullmatch, (*first, header[0])))


def _are_scores(table: Table, header: Sequence[str]) -> bool:
    """`| Round | Points |` and below it nothing but figures."""
    cells = [plain(cell) for row in table.rows for cell in row.cells[1:] if cell.strip()]
    figures = bool(cells) and all(_POINTS.fullmatch(cell) or _FIGURE.fullmatch(cell) for cell in cells)
    return figures and all(columns.SCORE.search(cell) for cell in header[1:])


def _is_layout(table: Table) -> bool:
    """`| Variant A: | x |` over `| Variant B: | y |`: labels, not a table."""
    labels = [table.header[0], *(row.cells[0] for row in table.rows)]
    return len(table.header) == 2 and all(plain(label).rstrip("*").endswith((":", "：")) for label in labels)


def _is_measured(table: Table, heading: str) -> bool:
    """All numbers, under headers such as `ms` or `accuracy`, or under a heading such as `Benchmark`."""
    filled = [[row.cells[at] for row in table.rows if row.cells[at].strip()] for at in range(1, len(table.header))]
    figures = [bool(cells) and all(_FIGURE.fullmatch(plain(cell)) for cell in cells) for cells in filled]
    told = [bool(columns.MEASURED.search(plain(head))) for head in table.header[1:]]
    return bool(figures) and all(figures) and (any(told) or bool(wording.MEASURED.search(plain(heading))))
