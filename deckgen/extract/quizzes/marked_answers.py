"""Tests that somebody has marked: `学生作答：B ✗`, and below it or behind it what is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import Line
from deckgen.extract.page import Page
from deckgen.extract.quizzes.question_numbers import number_borne
from deckgen.model.document import Prose, Quote
from deckgen.text.pattern import pattern

_LABEL = (
    r"(?:your|my|(?:the )?student(?:'s|’s)?|candidate(?:'s|’s)?)\s+(?:answer|choice|response)|you (?:chose|selected|answered)"
    r"|(?:你|我|学生|考生|同学|本人)的?(?:作答|回答|答案|选择|所选|答)|作答|已选"
)
_GIVEN = pattern(
    rf"^\W*(?:{_LABEL})\s*(?:is|was|是|为)?\s*[:：]?[\s*`]*(?P<given>\S.*?)[*`]*(?=\s*[✓✔✅√☑✗✘❌❎×（(]|\s\s|\u3000|\t|\s[—–-]\s|$)(?P<rest>.*)$",
    re.IGNORECASE,
)
_MAY_BE = pattern(r"answer|choice|response|chose|selected|作答|回答|答案|选择|所选|[生学你我]的?答|已选", re.IGNORECASE)
_MARK = pattern(
    r"^[\s（(]*(?:(?P<right>[✓✔✅√☑]|correct\b|right\b|正确|答对|对(?=\W|$))|(?P<wrong>[✗✘❌❎×]|incorrect\b|wrong\b|错误?|不正确|答错|0\s*分))\ufe0f?[）)]?[\s,，.。;；:：—–-]*",
    re.IGNORECASE,
)
_REMARKS = pattern(
    r"^\W*(?:(?:老师|教师|阅卷人?|助教)?(?:批注|批改|批语|点评|评语|订正|更正|纠正|改正)|老师|正确|参考|标准|解析|应(?:为|选|填)"
    r"|teacher|marker|comment|correct(?:ion|ed)?|feedback|should|explanation|the (?:right|correct)|right)",
    re.IGNORECASE,
)
_ONLY_MARK = pattern(r"\W*(?:(?:in)?correct|right|wrong|(?:回答|答)?(?:正确|错误|对了?|错了?))?\W*", re.IGNORECASE)
_WHOSE = pattern(
    r"^\W*(?:(?:老师|教师|阅卷人?|助教)?(?:批注|批语|点评|评语)|(?:teacher|marker|tutor|instructor)(?:'s|’s)?(?: (?:comment|note|remark))?|comment|feedback)\s*[:：]\s*",
    re.IGNORECASE,
)
_FAR = 3
"""Lines and blocks below a question in which its answer is looked for, and below that the remarks."""


class Marked(NamedTuple):
    """What was answered, whether that was right, and what else is said of it."""

    given: str
    right: bool
    told: str
    line: Line
    last: int
    """Index of the last block that says something of it."""


def is_given(text: str) -> bool:
    """True for a line that says what somebody answered."""
    return _MAY_BE.search(text) is not None and _GIVEN.match(text) is not None


def marked_below(page: Page, place: tuple[int, int]) -> Marked | None:
    """The marked answer right below a line; None if none stands there, or it has no mark."""
    for line in _near(page, place):
        match = _GIVEN.match(line.text) if _MAY_BE.search(line.text) else None
        if match:
            return _judged(page, line, match)
        if line.block > place[0] or number_borne(line.text):
            return None
    return None


def _near(page: Page, place: tuple[int, int]) -> Iterator[Line]:
    """The lines below one in its block, and the first of the block below."""
    block, at = place
    yield from page.lines(block)[at + 1 : at + 1 + _FAR]
    if block + 1 < len(page.blocks) and isinstance(page.blocks[block + 1], Prose | Quote):
        yield from page.lines(block + 1)[:1]


def _judged(page: Page, line: Line, match: re.Match[str]) -> Marked | None:
    rest = match["rest"]
    mark = _MARK.match(rest)
    below = [*_remarks(page, line)]
    if mark is None and below:
        rest, below = below[0].text, below[1:]
        mark = _MARK.match(rest)
    if mark is None:
        return None
    said = [rest[mark.end() :].strip(), *(_WHOSE.sub("", other.text.strip()) for other in below)]
    told = "\n".join(text for text in said if not _ONLY_MARK.fullmatch(text))
    last = below[-1].block if below else line.block
    return Marked(match["given"].strip(" 。."), bool(mark["right"]), told.strip(), line, last)


def _remarks(page: Page, line: Line) -> Iterator[Line]:
    """What else is said of an answer: further lines of its paragraph, and paragraphs that begin like a remark."""
    for other in page.lines(line.block)[line.at + 1 : line.at + 1 + _FAR]:
        if number_borne(other.text) or wording.QUESTION.search(other.text.strip()):
            return
        yield other
    for index in range(line.block + 1, min(line.block + _FAR, len(page.blocks))):
        block = page.blocks[index]
        if not isinstance(block, Prose | Quote) or not _REMARKS.match(block.text):
            return
        yield from page.lines(index)
