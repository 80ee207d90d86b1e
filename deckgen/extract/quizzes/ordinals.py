"""Which of several questions a sentence is about: `第一题错了`, `The second one is correct`, `Q3 should be B`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from deckgen.extract.quizzes.hedges import unhedged
from deckgen.text.pattern import any_of, pattern

LAST = -1
"""The number of `最后一题` and `the last one`."""

_WORDS = {
    word: at
    for several in ("一二三四五六七八九十", "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
                    "one two three four five six seven eight nine ten".split())
    for at, word in enumerate(several, 1)
} | {"last": LAST, "final": LAST, "最后一": LAST, "最后": LAST}  # fmt: skip
_ORDINAL = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|[1-9]st|[1-9]nd|[1-9]rd|[1-9]th"
_COUNT = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten"
_JUDGED = r"(?=\s*(?:\*\*)?\s*(?:[:：,，(（✅✔❌✗=→—–-]|(?:is|was|isn't|wasn't|should|you|your|has|would|needs?|must|i|it)\b|\*\*))"
"""What stands behind the name of a question when something is said of it."""
_ABOUT = pattern(
    r"(?:^|(?<=[\s,，;；.。!！?？:：—(（]))(?:[*_\s>-]*)(?:(?:and|but|while|as for|for|但是?|而|然后|至于|不过|对于)\s*)?[*_]*(?:"
    r"第\s*(?P<zh>[一二三四五六七八九十]|\d{1,2})\s*(?:道|个|小)?(?:题目?|问题?|空|个|道)"
    r"|(?P<zh_last>最后一?)\s*(?:道|个|小)?(?:题目?|问题?)"
    rf"|(?:the|your|my)\s+(?P<nth>{_ORDINAL})(?:\s+(?:one|question|answer|quiz|problem|item|blank|gap))?{_JUDGED}"
    rf"|(?P<alone>{_ORDINAL})\s+(?:one|question|answer|quiz|problem)\b|(?P<bare>{_ORDINAL})\s*[:：]"
    rf"|(?:q|(?:question|quiz|problem|exercise)\s*)\s*(?:#|no\.?)?\s*(?P<count>{_COUNT})\b{_JUDGED})[\s*_]*",
    re.IGNORECASE,
)
_MAY_NAME = any_of("第|最后", rf"{_ORDINAL}|q|problem|exercise")


def parts_by_ordinal(text: str) -> list[tuple[int | None, str]]:
    """(number, what is said of it) of the clauses of a line; None before the first; empty if it names no question."""
    marks = list(_ABOUT.finditer(text)) if _MAY_NAME.search(text) else []
    if not marks:
        return []
    stops = [*(mark.start() for mark in marks[1:]), len(text)]
    before: list[tuple[int | None, str]] = (
        [(None, text[: marks[0].start()])] if text[: marks[0].start()].strip() else []
    )
    return before + [(_number(mark), text[mark.end() : stop]) for mark, stop in zip(marks, stops, strict=True)]


def by_ordinals(lines: Iterable[tuple[int, str, int | None]]) -> Iterator[tuple[int, str, int | None]]:
    """(block, clause, number that it bears) of (block, line, number) triples; 0 below the paragraph of the last that is named."""
    named = -1
    for index, line, bears in lines:
        parts = parts_by_ordinal(line) if "\n" not in line else []
        yield from ((index, text, number) for number, text in parts)
        if not parts:
            yield index, line, bears if named in (-1, index) else 0
        named = index if parts else named


def with_digits(text: str, count: int) -> str:
    """The text with a number for every name of one of `count` questions: `1. A, 2. C` for `第一题 A, 第二题 C`."""
    return "\n".join(_with_digits(line, count) for line in text.split("\n"))


def _with_digits(line: str, count: int) -> str:
    parts = ((count if number == LAST else number, said) for number, said in parts_by_ordinal(line))
    return " ".join(said if number is None else f"{number}. {said}" for number, said in parts) or line


def option_by_place(words: str, count: int) -> int | None:
    """Which of `count` options, from 0, somebody means by `the third one` or `第二个`; None if the words say anything else."""
    match = _PLACE.fullmatch(unhedged(words))
    if match is None:
        return None
    told = _number(match)
    return count - 1 if told == LAST else told - 1 if told <= count else None


_PLACE = pattern(
    rf"\W*(?:the\s+)?(?P<nth>{_ORDINAL})(?:\s+(?:one|option|choice|answer))?\W*"
    r"|\W*第\s*(?P<zh>[一二三四五六七八九十]|\d)\s*(?:个|项|种)?(?:选项|答案)?\W*|\W*(?P<zh_last>最后一?)(?:个|项)(?:选项|答案)?\W*",
    re.IGNORECASE,
)


def _number(mark: re.Match[str]) -> int:
    told = next(word for word in mark.groups() if word).lower()
    digits = re.match(r"\d+", told)
    return int(digits[0]) if digits else _WORDS[told]
