"""What a note rests on: every claim that is shown on it, whichever idiom made the note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from deckgen.model.claim import Snippet
from deckgen.model.note import Note, Output


def grounded(notes: Iterable[Note], snippets: Sequence[Snippet]) -> tuple[Note, ...]:
    """The notes, resting also on the claims of code inside their lines: an answer that shows a false output
    is a false answer. Output notes name the claims of their answer themselves."""
    claims = [claim for snippet in snippets for claim in snippet.claims]
    by_line: dict[int, list[str]] = {}
    for claim in claims:
        by_line.setdefault(claim.span.start, []).append(claim.id)
    return tuple(note if isinstance(note.body, Output) else _grounded(note, by_line) for note in notes)


def _grounded(note: Note, by_line: dict[int, list[str]]) -> Note:
    inside = [name for line in range(note.span.start, note.span.stop) for name in by_line.get(line, ())]
    wanted = tuple(dict.fromkeys((*note.rests_on, *inside)))
    return note if wanted == note.rests_on else replace(note, rests_on=wanted)
