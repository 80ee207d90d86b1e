"""The number that a line bears to say which question it is, or which one it is about: `2.`, `**Q2:**`, `第 2 题`."""

from __future__ import annotations

import re
from typing import NamedTuple

from deckgen.pattern import pattern

_CHINESE = {word: at for at, word in enumerate("一二三四五六七八九十", 1)}
_ENCLOSED = {chr(first + n): n + 1 for first, many in ((0x2460, 20), (0x2776, 10)) for n in range(many)}
"""① and ❶."""
EACH = 100
"""What a chapter counts for: `2-1` is 201, which no other question of a page bears."""
_BEARS = pattern(
    r"""[^\w\n①-⑳❶-❿]*(?:
        第\s*(?P<zh>\d{1,3}|[一二三四五六七八九十])\s*(?:小|道|个)?(?:题目?|问|空|道)(?![目与])(?!\s*[和与及、,，&])
      | (?:q|question|quiz|problem|exercise|问题|题目?)\s*\#?\s*(?:(?P<part>\d{1,2})[-–－])?(?P<named>\d{1,3})(?![\w.]*\d|[A-Za-z_])\s*题?
        (?!\s*(?:[和与及、,，&/]|and\b|or\b))
      | (?P<enclosed>[①-⑳❶-❿])
      | 第?\s*(?:(?P<chapter>\d{1,2})[-–－])?(?P<bare>\d{1,3})(?:\ufe0f?\u20e3|\s*(?:题(?![目与])(?!\s*[和及、,，&])|\\?[.．、:：)）\]】](?![\d=])|(?=\*\*|$|\n)))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
"""What only counts needs a mark behind it, and what is named does not: `2 things` bears no number, `Question 2 is wrong` does."""
_BETWEEN = pattern(r"(?:\*\*|\s*\\?[.．、:：)）\]】])*\s*(?:[-–—]+\s+)?")


class Borne(NamedTuple):
    """The number, and what stands behind it and its mark."""

    number: int
    rest: str


def number_borne(line: str) -> Borne | None:
    """What a line begins with to say which question it is about; None if it bears no number."""
    match = _BEARS.match(line)
    if match is None:
        return None
    told = match["zh"] or match["named"] or match["enclosed"] or match["bare"]
    number = int(told) if told.isascii() else (_CHINESE | _ENCLOSED)[told]
    number += EACH * int(match["part"] or match["chapter"] or 0)
    between = _BETWEEN.match(line, match.end())
    return Borne(number, line[between.end() if between else match.end() :])
