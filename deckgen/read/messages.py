"""Messages of two people with names and times, as messengers copy them: `阿哲  20:13` above what he says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from deckgen.document import Speaker
from deckgen.pattern import pattern

_MAY_BE = pattern(r"\d:\d\d[\d:\sAPMapm\])）]*$")
"""Cheap to look for, since most lines have nothing of it."""
MAY_BE_SENT = pattern(rf"{_MAY_BE.pattern}", re.MULTILINE)
"""The same, for a whole text."""
_SENT = pattern(
    r"(?P<name>[^\s:：|#>*`\-\d\[(（][^:：|`]{0,18}?)[ \t\u3000]+[\[(（]?(?:\d{2,4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?\s+)?(?:[上下]午\s*)?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AP]M)?[\])）]?\s*",
    re.IGNORECASE,
)
_FEWEST = 4
_ASKS = pattern(r"[?？]|^\s*A\s*[.、:：)）]\s*\S.*\n\s*B\s*[.、:：)）]", re.MULTILINE)


class Message(NamedTuple):
    """A message: the line with its sender's name, and whether he asks (`tutor`) or answers."""

    line: int
    speaker: Speaker
    name: str


def messages(lines: Sequence[str], outside: Sequence[int]) -> list[Message]:
    """The messages of two people who take turns in asking; none if the lines hold no such thing.

    `outside` are the lines that lie in no fence.
    """
    if not MAY_BE_SENT.search("\n".join(lines)):
        return []
    near = ((number, lines[number]) for number in outside if len(lines[number]) < 60)
    sent = [
        (number, match["name"].strip())
        for number, line in near
        if _MAY_BE.search(line) and (match := _SENT.fullmatch(line))
    ]
    names = [name for _, name in sent]
    changes = sum(before != after for before, after in pairwise(names))
    if len(sent) < _FEWEST or len(set(names)) != 2 or changes < len(sent) // 2:
        return []
    return list(_with_roles(lines, sent))


def _with_roles(lines: Sequence[str], sent: Sequence[tuple[int, str]]) -> Iterator[Message]:
    """Who asks is the tutor until the other one asks; what is said to a question is its answer, even if it asks back."""
    tutor, waiting = sent[0][1], False
    ends = [*(line for line, _ in sent[1:]), len(lines)]
    for (line, name), end in zip(sent, ends, strict=True):
        asks = _ASKS.search("\n".join(lines[line + 1 : end])) is not None
        if waiting and name != tutor:
            waiting = False
            yield Message(line, "pupil", name)
            continue
        if asks:
            tutor, waiting = name, True
        yield Message(line, "tutor" if name == tutor else "pupil", name)
