"""The question of a note in one line: what a list of notes is read by."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from deckgen.model.deck import FIELDS, Rendered
from deckgen.model.note import Api, Body, Cloze, Output
from deckgen.render import escape
from deckgen.text.pattern import pattern, unescaped, untagged
from deckgen.text.wording import one_line

_LONGEST, _LONGEST_CODE = 240, 100
_BLOCK = pattern(r"<pre\b.*?</pre>", re.DOTALL)
_HOLE = pattern(r"\{\{c\d+::(.*?)\}\}", re.DOTALL)
_TELLS = pattern(r"\w")


@dataclass(frozen=True, slots=True)
class Question:
    """What a card asks, as plain text."""

    text: str
    code: str = ""
    """The line of code that it asks about."""


def question_of(body: Body, rendered: Rendered) -> Question:
    """The prompt as it stands on the card, gaps as dots; of a card about code the line that matters as well."""
    fields = dict(zip(FIELDS, rendered.fields, strict=True))
    prompt = one_line(_plain(fields["Prompt"]), _LONGEST)
    code = one_line(_line_that_matters(body, fields), _LONGEST_CODE)
    if not prompt and not code:
        prompt = unescaped(fields["Title"])
    return Question(prompt, code)


def _plain(markup: str) -> str:
    return escape.plain(_HOLE.sub("[...]", _BLOCK.sub(" ", markup)))


def _line_that_matters(body: Body, fields: Mapping[str, str]) -> str:
    match body:
        case Api():
            return escape.plain(fields["Name"])
        case Output(code=code):
            return _last_shown(code)
        case Cloze(text=text, holes=holes, language=language) if language and holes:
            return _with_gaps(text, [(hole.start, hole.stop) for hole in holes])
        case _:
            return _first_line(fields["Prompt"])


def _last_shown(code: str) -> str:
    """Where the answer comes from: the last line that prints, else the last line."""
    lines = [line.strip() for line in code.splitlines()]
    lines = [line for line in lines if _TELLS.search(line) and not line.startswith("#")]
    return next((line for line in reversed(lines) if "print(" in line), lines[-1] if lines else "")


def _with_gaps(text: str, gaps: list[tuple[int, int]]) -> str:
    """The line of the first gap, with all gaps in it hidden."""
    start = text.rfind("\n", 0, gaps[0][0]) + 1
    stop = text.find("\n", gaps[0][1])
    stop = len(text) if stop < 0 else stop
    for first, last in sorted(gaps, reverse=True):
        if start <= first and last <= stop:
            text, stop = text[:first] + "[...]" + text[last:], stop - (last - first) + 5
    return text[start:stop].strip()


def _first_line(markup: str) -> str:
    """Of the code in a prompt that its author wrote."""
    block = _BLOCK.search(markup)
    lines = unescaped(untagged(block[0])).splitlines() if block else []
    return next((line.strip() for line in lines if line.strip()), "")
