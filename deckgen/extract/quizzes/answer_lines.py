"""What stands under the numbers of a line of answers: `1-5 BCADC`, `6. ABD 7. ABC`, `8. ×（默认是 float32）`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from deckgen.extract.quizzes.question_numbers import all_counted
from deckgen.text.pattern import pattern

_SIGN = r"√×✓✗✔✘✅❌TF对错"
_RANGE = pattern(
    rf"(?:^|(?<=[\s,，;；。]))(?P<first>\d{{1,3}})\s*[-~～—–至到]+\s*(?P<last>\d{{1,3}})\s*题?\s*[.、:：)）]?\s*"
    rf"(?P<signs>(?:[A-Ha-h{_SIGN}]\ufe0f?[\s,，、/]*)+)(?![A-Za-z0-9_])"
)
_LETTERS = r"[A-Ha-h](?:\s*[,，、/&和]?\s*[A-H])*(?![A-Za-z0-9_'’])"
_ENTRY = pattern(
    rf"(?:^|(?<=[\s,，;；|、。.)）\]】]))[（(\[【]?(?:(?:Q|第|问题|题目?|question|quiz|problem|exercise)\s*)?(?P<number>\d{{1,3}})\s*题?\s*"
    rf"(?:(?:(?:'s|的)?\s*(?:答案|answers?|ans)\s*)?(?P<mark>[.、:：)）\]】=]+(?!\d))\s*(?:答案?\s*[:：]\s*)?|(?:[-–—]|→|⇒|[-=]>)\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}]))"
    rf"|\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}](?![A-Za-z\d]))))",
    re.IGNORECASE,
)
_SHORT = pattern(rf"\W*(?:{_LETTERS}|[{_SIGN}](?![A-Za-z\d]|(?-i:[\u3400-\u9fff]))|true\b|false\b)", re.IGNORECASE)
"""An answer of one letter or sign may stand behind any other; a longer one is told by counting on."""
_CIRCLED = pattern(rf"([①-⑳])\s*[.、:：]?\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}]))")
_SIGNS = pattern(rf"(?:[{_SIGN}]\ufe0f?)+")
_ONE_SIGN = pattern(rf"[{_SIGN}]\ufe0f?|true|false|正确|错误", re.IGNORECASE)
_LEADING = pattern(r"^\W{0,3}(?:答案?|参考答案|answer)\s*[:：]\s*", re.IGNORECASE)


def answers_on(line: str) -> Iterator[tuple[int, str]]:
    """(number, answer) of all that a line gives, in order."""
    text = all_counted(without_emoji_numbers(line))
    ranges = list(_RANGE.finditer(text))
    if ranges:
        for match in ranges:
            signs = [sign for sign in match["signs"] if sign not in " \t,，、/\ufe0f"]
            first, last = int(match["first"]), int(match["last"])
            yield from zip(range(first, last + 1), signs, strict=True) if last - first + 1 == len(signs) else ()
        text = text[ranges[-1].end() :]
    marks = list(_counting(text, _ENTRY.finditer(text)))
    for mark, following in zip_longest(marks, marks[1:]):
        answer = text[mark.end() : following.start() if following else len(text)]
        yield int(mark["number"]), _LEADING.sub("", answer.replace("**", "")).strip(" \t,，;；|·")


def without_emoji_numbers(line: str) -> str:
    """A line whose `1️⃣` is `1.`, and whose `①` is, if it begins with a letter or a sign behind that; other signs stay."""
    text = re.sub(r"(\d)\ufe0f?\u20e3", r"\1. ", line).strip().lstrip("*# ")
    circled = _CIRCLED.match(text)
    return _CIRCLED.sub(lambda match: f"{ord(match[1]) - ord('①') + 1}. ", text) if circled else text


def _counting(text: str, marks: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The numbers that answers stand behind: the first on the line, and others that go on counting."""
    last: int | None = None
    behind = 0
    around: list[int] = []
    for mark in marks:
        if last is not None:
            around = around or _brackets(text)
            if around[mark.start()] >= behind:
                continue
        number = int(mark["number"])
        leads = not text[: mark.start()].strip(" *（([-")
        short = _SHORT.match(text, mark.end()) is not None
        if (
            (last is None and (leads or (short and not mark["mark"])))
            or (last is not None and number == last + 1)
            or (last is not None and short and number > last and not mark["mark"])
        ):
            last, behind = number, mark.end()
            yield mark


def _brackets(text: str) -> list[int]:
    """Of each place the start of the brackets that it stands in; -1 outside. No answer begins inside `(4, 3)`."""
    opened: list[int] = []
    closed: dict[int, int] = {}
    for at, sign in enumerate(text):
        if sign in "([（":
            opened.append(at)
        elif sign in ")]）" and opened:
            closed[opened.pop()] = at
    around: list[int] = []
    inside: list[int] = []
    for at in range(len(text)):
        while inside and closed[inside[-1]] < at:
            inside.pop()
        around.append(inside[-1] if inside else -1)
        if at in closed:
            inside.append(at)
    return around


def signs_on(text: str) -> list[str]:
    """The verdicts of a key without numbers, in order: `F, T`, `× √ √`, `错对对`; none if anything else stands there."""
    parts = [part for part in re.split(r"[\s,，、;；/|]+", text.strip(" \t*。.")) if part]
    if len(parts) == 1 and _SIGNS.fullmatch(parts[0]):
        parts = re.findall(rf"[{_SIGN}]", parts[0])
    return parts if len(parts) > 1 and all(_ONE_SIGN.fullmatch(part) for part in parts) else []
