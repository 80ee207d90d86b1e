"""Lists and tables that hold no facts: links, keys, outlines, menus, tasks, dates, scores, figures."""

from __future__ import annotations

from collections.abc import Callable

from deckgen.extract import columns, wording
from deckgen.extract.notes.statement import definition, is_link
from deckgen.extract.page import Page
from deckgen.extract.quiz.options import asks_by_number
from deckgen.extract.text import plain, title, without_emoji
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
    (wording.TASK.match, "a list of tasks"),
    (lambda text: _DATED.match(plain(text)), "a list of dates"),
    (_SCORED.search, _SCORES),
)
"""What half of the items of a list are, or more, when it holds no facts."""
_HEADINGS = (
    (wording.ANSWER_KEY, "a key of answers"),
    (wording.CONTENTS, _OUTLINE),
    (wording.ROADMAP, _OUTLINE),
    (wording.SCORES, _SCORES),
    (wording.CHORES, _CHORES),
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
    if wording.TASK.match(texts[0]) and path and (wording.QUESTION.search(heading) or asks_by_number(path[-1])):
        return _PARTED
    for is_one, reason in _MOSTLY:
        if 2 * sum(bool(is_one(text)) for text in texts) + (is_one is is_link) > len(texts):
            return reason
    for named, reason in _HEADINGS:
        if named.search(heading):
            return reason
    if page.chat and wording.MENU.search(plain(f"{heading} {leading}")):
        return "a menu of what to do next, not a question"
    defines = any(map(definition, texts))
    if not defines and any(wording.EXERCISES.search(plain(one)) for one in path):
        return _CHORES
    if not defines and wording.STEPS.search(leading.rpartition("\n")[2]):
        return "steps to take, not facts to recall"
    asks = all(wording.QUESTION.search(text.strip()) for text in texts)
    return "questions that are not answered here" if asks else ""


def why_no_table(page: Page, index: int, table: Table) -> str:
    """Why a table is no set of facts; empty if it is one."""
    header = [title(plain(cell)) for cell in table.header]
    first = [without_emoji(plain(row.cells[0])) for row in table.rows]
    numbered = bool(first) and all(map(_NUMBERED.match, first))
    path = page.path(index)
    heading = title(path[-1]) if path else ""
    if numbered + bool(columns.SECTION.fullmatch(header[0])) + bool(wording.ROADMAP.search(heading)) > 1:
        return "an outline of lessons"
    scored = numbered and any(map(columns.SCORE.search, header))
    if (
        scored
        or any(map(columns.PUPIL.search, header + first))
        or any(map(columns.OWN_SCORE.fullmatch, header[:1] + first))
    ):
        return _SCORES
    if numbered and any(map(columns.RIGHT.search, header)):
        return "a key of answers"
    if len(header) < 2:
        return "a table of one column"
    if wording.CHORES.search(heading):
        return _CHORES
    cells = [[row.cells[at] for row in table.rows if row.cells[at].strip()] for at in range(1, len(header))]
    figures = all(column and all(_FIGURE.fullmatch(plain(cell)) for cell in column) for column in cells)
    if figures and any(columns.MEASURED.search(head) or columns.SCORE.search(head) for head in header[1:]):
        return "figures that somebody measured"
    labels = [table.header[0], *(row.cells[0] for row in table.rows)]
    if len(header) == 2 and all(plain(label).rstrip("*").endswith((":", "：")) for label in labels):
        return "a table used as layout: its header row is no header"
    return ""
