"""Decks: rendered notes with the identity that Anki knows them by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Key, Note, Output, Place

Kind = Literal["basic", "choice", "cloze", "output", "api"]
_KINDS: dict[type[Body], Kind] = {Basic: "basic", Choice: "choice", Cloze: "cloze", Output: "output", Api: "api"}


def kind_of(note: Note) -> Kind:
    """What kind of note it is to Anki, and in reports."""
    return _KINDS[type(note.body)]


FIELDS = (
    "Title", "Context", "Prompt", "Code", "Options", "Answer", "Output", "Explanation", "Claimed",
    "Name", "Signature", "Parameters", "Example", "Media", "Source", "Checked", "AskReverse",
    "AskTyped", "AskExtra", "Extra",
)  # fmt: skip
"""Fields of every note type, in the order that was frozen with the first release."""

LEARNT = FIELDS[: FIELDS.index("Media") + 1]
"""The fields whose change is an update for the learner; the rest stand as they stood."""


@dataclass(frozen=True, slots=True)
class Media:
    """A media file under its final name (`<stem>-<hash>.<ending>`)."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A note as HTML, before it has an identity."""

    kind: Kind
    key: Key
    explicit_id: str | None
    places: tuple[Place, ...]
    fields: tuple[str, ...]
    """One string per entry of `FIELDS`."""
    tags: tuple[str, ...]
    answer_text: str
    """The answer as plain text, for recognising a note whose question was reworded."""
    ordinals: tuple[int, ...]
    """0-based template (or cloze number - 1) of every card that Anki must make of it."""
    media: tuple[Media, ...] = ()
    missing_media: tuple[str, ...] = ()
    """Pictures that the note names and nobody could supply; their alternative text is shown instead."""
    words: tuple[str, ...] = ()
    """Verdict words, for the lock only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A rendered note with its identity: all that a package needs to know."""

    rendered: Rendered
    guid: str
    mtime: int
    """Seconds since 1970, when what is learnt last changed."""
    due: int
    subdeck: str
    """Full deck name with `::`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Everything that goes into one package."""

    id: int
    """Anki's deck id, from `deck.toml` or the lock."""
    name: str
    description: str
    cards: tuple[Card, ...]
    notetypes_mtime: int
    """When a template or the styling last changed."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a note type. With an `id`, Anki takes a new name for it as an update in place."""

    name: str
    id: int
    collapsed: bool = False
    """True where Anki's editor folds it away (what this kind does not use)."""


@dataclass(frozen=True, slots=True)
class Template:
    """A card template; `id` as in `FieldSpec`."""

    name: str
    id: int
    front: str
    back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteType:
    """A note type as data: what `render` decides and `pack` writes."""

    kind: Kind
    id: int
    name: str
    fields: tuple[FieldSpec, ...]
    """One per entry of `FIELDS`, in that order."""
    templates: tuple[Template, ...]
    css: str
    cloze: bool = False
