"""Two people by their names, who speak in turn, each on a line with his name: `**小明**：...`, `[12/03/24, 20:14] Anna: ...`"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from deckgen.model.document import Speaker
from deckgen.text.pattern import pattern

_NAME = r"[^\W\d_](?:[\w.·-]| (?=[^\W\d_])){0,15}"
_WHEN = r"\d{1,4}[/.年-]\d{1,2}[/.月-]\d{1,4}日?,?\s+(?:[上下]午\s*)?\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AaPp][Mm])?"
_BOLD = pattern(rf"\*\*(?P<name>{_NAME})(?:\*\*\s*[:：]|[:：]\s*\*\*)\s*(?P<rest>.*)")
_TIMED = pattern(rf"(?:\[{_WHEN}\]|{_WHEN}\s+-)\s+(?P<name>{_NAME}):\s+(?P<rest>\S.*)")
_PLAIN_NAME = (
    r"(?=[^\W\d_][\w.·-]{1,15}[:：])(?!(?:questions?|answers?|ans|inputs?|outputs?|code|results?|before|after|pros|cons|front|back|term|note|interviewer|candidate|"
    r"问题?|答案?|回答|输入|输出|代码|结果|正面|反面|优点|缺点|面试官|候选人|追问)[ \t]*[:：])[^\W\d_][\w.·-]{1,15}"
)
_PLAIN = pattern(rf"(?P<name>{_PLAIN_NAME})[:：][ \t]*(?P<rest>\S.*)", re.IGNORECASE)
_MAY_BE = pattern(rf"^(?:\*\*{_NAME}(?:\*\*\s*[:：]|[:：]\s*\*\*)|\[?\d{{1,4}}[/.年-]\d)", re.MULTILINE)
"""Cheap to look for, since most sources have nothing of it."""
MAY_BE_SPOKEN = pattern(
    rf"\n(?:\[{_WHEN}\]|{_WHEN}\s+-|(?P<asks>{_PLAIN_NAME})[:：][^\n]{{4,}}[?？][ \t]*\n\s*(?!(?P=asks)[:：]){_PLAIN_NAME}[:：][ \t]*[^\s|])",
    re.IGNORECASE,
)
"""Of a whole text, behind a line end: what stands before names that are no roles; or one name asks, and another answers on the next line."""
_INTERVIEWS = pattern(r"面试官|考官|interviewer", re.IGNORECASE)
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
    dresses = (_TIMED, _BOLD) if any(_MAY_BE.match(lines[number]) for number in outside) else ()
    plain = (_PLAIN,) if MAY_BE_SPOKEN.search("\n" + "\n".join(lines)) else ()
    for dress in (*dresses, *plain):
        found = [(number, match) for number in outside if (match := dress.match(lines[number]))]
        names = [match["name"] for _, match in found]
        changes = sum(before != after for before, after in pairwise(names))
        if any(map(_INTERVIEWS.search, names)):
            return []  # who is asked gives the answers: they are questions of notes
        if len(found) < _FEWEST or len(set(names)) != 2 or changes < len(found) // 2:
            continue
        roles = {name: role(name) for name in set(names)}
        if any(roles.values()):
            return [Said(n, _of(match["name"], roles), match["name"], match["rest"].strip()) for n, match in found]
        if dress is _TIMED or (dress is _PLAIN and _is_a_talk(lines, found)):
            return list(_by_questions(found))
    return []


def _is_a_talk(lines: Sequence[str], found: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Most of a text is said by the two, and one of them asks several times."""
    filled = sum(bool(line.strip()) for line in lines)
    options = sum(_OPTION.match(line) is not None for line in lines)
    asked = Counter(match["name"] for _, match in found if _ASKS.search(match["rest"]))
    return len(found) >= _FEWEST_SAID and 2 * (len(found) + options) > filled and max(asked.values(), default=0) > 1


_FEWEST_SAID = 6
_OPTION = pattern(r"\s*(?:[-*+]\s+)?[（(]?[A-Ha-h]\s*[.、:：)）]\s*\S")


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
