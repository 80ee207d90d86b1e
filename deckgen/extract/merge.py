"""The same note in several sources is one note with several places."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from deckgen.extract.key import code_anchor
from deckgen.extract.text import squeezed
from deckgen.note import Api, Basic, Choice, Cloze, Note, Output, back


def merge(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes in order; those of later sources that ask and answer the same join the first.

    Punctuation, markup, spacing and full-width forms do not count, so that a page copied from notes merges
    with them. Notes of one source are never merged here: they may ask the same of different things. What the
    first place rests on stays, since claims are known by their source.
    """
    kept: dict[Hashable, Note] = {}
    for note in notes:
        same = _same(note)
        first = kept.get(same)
        if first is None or any(place.source == note.source for place in first.places):
            kept[same if first is None else (same, note.source, note.span)] = note
        else:
            kept[same] = replace(first, places=(*first.places, *note.places))
    return tuple(kept.values())


def _same(note: Note) -> Hashable:
    """What two notes share if they are one: kind, question, answer, and the nearest heading of short questions."""
    asked = _asked(note)
    context = squeezed(note.headings[-1]) if note.headings and len(asked) < 24 else ""
    return type(note.body), note.explicit_id, context, asked, squeezed(back(note))


def _asked(note: Note) -> str:
    body = note.body
    match body:
        case Basic():
            return squeezed(body.prompt)
        case Choice():
            return squeezed(body.stem)
        case Cloze():
            return squeezed(body.text) + ",".join(f"{hole.number}" for hole in body.holes)
        case Output():
            return f"{squeezed(body.prompt)}\n{code_anchor(body.code)}"
        case Api():
            return squeezed(body.signature)
