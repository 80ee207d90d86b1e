"""What only all notes of a deck together can tell: titles that are unique, cards that are ambiguous."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.deck import FIELDS, Rendered
from deckgen.render import escape

_LENGTH = 160
_TITLE = FIELDS.index("Title")
_REVERSE = FIELDS.index("AskReverse")


def title(headings: Sequence[str], asked: str) -> str:
    """`Tensor › view() · What does it do?` as HTML; long text is cut and told apart by a digest."""
    path = " › ".join(headings[-3:])
    plain = " ".join(escape.clean(" · ".join(filter(None, (path, asked)))).split())
    if len(plain) > _LENGTH:
        plain = f"{plain[:_LENGTH].rstrip()}… #{_digest(plain)}"
    return escape.literal_clozes(escape.field_text(plain))


def distinct(notes: Sequence[Rendered]) -> tuple[Rendered, ...]:
    """The same notes, told apart.

    Where several of one kind share a title, each gets a digest of what it answers: it depends on the note
    alone, so that a title does not change with its neighbours' order. Where several reverse cards
    would ask the same ("sets the gradient mode: what is it called?"), nobody could answer: none is made.
    """
    titles = Counter((note.kind, note.fields[_TITLE]) for note in notes)
    reverse = Counter(_reverse_front(note) for note in notes if note.fields[_REVERSE])
    apart = (_told_apart(note) if titles[note.kind, note.fields[_TITLE]] > 1 else note for note in notes)
    return tuple(
        _one_way(note) if note.fields[_REVERSE] and reverse[_reverse_front(note)] > 1 else note for note in apart
    )


def _reverse_front(note: Rendered) -> tuple[str, ...]:
    return note.kind, *(note.fields[FIELDS.index(name)] for name in ("Context", "Answer"))


def _one_way(note: Rendered) -> Rendered:
    fields = list(note.fields)
    fields[_REVERSE] = ""
    return replace(note, fields=tuple(fields), ordinals=tuple(n for n in note.ordinals if n != 1))


def _told_apart(note: Rendered) -> Rendered:
    fields = list(note.fields)
    fields[_TITLE] += f" #{_digest(note.answer_text + chr(0) + note.fields[FIELDS.index('Code')])}"
    return replace(note, fields=tuple(fields))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]
