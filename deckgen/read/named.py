"""Two people by their names, who speak in turn, each on a line with his name: `**小明**：...`, `[12/03/24, 20:14] Anna: ...`"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from deckgen.document import Speaker
from deckgen.pattern import pattern

_NAME = r"[^\W\d_](?:[\w.·-]| (?=[^\W\d_])){0,15}"
_WHEN = r"\d{1,4}[/.年-]\d{1,2}[/.月-]\d{1,4}日?,?\s+(?:[上下]午\s*)?\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AP]M)?"
_BOLD = pattern(rf"\*\*(?P<name>{_NAME})(?:\*\*\s*[:：]|[:：]\s*\*\*)\s*(?P<rest>.*)")
_TIMED = pattern(rf"(?:\[{_WHEN}\]|{_WHEN}\s+-)\s+(?P<name>{_NAME}):\s+(?P<rest>\S.*)", re.IGNORECASE)
_MAY_BE = pattern(rf"^(?:\*\*{_NAME}(?:\*\*\s*[:：]|[:：]\s*\*\*)|\[?\d{{1,4}}[/.年-]\d)", re.MULTILINE)
"""Cheap to look for, since most sources have nothing of it."""
MAY_BE_SPOKEN = pattern(rf"\n(?:\[{_WHEN}\]|{_WHEN}\s+-)", re.IGNORECASE)
"""Of a whole text, behind a line end: what stands before names that are no roles."""
_FEWEST = 4
_ASKS = pattern(r"[?？]\s*$|_{3,}|\btrue or false\b|判断[:：]|填空[:：]", re.IGNORECASE)


class Said(NamedTuple):
    """A message: its line, who speaks, and what is said on that line."""

    line: int
    speaker: Speaker
    name: str
    rest: str


def spoken(lines: Sequence[str], outside: Sequence[int], role: Callable[[str], Speaker | None]) -> list[Said]:
    """The messages of two people; none if the lines hold no such thing.

    `outside` are the lines that lie in no fence. Names in bold are labels of much else: one of them must be a `role`.
    """
    if not any(_MAY_BE.match(lines[number]) for number in outside):
        return []
    for dress in (_TIMED, _BOLD):
        found = [(number, match) for number in outside if (match := dress.match(lines[number]))]
        names = [match["name"] for _, match in found]
        changes = sum(before != after for before, after in pairwise(names))
        if len(found) < _FEWEST or len(set(names)) != 2 or changes < len(found) // 2:
            continue
        roles = {name: role(name) for name in set(names)}
        if any(roles.values()):
            return [Said(n, _of(match["name"], roles), match["name"], match["rest"].strip()) for n, match in found]
        if dress is _TIMED:
            return list(_by_questions(found))
    return []


def _of(name: str, roles: dict[str, Speaker | None]) -> Speaker:
    """The role of a name; who has none is what the other one is not."""
    other = next((told for one, told in roles.items() if one != name), None)
    return roles[name] or ("tutor" if other == "pupil" else "pupil")


def _by_questions(found: Sequence[tuple[int, re.Match[str]]]) -> Iterator[Said]:
    """Who asks is the tutor until the other one asks; what is said to a question is its answer, even if it asks back."""
    tutor, waiting = found[0][1]["name"], False
    for number, match in found:
        name, rest = match["name"], match["rest"].strip()
        if waiting and name != tutor:
            waiting = False
        elif _ASKS.search(rest):
            tutor, waiting = name, True
        yield Said(number, "tutor" if name == tutor else "pupil", name, rest)
