"""Lists and tables that hold no facts: links, keys, outlines, menus, tasks, dates, scores, figures."""

from __future__ import annotations

from collections.abc import Callable

from deckgen.extract.labels import Kind, labels
from deckgen.extract.notes.statement import definition, is_link
from deckgen.extract.page import Page
from deckgen.extract.text import ends_with_colon, plain, title, without_emoji
from deckgen.model.document import Items, Prose, Table
from deckgen.text.pattern import pattern

_OUTLINE = "an outline of contents"
_SCORES = "a pupil's answers and scores"
_PARTED = "an option that something parts from the others, so they are no quiz: write them as one list"
_CHORES = "steps, versions or exercises, not facts to recall"
_DATED = pattern(
    r"\W*(?:v?\d+\.\d+(?:\.\d+)*\W|\d{4}(?:[-/.]|«grammar.year»)\d{1,2}|(?:[\d–-]+\s+)?«definition.month»\.?,?\s+(?:\d{1,2},?\s+)?\d{4}\b)"
)
"""Of a log of changes: `2024-03-05: ...`, `v1.2.0 - ...`, `Mar 2023 - ...`."""
_SCORED = pattern(r"[:：]\s*\W{0,3}\d{1,3}\s*/\s*\d{1,3}\W*$")
_MOSTLY: tuple[tuple[Callable[[str], object], str], ...] = (
    (is_link, "a list of links"),
    (lambda text: Kind.CHECKBOX in labels(text), "a list of tasks"),
    (lambda text: _DATED.match(plain(text)), "a list of dates"),
    (_SCORED.search, _SCORES),
)
"""What half of the items of a list are, or more, when it holds no facts."""
_HEADINGS = (
    (Kind.ANSWER_KEY, "a key of answers"),
    (Kind.CONTENTS, _OUTLINE),
    (Kind.ROADMAP, _OUTLINE),
    (Kind.SCORES, _SCORES),
    (Kind.CHORES, _CHORES),
)
"""Headings over lists without facts."""
_FIGURE = pattern(r"\s*[~≈<>±+-]?\s*\d[\d,.]*\s*(?:[±x×/]\s*[\d.]*)?\s*[a-zA-Zµ%/]{0,8}\s*")
_NUMBERED = pattern(
    r"^(?:[A-Za-z]?\d+(?:[.-]\d+)*[.、]?|«grammar.ordinal»?\s*(?:\d|«grammar.numeral»)+\s*«grammar.unit»?"
    r"|[A-Z]\s*«grammar.area»|«definition.chapter»\s*\d+)$"
)


def why_no_list(page: Page, index: int, block: Items) -> str:
    """Why a list holds no facts, by its headings, the line above it or what most of its items are; empty if it may."""
    texts = [item.text for item in block.items]
    above = page.blocks[index - 1] if index else None
    leading = plain(above.text) if isinstance(above, Prose) else ""
    path = page.path(index)
    heading = title(plain(path[-1])) if path else ""
    if (
        Kind.CHECKBOX in labels(texts[0])
        and path
        and (Kind.QUESTION in labels(heading) or Kind.TEST_QUESTION in labels(path[-1]))
    ):
        return _PARTED
    for is_one, reason in _MOSTLY:
        if 2 * sum(bool(is_one(text)) for text in texts) + (is_one is is_link) > len(texts):
            return reason
    for named, reason in _HEADINGS:
        if named in labels(heading):
            return reason
    if page.chat and Kind.MENU in labels(f"{heading} {leading}").words:
        return "a menu of what to do next, not a question"
    defines = any(map(definition, texts))
    if not defines and any(Kind.EXERCISES in labels(one).words for one in path):
        return _CHORES
    if not defines and Kind.STEPS in labels(leading.rpartition("\n")[2]):
        return "steps to take, not facts to recall"
    asks = all(Kind.QUESTION in labels(text.strip()) for text in texts)
    return "questions that are not answered here" if asks else ""


def why_no_table(page: Page, index: int, table: Table) -> str:
    """Why a table is no set of facts; empty if it is one."""
    header = [title(plain(cell)) for cell in table.header]
    first = [without_emoji(plain(row.cells[0])) for row in table.rows]
    numbered = bool(first) and all(map(_NUMBERED.match, first))
    path = page.path(index)
    heading = title(path[-1]) if path else ""
    if numbered + (Kind.LESSON_COLUMN in labels(header[0])) + (Kind.ROADMAP in labels(heading)) > 1:
        return "an outline of lessons"
    scored = numbered and any(Kind.SCORE_COLUMN in labels(head) for head in header)
    if (
        scored
        or any(Kind.PUPIL_COLUMN in labels(cell) for cell in header + first)
        or any(Kind.OWN_SCORE in labels(cell) for cell in header[:1] + first)
    ):
        return _SCORES
    if numbered and any(Kind.RIGHT_COLUMN in labels(head) for head in header):
        return "a key of answers"
    if len(header) < 2:
        return "a table of one column"
    if Kind.CHORES in labels(heading):
        return _CHORES
    cells = [[row.cells[at] for row in table.rows if row.cells[at].strip()] for at in range(1, len(header))]
    figures = all(column and all(_FIGURE.fullmatch(plain(cell)) for cell in column) for column in cells)
    if figures and any(labels(head).any_of((Kind.MEASURED_COLUMN, Kind.SCORE_COLUMN)) for head in header[1:]):
        return "figures that somebody measured"
    first_column = [table.header[0], *(row.cells[0] for row in table.rows)]
    if len(header) == 2 and all(ends_with_colon(plain(label).rstrip("*")) for label in first_column):
        return "a table used as layout: its header row is no header"
    return ""
