"""A question and its answer on one line: `Q: What is a hook? A: a function ...`, `Q. Why ...? Because ...`."""

from __future__ import annotations

import re

from deckgen.extract.text import has_words, plain, width
from deckgen.text.pattern import pattern

_LABELLED = pattern(
    r"^(?P<asked>.{4,}?[?？。.!！])[\s*_]*(?<![A-Za-z])(?:A|Ans|Answer|答|答案|回答)\s*(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*(?P<told>\S.*)$",
    re.IGNORECASE,
)
_IN_BRACKETS = pattern(
    r"^(?P<asked>.{4,}?[?？])\s*[（(]\s*(?:A|Ans|Answer|答|答案)\s*[:：]\s*(?P<told>\S.*?)\s*[)）]\W*$", re.IGNORECASE
)
_ASKED_AND_SAID = pattern(r"^(?P<asked>[^?？]{4,}[?？])[\s*_]*(?P<told>[^?？]*\w[^?？]*)$")
_ASIDE = pattern(
    r"^\W*(?:[（(\[【]|(?:explain|justify|why|give|show|hint|see|name|describe|discuss|assume|note|e\.g|请|说明|解释|举例|提示|假设|注|参见|见|写出|并)\b|"
    r"[请说解举提假注参并为])",
    re.IGNORECASE,
)
"""What stands behind a question and asks more, or tells where to look."""
_FEWEST = 4
"""Columns of an answer."""


def labelled_at_once(text: str) -> tuple[str, str] | None:
    """(question, answer) of a line on which a label stands between them; None without one."""
    if ":" not in text and "：" not in text:
        return None
    match = _IN_BRACKETS.match(text) or _LABELLED.match(text)
    return (match["asked"].strip(" *"), match["told"].strip(" *")) if match and has_words(match["told"]) else None


def told_at_once(text: str) -> tuple[str, str] | None:
    """(question, answer) of a line that asks and goes on with what can only be the answer; None if it does not."""
    match = _ASKED_AND_SAID.match(text)
    if match is None or _ASIDE.match(match["told"]) or width(plain(match["told"])) < _FEWEST:
        return None
    return match["asked"].strip(" *"), match["told"].strip(" *")
