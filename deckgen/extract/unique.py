"""No two notes of a source ask the same: what does is merged, or reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.document import Document
from deckgen.extract.text import squeezed
from deckgen.note import Api, Note, Skipped, back, front


def unique(notes: Sequence[Note], document: Document) -> tuple[tuple[Note, ...], tuple[Skipped, ...]]:
    """The notes in order with a front of their own each, and those left out because another asks the same."""
    kept: dict[str, Note] = {}
    skipped: list[Skipped] = []
    for note in notes:
        asked = front(note)
        first = kept.get(asked)
        if first is None:
            kept[asked] = note
        elif joined := _joined(first, note):
            kept[asked] = joined
        else:
            skipped.append(
                Skipped(note.span, f"asks the same as line {document.place(first.span).first}, with another answer")
            )
    return tuple(kept.values()), tuple(skipped)


def _joined(first: Note, second: Note) -> Note | None:
    """One note for both, if the second adds to the first and does not differ from it."""
    places = (*first.places, *second.places)
    rests_on = tuple(dict.fromkeys((*first.rests_on, *second.rests_on)))
    if type(first.body) is type(second.body) and squeezed(back(first)) == squeezed(back(second)):
        return replace(first, places=places, rests_on=rests_on)
    if isinstance(first.body, Api) and isinstance(second.body, Api):
        meanings = dict.fromkeys((first.body.meaning, second.body.meaning))
        body = replace(
            first.body,
            meaning="\n\n".join(meanings),
            example=first.body.example or second.body.example,
            details=(*first.body.details, *(d for d in second.body.details if d not in first.body.details)),
        )
        return replace(first, body=body, places=places, rests_on=rests_on)
    return None
