"""The same note in several sources is one note with several places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import replace

from deckgen.extract.key import code_anchor
from deckgen.extract.text import squeezed
from deckgen.model.note import Api, Basic, Choice, Cloze, Note, Output
from deckgen.model.note_text import back


def merge(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes in order; those of later sources that ask and answer the same join the first.

    Punctuation, markup, spacing and full-width forms do not count, so that a page copied from notes merges
    with them. Notes of one source are never merged here: they may ask the same of different things. What the
    first place rests on stays, since claims are known by their source.
    """
    every = tuple(notes)
    questions = [_question(note) for note in every] if len({note.source for note in every}) > 1 else []
    asked_by: dict[Hashable, set[str]] = defaultdict(set)
    for note, question in zip(every, questions, strict=False):
        asked_by[question].add(note.source)
    kept: dict[Hashable, Note] = {}
    for number, note in enumerate(every):
        # nearly all questions are asked in one source only, and comparing whole answers takes ten times as long
        if not questions or len(asked_by[questions[number]]) == 1:
            kept[number] = note
            continue
        same = (questions[number], _rest(note))
        first = kept.get(same)
        if first is None or any(place.source == note.source for place in first.places):
            kept[same if first is None else number] = note
        else:
            kept[same] = replace(first, places=(*first.places, *note.places))
    return tuple(kept.values())


def _question(note: Note) -> Hashable:
    """What two notes share if they ask the same."""
    return type(note.body), note.explicit_id, _asked(note)


def _rest(note: Note) -> Hashable:
    """What two notes that ask the same share if they are one: the answer, and the nearest heading of short questions."""
    short = bool(note.headings) and len(_asked(note)) < 24
    return squeezed(note.headings[-1]) if short else "", squeezed(back(note))


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
