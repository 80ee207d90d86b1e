"""Gaps in a text: where they are, and the text with them filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deckgen.extract.text import plain, unescaped
from deckgen.model.note import Cloze, Hole
from deckgen.text.pattern import pattern

GAP = pattern(
    r"[\w.]*(?:\\?_){2,}(?:\s*(?:\\?_)+)*|＿{2,}|[\w.]+_\s(?:\\?_)+|[（(](?:\s{2,}|\u3000)[）)]|[\[【](?:MASK|BLANK)[\]】]"
)
"""`____`, `add_ __`, `（　）`, `[MASK]`."""
_FORM = pattern(r"(?:[^\W\d_]{1,14}(?: [^\W\d_]{1,14})?\.?\s*[:：]\s*(?:\\?_|＿)+[\s,，;；|]*)+")
"""What whoever takes a test writes on top: `Name: ____  Date: ____`."""
_DUNDER = pattern(r"__\w*[^\W_]\w*__")
_UNDERSCORES = pattern(r"(?:\\?_){2,}")
_OF_A_NAME = pattern(r"[A-Za-z0-9_\\]")
MAY_BE_GAP = pattern(r"__|_ _|\\_\\_|_ \\_|＿|（\s\s|\(\s\s|（\u3000|\(\u3000|\[MASK|【MASK|\[BLANK|【BLANK")
"""Cheap to look for, since most lines have nothing of it: all of it begins with a character of few lines."""


def gap_in(text: str) -> re.Match[str] | None:
    """The first blank; `__init__` is a name, and so is `add_`."""
    if not MAY_BE_GAP.search(text) or _FORM.fullmatch(text.replace("*", "") if "*" in text else text):
        return None
    for match in GAP.finditer(text):
        if not _is_named(text, match):
            return match
    return None


def _is_named(text: str, gap: re.Match[str]) -> bool:
    """True if all blanks of a gap are the ends of names such as `__init__`, between which no space need stand."""
    blanks = list(_UNDERSCORES.finditer(text, gap.start(), gap.end()))
    return bool(blanks) and all(_DUNDER.fullmatch(unescaped(_word_at(text, one.start()))) for one in blanks)


def _word_at(text: str, at: int) -> str:
    """The letters, digits and underscores around a place; Chinese characters are none of a name's."""
    start = stop = at
    while start > 0 and _OF_A_NAME.match(text[start - 1]):
        start -= 1
    while stop < len(text) and _OF_A_NAME.match(text[stop]):
        stop += 1
    return text[start:stop]


def filled(text: str, key: str, *, code: bool = False) -> Cloze | None:
    """The text with its blanks filled in, a hole over each; None if the key does not fit the blanks."""
    places = _places(text)
    values = _values(key, len(places))
    if not places or len(values) != len(places):
        return None
    made, holes, done = "", [], 0
    for number, (place, value) in enumerate(zip(places, values, strict=True), 1):
        before, hidden = _fitting(text, place._replace(in_code=place.in_code or code), value)
        made += text[done : place.start] + before
        holes.append(Hole(number, len(made), len(made) + len(hidden)))
        made += hidden
        done = place.stop
    return Cloze(text=made + text[done:], holes=tuple(holes))


def blanks_in(text: str) -> int:
    """How many blanks a text has."""
    return len(_places(text))


def _values(key: str, wanted: int) -> list[str]:
    """What a key says of each blank: whole phrases between commas where there are as many as blanks, else words."""
    if wanted == 1:
        return [key]
    return phrases_of(key, wanted) or [part for part in re.split(r"\s*[、,，;；/]\s*|\s+", key) if part]


def phrases_of(key: str, wanted: int) -> list[str]:
    """The phrases between the commas of a key, whatever stands in brackets being one; none if they are not as many."""
    if lettered := lettered_phrases(key, wanted):
        return lettered
    for separators in (";；", ";；,，、"):
        parts = re.findall(rf"(?:`[^`]*`|\([^()]*\)|[^`({separators}]|[`(])+", key)
        phrases = [part.strip() for part in parts if part.strip()]
        if len(phrases) == wanted:
            return phrases
    return []


def lettered_phrases(key: str, wanted: int) -> list[str]:
    """The phrases of a key that stand behind `(a)`, `(b)` or the like; none if they are not as many as wanted."""
    marks = list(_PART_OF_KEY.finditer(key)) if wanted > 1 else []
    if not marks or len(marks) != wanted or key[: marks[0].start()].strip() or not _in_order(marks):
        return []
    stops = [mark.start() for mark in marks[1:]] + [len(key)]
    return [key[mark.end() : stop].strip(" ,，;；、.。") for mark, stop in zip(marks, stops, strict=True)]


_PART_OF_KEY = pattern(
    r"(?:^|(?<=[\s,，;；、]))(?:[（(](?P<small>[a-h])[)）]|(?P<circled>[①-⑧])|(?P<bare>[a-h])[)）.:：](?=\s))\s*(?=\S)"
)
"""`(a) momentum (b) weight_decay`: what stands before each phrase of a key."""


def _in_order(marks: Sequence[re.Match[str]]) -> bool:
    """Marks that count from the first letter or sign on."""
    told = "".join(mark["small"] or mark["bare"] or chr(ord(mark["circled"]) - ord("①") + ord("a")) for mark in marks)
    return "abcdefgh".startswith(told)


class _Place(NamedTuple):
    """A blank with the part of a name in front of it."""

    start: int
    stop: int
    given: str
    """`add_` of `` `add_ ____` ``."""
    in_code: bool


def _places(text: str) -> list[_Place]:
    found: list[_Place] = []
    for match in GAP.finditer(text):
        if _is_named(text, match):
            continue
        in_code = text[: match.start()].count("`") % 2 == 1
        given = re.match(r"[\w.]*?(?=_|\\_|＿|$)", match[0])
        found.append(_Place(match.start(), match.end(), given[0] if given else "", in_code))
    return found


def _fitting(text: str, place: _Place, value: str) -> tuple[str, str]:
    """(what stays visible, what is hidden): of `add_scalar` the blank `add_ ____` hides `scalar`."""
    bare = _bare(value)
    if not place.in_code:
        return place.given, _as_code(value) if not place.given else bare.removeprefix(place.given)
    if place.given and bare.startswith(place.given):
        shown = place.given + "_" * (len(bare) - len(place.given) - len(bare[len(place.given) :].lstrip("_")))
        return (shown, bare[len(shown) :]) if len(shown) < len(bare) else ("", bare)
    return place.given, bare


def _as_code(value: str) -> str:
    bare = _bare(value)
    return f"`{bare}`" if _CALLED.fullmatch(bare) and "`" not in value else value


def _bare(value: str) -> str:
    """The plain words of a key; what is but a name keeps its underscores: `super().__init__()`."""
    return value.strip() if _CALLED.fullmatch(value.strip()) else plain(value).strip()


_CALLED = pattern(r"[A-Za-z_][\w.]*(?:\(.*\))?")
