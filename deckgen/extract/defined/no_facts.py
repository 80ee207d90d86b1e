"""Lists that hold no facts: links, keys, outlines, menus, scores, tasks, dates and questions without answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deckgen.extract import talk, wording
from deckgen.extract.defined.links import is_link
from deckgen.extract.page import Page
from deckgen.extract.text import plain, title
from deckgen.model.document import Items, Prose
from deckgen.text.pattern import pattern

_DIGIT = pattern(r"\d")
_DATED = pattern(r"\W*(?:v?\d+\.\d+(?:\.\d+)*\W|\W*\d{4}[-/.年]\d{1,2})")
"""Of a log of changes: `2024-03-05: ...`, `v1.2.0 - ...`."""
_SCORED = pattern(r"[:：]\s*\W{0,3}\d{1,3}(?:\.\d)?\s*(?:/\s*\d{1,3}|分|points?|pts\.?)\W*$", re.IGNORECASE)
_OF_SCORES = "a pupil's answers and scores"


def _is_dated(text: str) -> bool:
    return bool(_DIGIT.search(text) and _DATED.match(plain(text)))


_NAMED = (
    (wording.SCORES, _OF_SCORES),
    (wording.CHORES, "steps, versions or exercises, not facts to recall"),
)
"""Headings over lists without facts."""
_MOSTLY: tuple[tuple[Callable[[str], object], str], ...] = (
    (wording.TASK.match, "a list of tasks"),
    (_is_dated, "a list of dates"),
    (_SCORED.search, _OF_SCORES),
)
"""What more than half of the items of a list are when it holds no facts."""


def not_for_cards(page: Page, index: int, block: Items) -> str | None:
    """Why a list holds no facts, by its heading, the line above it or what most of its items are; None if it may."""
    texts = [item.text for item in block.items]
    if sum(map(is_link, texts)) * 2 >= len(texts):
        return "a list of links"
    heading = title(page.path(index)[-1]) if page.path(index) else ""
    if wording.ANSWER_KEY.match(heading):
        return "a key of answers"
    if wording.CONTENTS.search(heading) or wording.ROADMAP.search(heading):
        return "an outline of contents"
    above = page.blocks[index - 1] if index else None
    asked = f"{heading} {above.text}" if isinstance(above, Prose) else heading
    if page.chat and talk.MENU.search(plain(asked)):
        return "a menu of what to do next, not a question"
    if page.chat and isinstance(above, Prose) and wording.PLAN.search(plain(above.text)):
        return "an outline of contents"
    for named, reason in _NAMED:
        if named.search(plain(heading)):
            return reason
    return _of_no_facts(texts)


def _of_no_facts(texts: Sequence[str]) -> str | None:
    for is_one, reason in _MOSTLY:
        if 2 * sum(bool(is_one(text)) for text in texts) > len(texts):
            return reason
    if all(wording.QUESTION.search(text.strip()) for text in texts):
        return "questions that are not answered here"
    return None
