"""No two notes ask the same: in one source they are joined or reported, in several they are one note with several places."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from deckgen.extract.key import code_anchor
from deckgen.extract.text import squeezed
from deckgen.model.document import Document, Remark
from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Note, Output, Skipped, Standing, back, front
from deckgen.model.source import Span

ASKS_THE_SAME = "asks the same as line"
"""How the reason begins for which a note is left out beside another."""


class Unique(NamedTuple):
    """The notes of a source, of which no two ask the same."""

    kept: tuple[Note, ...]
    rivals: tuple[Note, ...]
    """Those that ask the same as one above them, with another answer."""
    skipped: tuple[Skipped, ...]
    """The reason for which each of these is left out."""


def unique(notes: Iterable[Note], document: Document) -> Unique:
    """The notes of a source with a front of their own each (or other versions, or an id), and those left out because another asks the same.

    A note has the places and the evidence of all that ask and answer the same.
    """
    kept: dict[Hashable, list[Note]] = {}
    rivals: list[Note] = []
    skipped: list[Skipped] = []
    for note in notes:
        same = kept.setdefault(asked_by(note), [])
        if not same:
            same.append(note)
        elif body := _joined(same[0], note):
            same[0] = replace(same[0], body=body)
            same.append(note)
        else:
            line = document.place(_asked_on(same[0])).first
            rivals.append(note)
            skipped.append(Skipped(_asked_on(note), f"{ASKS_THE_SAME} {line}, with another answer"))
    return Unique(tuple(map(_one_of, kept.values())), tuple(rivals), tuple(skipped))


def asked_by(note: Note) -> Hashable:
    """What two notes have in common that are one: an id of its own tells a note apart."""
    return front(note), note.versions, note.explicit_id


def may_be_proved(rivals: Iterable[Note]) -> tuple[Note, ...]:
    """Those among notes left out that are cards by their author's word, in words: torch may prove them, and deny the first."""
    return tuple(
        one for one in rivals if one.standing is Standing.DECLARED and isinstance(one.body, Basic | Choice | Cloze)
    )


def _one_of(same: Sequence[Note]) -> Note:
    """The first note, with the places and the evidence of all."""
    if len(same) == 1:
        return same[0]
    places = tuple(chain.from_iterable(note.places for note in same))
    return replace(
        same[0], places=places, rests_on=tuple(dict.fromkeys(chain.from_iterable(note.rests_on for note in same)))
    )


def _joined(first: Note, second: Note) -> Body | None:
    """What one note for both says, if the second adds to the first and does not differ from it."""
    one, other = first.body, second.body
    if type(one) is type(other) and squeezed(back(first)) == squeezed(back(second)):
        return one
    if isinstance(one, Api) and isinstance(other, Api):
        details = tuple(dict.fromkeys((*one.details, *other.details)))
        meaning = "\n\n".join(dict.fromkeys((one.meaning, other.meaning)))
        return replace(one, meaning=meaning, example=one.example or other.example, details=details)
    return None


def _asked_on(note: Note) -> Span:
    """The lines that tell one note from another: of code the last, which is what is asked about."""
    span = note.span
    return Span(max(span.start, span.stop - 1), span.stop) if isinstance(note.body, Output) else span


def contradicting_choices(notes: Sequence[Note], kept: Sequence[Note], document: Document) -> Iterator[Remark]:
    """Quizzes left out because one with the same question and options says that another is right."""
    first = {
        (front(note), note.versions): (note.body.right, note.span) for note in kept if isinstance(note.body, Choice)
    }
    for note in notes:
        if (
            isinstance(note.body, Choice)
            and (same := first.get((front(note), note.versions)))
            and same[0] != note.body.right
        ):
            yield Remark(
                note.span,
                f"asks the same as line {document.place(same[1]).first} and says that another option is right, so it is no "
                "card; correct one of them, or ask in other words",
            )


def merge(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes in order; those of later sources that ask and answer the same join the first.

    Punctuation, markup, spacing and full-width forms do not count, so that a page copied from notes merges
    with them. Notes of one source are never merged here: they may ask the same of different things. What the
    first place rests on stays, since claims are known by their source.
    """
    every = tuple(notes)
    if len({note.source for note in every}) < 2:
        return every
    kept: dict[Hashable, Note] = {}
    for number, note in enumerate(every):
        same = _question_and_answer(note)
        first = kept.get(same)
        if first is None or any(place.source == note.source for place in first.places):
            kept[same if first is None else number] = note
        else:
            kept[same] = replace(first, places=(*first.places, *note.places))
    return tuple(kept.values())


def _question_and_answer(note: Note) -> Hashable:
    """What two notes share if they ask and answer the same; the nearest heading is a part of short questions."""
    asked = _asked(note)
    heading = squeezed(note.headings[-1]) if note.headings and len(asked) < 24 else ""
    return type(note.body), note.explicit_id, note.versions, asked, heading, squeezed(back(note))


def _asked(note: Note) -> str:
    match note.body:
        case Basic(prompt=text) | Choice(stem=text) | Api(signature=text):
            return squeezed(text)
        case Cloze(text=text, holes=holes):
            return squeezed(text) + ",".join(f"{hole.number}" for hole in holes)
        case Output(prompt=text, code=code):
            return f"{squeezed(text)}\n{code_anchor(code)}"
