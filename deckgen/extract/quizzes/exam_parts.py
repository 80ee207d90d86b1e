"""The parts of a test: `二、判断题`, `Part B. True or false`, `**Week 1**`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import text_of
from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_lines import answers_on
from deckgen.extract.text import plain, without_number
from deckgen.model.document import Heading, Prose
from deckgen.text.pattern import pattern

_NAMING = (Heading, Prose)
"""Blocks that may name a part of a test."""
_ORDINAL = pattern(
    r"^\W*(?:第\s*(?P<nth>[一二三四五六七八九十]|\d{1,2})\s*(?P<zh_unit>部分|大题|章|节|周|天|课|讲|单元)"
    r"|[（(]?(?P<zh>[一二三四五六七八九十])\s*[、.．:：)）]"
    r"|(?P<en_unit>part|section|chapter|week|day|lesson|lecture|unit|module)\s+(?P<en>[A-H]|\d{1,2}|[IVX]{1,4})\b|(?=\S))"
    r"\s*[.:：—–-]*\s*(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_UNITS = {"章": "chapter", "节": "section", "周": "week", "天": "day", "课": "lesson", "讲": "lecture", "单元": "unit"}
_PLAIN_UNITS = frozenset({"部分", "大题", "part", "section"})
"""`一、`, `第一部分` and `Part 1` may all name the same part."""
_DIGITS = {digit: str(n) for n, digit in enumerate("一二三四五六七八九十", 1)}
_BEGINS_COUNTING = pattern(r"\W*(?:Q|第)?\s*\d", re.IGNORECASE)
_KINDS = {
    "choice": pattern(r"单选|多选|选择|multiple[- ]choice|\bmcqs?\b|single[- ]choice", re.IGNORECASE),
    "judge": pattern(r"判断|是非|对错|正误|true\s*(?:or|/|and)\s*false|\bt\s*/\s*f\b", re.IGNORECASE),
    "fill": pattern(r"填空|补全|fill[- ](?:in|the)|\bblanks?\b|\bgaps?\b|cloze|complete the", re.IGNORECASE),
    "open": pattern(r"简答|问答|论述|名词解释|思考题|计算题|开放题?|short[- ]answers?|open[- ](?:ended )?questions?|essay", re.IGNORECASE),
}  # fmt: skip
_EXERCISES = pattern(r"[\u3400-\u9fff]{1,6}题\W*(?:[（(]|$)|(?:coding|programming|practical)\b", re.IGNORECASE)
"""Behind the ordinal of a part: `程序题（共 10 分）`."""
_LONGEST_LABEL = 60
"""Characters of a line that names a part and gives no answer."""
_IN_BRACKETS = pattern(r"[（(][^()（）]*[)）]")


class Part(NamedTuple):
    """A part of a test: `二、判断题`, `Part B. True or false`; empty strings for what it does not say."""

    ordinal: str = ""
    kind: str = ""

    def fits(self, other: Part) -> bool:
        """False if two names tell different parts."""
        if self.ordinal and other.ordinal:
            return self.ordinal == other.ordinal
        return not (self.kind and other.kind) or self.kind == other.kind

    def is_named_by(self, other: Part) -> bool:
        """True if a name tells this part and no other."""
        return self.fits(other) and bool(
            (self.ordinal and other.ordinal) or (self.kind and other.kind) or self == other == Part()
        )


@lru_cache(maxsize=1024)
def part_named(line: str) -> Part | None:
    """The part that a heading or a short line names; None if it names none."""
    part, rest = _part_and_rest(line)
    says = part is not None and (part.kind or not rest or " " in part.ordinal or _EXERCISES.match(rest))
    named = says and len(line) <= _LONGEST_LABEL
    return part if named and not list(answers_on(rest)) else None


def _part_and_rest(line: str) -> tuple[Part | None, str]:
    words = plain(line)
    match = _ORDINAL.match(words)
    if not match:
        return None, words
    ordinal = _ordinal(match)
    rest = match["rest"]
    kind = next((name for name, told in _KINDS.items() if told.search(rest[:_LONGEST_LABEL])), "")
    return (Part(ordinal, kind), rest) if ordinal or kind else (None, words)


def _ordinal(match: re.Match[str]) -> str:
    """`1` of `一、`, `第一部分` and `Part 1`; `week 1` and `chapter 1`, which are parts of another sort."""
    told = (match["nth"] or match["zh"] or match["en"] or "").upper()
    unit = match["zh_unit"] or (match["en_unit"] or "").lower()
    number = _DIGITS.get(told, told)
    return number if not unit or unit in _PLAIN_UNITS else f"{_UNITS.get(unit, unit)} {number}"


def answers_of_part(line: str) -> tuple[Part | None, list[tuple[int, str]]]:
    """(the part that a line names, or None; the answers on it): `一、1. A 2. B`, `**Week 1**: 1-A`, `3. C`."""
    named, rest = _part_and_rest(line)
    if named is not None and named.ordinal and _BEGINS_COUNTING.match(rest):
        told = list(answers_on(rest))
        if told:
            return named, told
    answers = list(answers_on(line))
    if answers or named is None:
        return None, answers
    below = list(answers_on(rest))
    return (named, below) if below or len(line) <= _LONGEST_LABEL else (None, [])


def is_named_above(page: Page, index: int, kind: str) -> bool:
    """True if the heading or lone line right above a block names this kind of exercise: `第三题｜判断（20分）`."""
    above = page.blocks[index - 1] if index else None
    if not isinstance(above, _NAMING) or len(above.text) > _LONGEST_LABEL or "\n" in above.text.strip():
        return False
    text = above.text.strip()
    only = wording.ONLY_JUDGE.fullmatch(plain(without_number(text))) is not None
    part = part_named(without_number(text) if only else text) if _KINDS[kind].search(plain(text)) else None
    asks = text.endswith(("?", "？", "。")) and not only
    return part is not None and part.kind == kind and not asks


def is_put_to_judge(page: Page, index: int) -> bool:
    """True below a heading or lone line that says nothing but `二、判断题（每题 2 分）` or `True or False?`."""
    if not is_named_above(page, index, "judge"):
        return False
    _, rest = _part_and_rest(text_of(page.blocks[index - 1]))
    return wording.ONLY_JUDGE.fullmatch(_IN_BRACKETS.sub("", rest)) is not None


def parts_of(page: Page, blocks: Sequence[int] | range) -> list[tuple[int, Part]]:
    """(index, part) of the headings and lone lines among the blocks that begin a part of a test."""
    found: list[tuple[int, Part]] = []
    for index in blocks:
        block = page.blocks[index]
        if isinstance(block, Heading | Prose) and "\n" not in block.text.strip():
            part = part_named(block.text.strip())
            found += [(index, part)] if part is not None else []
    return found
