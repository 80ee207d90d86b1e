"""No two notes of a source ask the same: what does is merged, or reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from deckgen.extract.text import squeezed
from deckgen.model.document import Document
from deckgen.model.extraction import Remark
from deckgen.model.note import Api, Body, Choice, Note, Output, Skipped
from deckgen.model.note_text import back, front
from deckgen.model.source import Span

ASKS_THE_SAME = "asks the same as line"
"""How the reason begins for which a note is left out beside another."""


def unique(notes: Sequence[Note], document: Document) -> tuple[tuple[Note, ...], tuple[Skipped, ...]]:
    """The notes in order with a front of their own each, and those left out because another asks the same."""
    kept: dict[str, _Kept] = {}
    skipped: list[Skipped] = []
    for note in notes:
        asked = front(note)
        first = kept.get(asked)
        if first is None:
            kept[asked] = _Kept(note, [note])
        elif body := _joined(first.note, note):
            first.note = first.note if body is first.note.body else replace(first.note, body=body)
            first.alike.append(note)
        else:
            line = document.place(_told(first.note)).first
            skipped.append(Skipped(_told(note), f"asks the same as line {line}, with another answer"))
    return tuple(one.whole() for one in kept.values()), tuple(skipped)


@dataclass(slots=True)
class _Kept:
    """A note, and all that ask and answer the same, itself among them."""

    note: Note
    alike: list[Note]

    def whole(self) -> Note:
        """One note for all of them."""
        if len(self.alike) == 1:
            return self.note
        places = tuple(place for one in self.alike for place in one.places)
        rests_on = tuple(dict.fromkeys(name for one in self.alike for name in one.rests_on))
        return replace(self.note, places=places, rests_on=rests_on)


def _told(note: Note) -> Span:
    """The lines that tell one note from another: of code the last, which is what is asked about."""
    return (
        Span(max(note.span.start, note.span.stop - 1), note.span.stop) if isinstance(note.body, Output) else note.span
    )


def at_odds(notes: Sequence[Note], kept: Sequence[Note], document: Document) -> Iterator[Remark]:
    """Quizzes left out because one with the same question and options says that another is right."""
    first = {front(note): (note.body.right, note.span) for note in kept if isinstance(note.body, Choice)}
    for note in notes:
        right, place = first.get(front(note), ((), note.span)) if isinstance(note.body, Choice) else ((), note.span)
        if isinstance(note.body, Choice) and right and right != note.body.right:
            line = document.place(place).first
            yield Remark(
                note.span,
                f"asks the same as line {line} and says that another option is right, so it is no card; correct one of "
                "them, or ask in other words",
            )


def _joined(first: Note, second: Note) -> Body | None:
    """What one note for both says, if the second adds to the first and does not differ from it."""
    if type(first.body) is type(second.body) and squeezed(back(first)) == squeezed(back(second)):
        return first.body
    if isinstance(first.body, Api) and isinstance(second.body, Api):
        meanings = dict.fromkeys((first.body.meaning, second.body.meaning))
        return replace(
            first.body,
            meaning="\n\n".join(meanings),
            example=first.body.example or second.body.example,
            details=(*first.body.details, *(d for d in second.body.details if d not in first.body.details)),
        )
    return None
