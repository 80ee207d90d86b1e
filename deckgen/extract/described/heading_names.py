"""Headings: the names of APIs that they consist of, and whether they ask."""

from __future__ import annotations

import re
from functools import lru_cache

from deckgen.extract import wording
from deckgen.extract.apis.names import api_names
from deckgen.extract.asked.asking_headings import aspect_of
from deckgen.extract.text import code_spans, plain, unescaped, width
from deckgen.text.pattern import pattern

_CALL_IN_HEADING = pattern(
    r"(?<![\w.`])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\([^()]*\)|(?<![\w.`])(?:torch|nn|F|optim|autograd)(?:\.\w+)+"
)
_OPERATOR = pattern(r"^(@|\*\*|//|[-+*/%])\s*(?:运算符|操作符|operator)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def heading_names(text: str) -> tuple[tuple[str, ...], str]:
    """(names as written, the other words) of a heading; no names if it is about something else."""
    spans = [span for span in code_spans(text) if api_names(f"`{span}`")]
    if spans:
        rest = plain(re.sub(r"(`+).+?\1", "", text)).strip(" ：:-—–()（）")
        return (tuple(unescaped(span) for span in spans), rest) if _is_subject(text, rest) else ((), rest)
    words = plain(text)
    operator = _OPERATOR.match(words)
    if operator:
        return (operator[1],), ""
    found = _CALL_IN_HEADING.findall(words)
    rest = _CALL_IN_HEADING.sub("", words).strip(" ：:-—–()（）,，、和与及/")
    return (tuple(found), rest) if found and width(rest) <= 40 and not wording.CHAPTER.search(rest) else ((), rest)


def _is_subject(text: str, rest: str) -> bool:
    """The name opens or ends the heading, or explains it in brackets: `使用 `x` 做 y` is about doing y."""
    words = text.strip(" *")
    return (words.startswith("`") or words.endswith(("`", "）", ")"))) and width(rest) <= 60


def asks(text: str) -> bool:
    """True for a question, a quiz, or an aspect of something."""
    words = plain(text)
    return bool(wording.QUESTION.search(words) or wording.QUIZ.search(words) or aspect_of(words))
