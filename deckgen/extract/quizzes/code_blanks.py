"""Blanks in code: `scaler.____(loss).backward()` below a line that asks for them."""

from __future__ import annotations

from dataclasses import replace

from deckgen.extract.blocks import text_of
from deckgen.extract.page import Page
from deckgen.extract.prompts import prompt
from deckgen.extract.quizzes.gaps import filled, gap_in
from deckgen.extract.quizzes.stems import cleaned
from deckgen.extract.text import plain
from deckgen.model.document import Code, Heading, Prose
from deckgen.model.note import Cloze
from deckgen.text.pattern import any_of

_ASKS = any_of(
    r"补全|补充完整|填空|填写|填上|空(?:处|格)|(?:个|道|几)空",
    r"\b(?:complete|fill|blanks?|gaps?|missing|what (?:goes|belongs))\b",
)
_MOST = 12
"""Lines of code that fit on a card."""


def asks_for_blanks(page: Page, index: int) -> str:
    """The line right above a fence with blanks that asks for them; empty if nothing does."""
    code, above = page.blocks[index], page.blocks[index - 1] if index else None
    if not isinstance(code, Code) or not isinstance(above, Prose | Heading) or "__" not in code.text:
        return ""
    asked = text_of(above).strip().rpartition("\n\n")[2]
    short = code.text.count("\n") < _MOST
    return asked if short and _ASKS.search(plain(asked)) and not gap_in(asked) and gap_in(code.text) else ""


def code_filled(code: str, key: str, asked: str, language: str) -> Cloze | None:
    """The code with its blanks filled in; None if the key does not fit them."""
    body = filled(code, key, code=True)
    if body is None:
        return None
    return replace(body, language="python", prompt=cleaned([asked]) or prompt(language, "fill"))
