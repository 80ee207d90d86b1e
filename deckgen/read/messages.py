"""Messages with names and times, as messengers copy them: `阿哲  20:13` above what he says.

Two people who take turns in asking, or a group in which one asks and the others answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from deckgen.model.document import Speaker
from deckgen.text.pattern import pattern

_MAY_BE = pattern(r"\d:\d\d[\d:\sAPMapm\])）]*$")
"""Cheap to look for, since most lines have nothing of it."""
MAY_BE_SENT = pattern(rf"{_MAY_BE.pattern}", re.MULTILINE)
"""The same, for a whole text."""
_SENT = pattern(
    r"(?P<name>[^\s:：|#>*`\-\d\[(（][^:：|`]{0,18}?)[ \t\u3000]+[\[(（]?(?:\d{2,4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?\s+)?(?:[上下]午\s*)?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AaPp][Mm])?[\])）]?\s*",
)
_FEWEST = 4
_MOST_PEOPLE = 30
_FEWEST_QUESTIONS = 2
"""Of whoever asks in a group."""
_ASKS = pattern(r"[?？]|^[^\S\n]*A\s*[.、:：)）]\s*\S.*\n\s*B\s*[.、:：)）]", re.MULTILINE)


class Message(NamedTuple):
    """A message: the line with its sender's name, and whether he asks (`tutor`) or answers."""

    line: int
    speaker: Speaker
    name: str
    aside: bool = False
    """Of the answers of several, one that the reply, which calls another by name, is not about."""
    called: str = ""
    """Whom the message speaks to at its beginning."""


def messages(lines: Sequence[str], outside: Sequence[int]) -> list[Message]:
    """The messages of people who ask and answer; none if the lines hold no such thing.

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
    if len(sent) < _FEWEST or not 2 <= len(set(names)) <= _MOST_PEOPLE or changes < len(sent) // 2:
        return []
    if len(set(names)) == 2:
        return list(_with_roles(lines, sent))
    tutor = _who_asks(lines, sent)
    return _in_group(lines, sent, tutor) if tutor else []


def _who_asks(lines: Sequence[str], sent: Sequence[tuple[int, str]]) -> str:
    """The one who puts more questions than anybody else; empty if nobody does. Who asks back has a word or two."""
    asking = Counter(name for name, text in _texts(lines, sent) if _PUTS.search(text))
    (first, most), (_, next_) = [*asking.most_common(2), ("", 0), ("", 0)][:2]
    return first if most >= _FEWEST_QUESTIONS and most > next_ else ""


_PUTS = pattern(
    r"^.{6,}[?？]\s*$|^[^\S\n]*A\s*[.、:：)）]\s*\S.*\n?\s*B\s*[.、:：)）]|_{3,}|判断[:：]|\btrue or false\b",
    re.MULTILINE | re.IGNORECASE,
)


def _texts(lines: Sequence[str], sent: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """(name, what is said) of each message."""
    ends = [*(line for line, _ in sent[1:]), len(lines)]
    for (line, name), end in zip(sent, ends, strict=True):
        yield name, "\n".join(lines[line + 1 : end])


def _in_group(lines: Sequence[str], sent: Sequence[tuple[int, str]], tutor: str) -> list[Message]:
    """Of what several answered, only what the reply is about, if that calls one of them by name."""
    found: list[Message] = []
    since = 0
    names = {name for _, name in sent} - {tutor}
    for (line, name), (_, text) in zip(sent, _texts(lines, sent), strict=True):
        if name != tutor:
            found.append(Message(line, "pupil", name))
            continue
        called, whom = _called(text.strip().lstrip("@"), names)
        if any(message.name == whom for message in found[since:]):
            found[since:] = [one._replace(aside=one.name != whom) for one in found[since:]]
        found.append(Message(line, "tutor", name, called=called))
        since = len(found)
    return found


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


def _called(opening: str, names: Iterable[str]) -> tuple[str, str]:
    """(what a message calls somebody at its beginning, his name): a first name will do; empty if it calls nobody."""
    told = {calls: name for name in sorted(names) for calls in (name.split()[0], name) if len(calls) > 1}
    called = next((calls for calls in sorted(told, key=len, reverse=True) if opening.startswith(calls)), "")
    return called, told.get(called, "")


_ANNOUNCES = pattern(
    r"^\W*(?:(?:最后一|下一|再来一)[道题个]|第\s*\w{1,3}\s*[题问]|(?:判断|填空|单选|多选|选择)题?\W|next (?:one|question)|last (?:one|question)|question \d)",
    re.IGNORECASE,
)
_ASKING = pattern(r"[?？]\s*$|_{3,}|^\W*true or false\b", re.IGNORECASE)
_OPTION = pattern(r"\s*[（(]?A\s*[.、:：)）]\s*\S")


def next_question(lines: Sequence[str]) -> int:
    """The line of a message on which its question begins, if it first says something else; 0 otherwise."""
    asking = (at for at, line in enumerate(lines) if _begins(line, lines[at + 1 : at + 2]))
    return next(asking, 0)


def _begins(line: str, below: Sequence[str]) -> bool:
    if not line.strip() or _OPTION.match(line):
        return False
    return bool(_ANNOUNCES.match(line) or _ASKING.search(line)) or any(map(_OPTION.match, below))
