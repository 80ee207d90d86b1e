"""Exercises with their solutions right below: `Exercise 5.1: ...`, `Solution: ...`, in paragraphs or in one quote."""

from __future__ import annotations

import re

from deckgen.extract import wording
from deckgen.extract.asked.asking import Made, asked_note
from deckgen.extract.page import Page
from deckgen.extract.text import plain, width
from deckgen.model.document import Block, Details, Prose, Quote
from deckgen.text.pattern import pattern

_EXERCISE = pattern(
    r"^\W*(?:exercise|problem|练习题?|习题|例题|思考题?)\s*(?:\d+(?:\.\d+)*)?\s*(?:\*\*)?\s*[:：.】]\s*(?:\*\*)?\s*(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SOLUTION = pattern(
    r"^\W*(?:solution|answer|参考答案|解答|答案|[解答])\s*(?:\d+(?:\.\d+)*)?\s*(?:\*\*)?\s*[:：.】]\s*(?:\*\*)?\s*(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SHORTEST = 8
"""Columns of an exercise."""
_LONGEST = 12
"""Lines of one."""


def solved(page: Page, index: int, block: Prose | Quote) -> Made:
    """The note of an exercise whose solution is labelled as one, or hidden."""
    match = _EXERCISE.match(block.text.strip())
    if match is None:
        return
    lines = match["text"].split("\n")
    at = next((at for at, line in enumerate(lines) if at and _SOLUTION.match(line)), None)
    asked = "\n".join(lines[:at]).strip(" *\n")
    if width(plain(asked)) < _SHORTEST or asked.count("\n") > _LONGEST:
        return
    if at is not None:
        yield asked_note(page, index, asked, _told("\n".join(lines[at:])), block.span), [index]
        return
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) and page.free(index + 1) else None
    answer = _hidden(below) if isinstance(below, Details) else _told(below.text) if isinstance(below, Prose) else ""
    if answer and below is not None:
        yield asked_note(page, index, asked, answer, block.span | below.span), [index, index + 1]


def _told(text: str) -> str:
    """What stands behind the label of a solution; empty without one."""
    match = _SOLUTION.match(text.strip())
    return match["text"].strip() if match else ""


def _hidden(block: Block) -> str:
    lid = isinstance(block, Details) and wording.REVEAL.match(plain(block.summary))
    return block.text.strip("\n") if lid and isinstance(block, Details) else ""
