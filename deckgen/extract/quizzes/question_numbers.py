"""The number that a line bears to say which question it is, or which one it is about: `2.`, `**Q2:**`, `第 2 题`."""

from __future__ import annotations

import re
from typing import NamedTuple

from deckgen.text.pattern import pattern

_CHINESE = {word: at for at, word in enumerate("一二三四五六七八九十", 1)}
_ENCLOSED = {chr(first + n): n + 1 for first, many in ((0x2460, 20), (0x2776, 10)) for n in range(many)}
"""① and ❶."""
_BEFORE = pattern(r"[^\w\n]{0,40}")
"""Marks, spaces and pictographs."""
_FIRST = frozenset("0123456789qQeEpP第问题填判选单多简") | frozenset(_ENCLOSED)
"""What a number or its name begins with: cheap to look for, since few lines do."""
EACH = 100
"""What a chapter counts for: `2-1` is 201, which no other question of a page bears."""
_BEARS = pattern(
    r"""(?:
        第\s{0,4}(?P<zh>\d{1,3}|[一二三四五六七八九十])\s{0,4}(?:小|道|个)?(?:题目?|问|空|道)(?![目与])(?!\s{0,4}[和与及、,，&])
      | (?:q|question|quiz|problem|exercise|问题|题目?|(?:填空|判断|选择|单选|多选|简答)题?)[】)）\]]?\s{0,4}\#?\s{0,4}(?:(?P<part>\d{1,2})[-–－])?(?P<named>\d{1,3})(?![\w.]*\d|[A-Za-z_])\s{0,4}题?
        (?!\s{0,4}(?:[和与及、,，&/]|and\b|or\b))
      | (?P<enclosed>[①-⑳❶-❿])
      | 第?\s{0,4}(?:(?P<chapter>\d{1,2})(?:[-–－]|\.(?=\d(?:\*\*|\s*[:：)）]))))?(?P<bare>\d{1,3})(?:\ufe0f?\u20e3|\s{0,4}(?:题(?![目与])(?!\s{0,4}[和及、,，&])|\\?[.．、:：)）\]】](?![\d=])|(?=\*\*|$|\n|\s?[✅✔❌✗✘]|\s[-–—]{1,2}\s+[^\W\d])))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
"""What only counts needs a mark behind it, and what is named does not: `2 things` bears no number, `Question 2 is wrong` does."""
_BETWEEN = pattern(r"(?:\*\*|\s*\\?[.．、:：)）\]】])*\s*(?:[-–—]+\s+)?")


_PARTS = "ABCDEFGHI"
_LETTERED = pattern(rf"(?P<before>\W{{0,4}})(?P<part>[{_PARTS}])(?P<number>\d{{1,2}})(?=\s?(?:\*\*)?\s?[.)）、])")
"""`B2.`, where the parts of a test have letters."""
_GIVEN = pattern(rf"(?<![\w.])(?P<part>[{_PARTS}])(?P<number>\d{{1,2}})(?![\w%])(?P<mark>\s*[.:：)）、=→-])?")
_BEGINS_GIVEN = pattern(rf"\W{{0,4}}[{_PARTS}]\d{{1,2}}(?![\w%])")


def counted(line: str) -> str:
    """A line that begins with `B2.` as one that begins with `202.`, as chapters count."""
    match = _LETTERED.match(line)
    return f"{match['before']}{_number_in(match)}{line[match.end() :]}" if match else line


def all_counted(line: str) -> str:
    """A line of answers that begins like `A1 c, A2 a` as `101. c, 102. a`."""
    return (
        _GIVEN.sub(lambda match: f"{_number_in(match)}{match['mark'] or '.'}", line)
        if _BEGINS_GIVEN.match(line)
        else line
    )


def _number_in(match: re.Match[str]) -> int:
    return EACH * (1 + _PARTS.index(match["part"])) + int(match["number"])


def _is_lettered(line: str, at: int) -> bool:
    return line[at : at + 1] in _PARTS and line[at + 1 : at + 2].isdigit()


LETTER = 10_000
"""What letters count from, where exercises bear letters: `(a)` is 10001, which no number is."""
_BY_LETTER = pattern(r"\W{0,4}(?P<letter>[a-h])\s?[)）.:：](?:\*\*)?\s+(?=\S)")


class Borne(NamedTuple):
    """The number, and what stands behind it and its mark."""

    number: int
    rest: str


def number_borne(line: str) -> Borne | None:
    """What a line begins with to say which question it is about; None if it bears no number."""
    before = _BEFORE.match(line)
    start = before.end() if before else 0
    if _is_lettered(line, start):
        line = line[:start] + counted(line[start:])
    match = _BEARS.match(line, start) if line[start : start + 1] in _FIRST else None
    if match is None:
        return None
    told = match["zh"] or match["named"] or match["enclosed"] or match["bare"]
    number = int(told) if told.isascii() else (_CHINESE | _ENCLOSED)[told]
    number += EACH * int(match["part"] or match["chapter"] or 0)
    between = _BETWEEN.match(line, match.end())
    return Borne(number, line[between.end() if between else match.end() :])


def letter_borne(line: str) -> Borne | None:
    """The same of a line that begins with `(a)` or `b:`; None if it bears no letter."""
    match = _BY_LETTER.match(line)
    return Borne(LETTER + 1 + ord(match["letter"]) - ord("a"), line[match.end() :]) if match else None
