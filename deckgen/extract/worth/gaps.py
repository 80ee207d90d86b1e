"""What a gap hides: an API, a number or a stressed word, in a sentence that states a fact by itself."""

from __future__ import annotations

from dataclasses import replace

from deckgen.extract.text import plain, width
from deckgen.extract.worth.asked import FILE
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
from deckgen.model.note import Cloze, Hole, Note
from deckgen.text.pattern import pattern

OURS = ("definitions", "sentences", "takeaways")
"""Rules whose gaps deckgen chooses; those of quizzes are the author's."""
_LONGEST = 220
_USE = pattern(r"^\W*«definition.take»(?![A-Za-z])")


def _lines_with_holes(body: Cloze) -> list[tuple[int, str]]:
    """Start and text of each line in which something is hidden."""
    found: list[tuple[int, str]] = []
    start = 0
    for line in body.text.split("\n"):
        if any(start <= hole.start < start + len(line) + 1 for hole in body.holes):
            found.append((start, line))
        start += len(line) + 1
    return found


def states_no_fact(note: Note) -> bool:
    """No line whose gap is worth asking is left: advice, transitions, what somebody does, what leans on other lines."""
    if not isinstance(note.body, Cloze) or note.rule not in OURS or note.body.language:
        return False
    return not any(_is_fact(note.body, *place) for place in _lines_with_holes(note.body))


def _is_fact(body: Cloze, start: int, line: str) -> bool:
    """True for a line that states something by itself, or with the line above that it is a part of."""
    text = line.strip().lstrip("-*+ ").strip()
    words = plain(text)
    goes_on = begins_midway(text) and not start
    commands = (instructs(text) and not _USE.match(words)) or is_personal(text) or talks(text) or goes_on
    hidden = [body.text[one.start : one.stop] for one in body.holes if start <= one.start <= start + len(line)]
    if any(FILE.fullmatch(one.strip("` ")) for one in hidden):
        return False
    return not (
        commands
        or praises(text)
        or points_away(text)
        or breaks_off(text)
        or has_debris(text)
        or width(words) > _LONGEST
    )


def with_facts_alone(note: Note) -> Note:
    """A cloze without the gaps of lines that state no fact; the others keep their numbers."""
    if not isinstance(note.body, Cloze) or note.rule not in OURS or note.body.language:
        return note
    body = note.body
    good = [(start, start + len(line)) for start, line in _lines_with_holes(body) if _is_fact(body, start, line)]
    holes = tuple(hole for hole in body.holes if any(start <= hole.start <= stop for start, stop in good))
    if not holes or holes == body.holes:
        return note
    numbers = {number: at for at, number in enumerate(sorted({hole.number for hole in holes}), 1)}
    return replace(
        note, body=replace(body, holes=tuple(Hole(numbers[one.number], one.start, one.stop) for one in holes))
    )
