"""Verdicts on statements: how right and wrong are written, and the note of a statement that was put up for judgement."""

from __future__ import annotations

import re

from deckgen.extract.page import Page
from deckgen.extract.prompts import prompt
from deckgen.extract.quizzes.put_up import ASKED
from deckgen.extract.text import without_number
from deckgen.model.note import Basic, Note
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

VERDICT = r"(?P<word>true|false|对的?|错的?|正确|错误|不对|不正确|√|×|✓|✗|✅|❌)"
"""A word of judgement: for patterns."""
_GIVEN = pattern(
    r"^\W{0,3}?(?P<word>true|false|[tf](?![A-Za-z0-9_])|对的?|错误?的?|正确|不对|不正确|√|×|✓|✗|✔|✘|✅|❌)(?![A-Za-z0-9_一-鿿])"
    r"[\s*\ufe0f.,:;!—–\-→，。：；！]*(?P<why>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_RIGHT = frozenset({"t", "✔", "true", "对", "对的", "正确", "√", "✓", "✅"})
_TO_CHOOSE = pattern(
    r"\s{0,4}[（(]\s{0,4}(?:对|正确|√|T|True)\s{0,4}(?:[/／|、]|或|还是|or)\s{0,4}(?:错|错误|不正确|×|F|False)\s{0,4}[)）]\s{0,4}$|\s{0,4}[（(][\s\u3000_]{0,12}[)）]\s{0,4}[。.]?\s{0,4}$",
    re.IGNORECASE,
)
"""The verdicts to choose from, behind a statement: `（对 / 错）`, or the place for one."""


def is_right(word: str) -> bool:
    """True for `true`, `对`, `√` and their like."""
    return word.lower() in _RIGHT


def verdict_of(text: str) -> tuple[bool, str] | None:
    """(right, why) of an answer that begins with a verdict: `×（默认是 float32）`, `False. It ...`, `T`."""
    match = _GIVEN.match(text.strip())
    if match is None:
        return None
    why = match["why"].strip()
    return is_right(match["word"]), why.strip("（）()") if why[:1] in "（(" else why


def judged_note(
    page: Page,
    index: int,
    span: Span,
    statement: str,
    verdict: tuple[bool, str],
    *,
    headings: tuple[str, ...] | None = None,
    code: str = "",
) -> Note:
    """A statement put up for judgement, with the code that it is about, under the headings of a block or those given."""
    right, why = verdict
    language = page.document.language
    text = without_number(statement).strip(" *").removesuffix("**")
    told = ASKED.match(text)
    put = _TO_CHOOSE.sub("", told["text"] if told else text).strip()
    answer = prompt(language, "true" if right else "false")
    asked = "\n\n".join([f"{put} — {prompt(language, 'judge')}", *([code] if code else [])])
    body = Basic(prompt=asked, answer="\n\n".join([answer, *([why] if why else [])]))
    return page.note(body, span, index, text, headings=headings)
