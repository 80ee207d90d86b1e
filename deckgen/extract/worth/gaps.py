"""What a gap hides: an API, a number or a stressed word, in a sentence that states a fact by itself."""

from __future__ import annotations

import re
from dataclasses import replace

from deckgen.extract.text import has_words, plain, width
from deckgen.extract.worth.asked import FILE
from deckgen.extract.worth.code_names import names_code
from deckgen.extract.worth.prose import (
    begins_midway,
    breaks_off,
    has_debris,
    instructs,
    is_personal,
    points_away,
    praises,
    talks,
)
from deckgen.model.note import Cloze, FoundAs, Hole, Note
from deckgen.text.pattern import pattern

OURS = (FoundAs.TERM, FoundAs.GAP)
"""Notes whose gaps deckgen chose; those of quizzes are the author's."""
_LONGEST = 220
_API = pattern(r"\w[.(]|[A-Z]|[a-z]_[a-z]")
"""What a name of a library has and a variable lacks: a dot, a call, a capital, several words."""
_STEP = pattern(r"^\W*(?:(?i:if)\s[^,]*,\s)?[A-Za-z]+ing\s")
"""`If needed, augmenting the data with ...`: a step of a list, and no sentence."""
_ADVICE = pattern(r"«worth.advice»")
_HERE = pattern(r"\b(?:these|here)\b|这些|这里|现在")
_LAST_NAME = pattern(r"(\w{3,})(?:\([^()]*\))?[`*\s]*$")
_USE = pattern(r"^\W*«definition.take»(?![A-Za-z])")


def states_no_fact(note: Note) -> bool:
    """No gap is worth asking: advice, transitions, what somebody does, what leans on other lines, a name to be guessed."""
    body = _ours(note)
    return body is not None and not _good_holes(body)


def with_facts_alone(note: Note) -> Note:
    """A cloze without the gaps that are not worth asking; the others keep their order."""
    body = _ours(note)
    holes = _good_holes(body) if body is not None else ()
    if body is None or not holes or holes == body.holes:
        return note
    numbers = {number: at for at, number in enumerate(sorted({hole.number for hole in holes}), 1)}
    renumbered = tuple(Hole(numbers[one.number], one.start, one.stop) for one in holes)
    return replace(note, body=replace(body, holes=renumbered))


def _ours(note: Note) -> Cloze | None:
    """A cloze of a text whose gaps deckgen chose."""
    body = note.body
    return body if isinstance(body, Cloze) and note.found_as in OURS and not body.language else None


def _good_holes(body: Cloze) -> tuple[Hole, ...]:
    found: list[Hole] = []
    start = 0
    for line in body.text.split("\n"):
        inside = [hole for hole in body.holes if start <= hole.start <= start + len(line)]
        if inside and _is_fact(line):
            found += [hole for hole in inside if _hides_a_fact(line, hole.start - start, hole.stop - start)]
        start += len(line) + 1
    return tuple(found)


def _is_fact(line: str) -> bool:
    """True for a line that states something by itself."""
    text = line.strip().lstrip("-*+ ").strip()
    words = plain(text)
    commands = (instructs(text) and not _USE.match(words)) or is_personal(text) or talks(text) or begins_midway(text)
    return not (
        commands
        or _STEP.match(text)
        or _ADVICE.search(words)
        or _HERE.search(words)
        or praises(text)
        or points_away(text)
        or breaks_off(text)
        or has_debris(text)
        or width(words) > _LONGEST
    )


def _hides_a_fact(line: str, start: int, stop: int) -> bool:
    """True for a gap in `line[start:stop]` that one name or one stressed thing fits.

    A gap at the beginning asks for a name by what it means, and many names fit; so does a plain word in code (`pe`, `step`).
    """
    hidden = line[start:stop]
    if (
        not has_words(line[:start])
        or FILE.fullmatch(hidden.strip("` "))
        or _is_told(hidden, line[:start] + line[stop:])
    ):
        return False
    return _API.search(hidden) is not None if "`" in hidden else names_code(line)


def _is_told(hidden: str, rest: str) -> bool:
    """True if the last part of a hidden name stands beside the gap: `use view ____`."""
    name = _LAST_NAME.search(hidden)
    return name is not None and re.search(rf"(?<![\w.]){re.escape(name[1])}(?!\w)", rest) is not None
