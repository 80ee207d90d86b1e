"""Which notes learners already have, asked before anything is rendered: those must not be withheld in silence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from deckgen.identity.candidate import ANSWER_LENGTH, Candidate
from deckgen.identity.content import digest
from deckgen.identity.identity import identify
from deckgen.identity.lock import Lock
from deckgen.model.deck import Kind
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Note, Output
from deckgen.model.note_text import back

KINDS: Mapping[type[Body], Kind] = {
    Basic: "basic",
    Choice: "choice",
    Cloze: "cloze",
    Output: "output",
    Api: "api",
}


def known(notes: Sequence[Note], lock: Lock, unread: Collection[str] = ()) -> tuple[bool, ...]:
    """For each note of a deck, in order, whether any package so far had it, reworded or not.

    One that was removed since is known, too: no import took it from those who had it. `notes` are all notes of
    the deck, since a reworded note is known by what else has gone; `unread` files as in `Release`. Raises
    UsageError if two notes claim one id.
    """
    keys = {(line.kind, line.headings, line.anchor) for line in lock.notes}
    if all((KINDS[type(note.body)], note.key.headings, note.key.anchor) in keys for note in notes):
        return (True,) * len(notes)  # as in nearly every build: nothing is new, and nothing need be compared
    found = identify([_candidate(note) for note in notes], lock.notes, frozenset(unread)).found
    return tuple(line is not None for line in found)


def _candidate(note: Note) -> Candidate:
    answer = " ".join(back(note).split())
    return Candidate(
        kind=KINDS[type(note.body)],
        key=note.key,
        explicit_id=note.explicit_id,
        answer=answer[:ANSWER_LENGTH],
        answer_hash=digest(answer),
        where=f"{note.source}:{note.span.first}",
        title="",
        hash="",
        files=tuple(place.source for place in note.places),
    )
