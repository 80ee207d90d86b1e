"""What a pupil says to several questions at once, one by one: `1b 2a 3 true`."""

from __future__ import annotations

import re

from deckgen.extract.quizzes.hedges import unhedged
from deckgen.extract.quizzes.question_numbers import EACH
from deckgen.text.pattern import pattern

_PART = pattern(
    r"(?:(?<=^)|(?<=[\s,，;；])|(?=[（(]\d{1,2}[)）]))[（(]?(?:(?P<part>\d{1,2})[-–.](?=\d))?(?P<number>\d{1,2})\s*[:：.、)）]?\s*(?=\S)"
)
SEVERAL = 2


_LETTERED = pattern(r"(?:^|(?<=[\s,，;；]))[（(]?(?P<letter>[a-h])\s?[)）.:：]\s*(?=\S)")


def by_numbers(said: str) -> str:
    """`(a) load, (b) strict` as `1. load, 2. strict`, where a pupil answers by letters that count from the first on."""
    letters = "".join(match["letter"] for match in _LETTERED.finditer(said))
    if not letters or not "abcdefgh".startswith(letters):
        return said
    return _LETTERED.sub(lambda match: f"{1 + ord(match['letter']) - ord('a')}. ", said)


def parts_of_pupil(said: str, count: int) -> list[str]:
    """The pupil's answers in order, numbered or not, without doubts; empty if there are not `count` of them."""
    return [unhedged(part) for part in _parts(_uncircled(said.strip()), count)]


def part_of_pupil(said: str, number: int) -> str:
    """What a pupil says under one number of several: `true` of `1b 2a 3 true`; empty if it counts no such thing."""
    text = _uncircled(said.strip())
    in_order: list[re.Match[str]] = []
    first = 1
    for match in _PART.finditer(text):
        first = first if in_order or match.start() else _counted(match)
        in_order += [match] if _counted(match) == first + len(in_order) else []
    at = number - first
    if len(in_order) < SEVERAL or not 0 <= at < len(in_order):
        return ""
    stop = in_order[at + 1].start() if at + 1 < len(in_order) else len(text)
    return unhedged(text[in_order[at].end() : stop].strip(" ,，;；\n"))


def _uncircled(said: str) -> str:
    """`①C ②√` as `1. C 2. √`."""
    return said if said.isascii() else _CIRCLED.sub(lambda match: f" {ord(match[0]) - ord('①') + 1}. ", said).strip()


_CIRCLED = pattern("[①-⑳]")


def _counted(match: re.Match[str]) -> int:
    return int(match["number"]) + EACH * int(match["part"] or 0)


def _parts(text: str, count: int) -> list[str]:
    numbered = list(_PART.finditer(text))
    first = _counted(numbered[0]) if numbered and numbered[0]["part"] else 1
    in_order = [match for at, match in enumerate(numbered) if _counted(match) == at + first]
    if len(in_order) == count and count > 0:
        stops = [match.start() for match in in_order[1:]] + [len(text)]
        return [text[m.end() : stop].strip(" ,，;；\n") for m, stop in zip(in_order, stops, strict=True)]
    for split in (r"\n+", r"[,，;；、]\s*", r"\s+"):
        parts = [part.strip() for part in re.split(split, text) if part.strip()]
        if len(parts) == count:
            return parts
    return []
