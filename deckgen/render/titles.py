"""Titles: the plain text by which Anki's browser lists a note and finds duplicates."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from deckgen.deck import FIELDS, Rendered
from deckgen.render import escape

_LENGTH = 160
_TITLE = FIELDS.index("Title")


def title(headings: Sequence[str], asked: str) -> str:
    """`Tensor › view() · What does it do?` as HTML; long text is cut and told apart by a digest."""
    path = " › ".join(headings[-3:])
    plain = " ".join(escape.clean(" · ".join(filter(None, (path, asked)))).split())
    if len(plain) > _LENGTH:
        plain = f"{plain[:_LENGTH].rstrip()}… #{_digest(plain)}"
    return escape.literal_clozes(escape.field_text(plain))


def distinct(notes: Sequence[Rendered]) -> tuple[Rendered, ...]:
    """The same notes; where several of one kind share a title, each gets a digest of what it answers.

    The digest depends on the note alone, so that its title does not change with its neighbours' order.
    """
    counts = Counter((note.kind, note.fields[_TITLE]) for note in notes)
    return tuple(_told_apart(note) if counts[note.kind, note.fields[_TITLE]] > 1 else note for note in notes)


def _told_apart(note: Rendered) -> Rendered:
    fields = list(note.fields)
    fields[_TITLE] += f" #{_digest(note.answer_text + chr(0) + note.fields[FIELDS.index('Code')])}"
    return replace(note, fields=tuple(fields))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]
