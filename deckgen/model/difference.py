"""Differences: what importing a new version of a deck means for someone who has the old one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Risk(StrEnum):
    """How much a learner may lose; in order."""

    NONE = "none"
    LOW = "low"
    """Something that they did to a note themselves may be overwritten, or a card stays where it was."""
    MEDIUM = "medium"
    """Something stays with them that should go, or goes stale."""
    HIGH = "high"
    """Progress is cut off from its note, or updates no longer arrive."""

    @property
    def level(self) -> int:
        return list(Risk).index(self)


class Effect(StrEnum):
    """What Anki does with a note of the new version."""

    ADDED = "added"
    UPDATED = "updated"
    TOUCHED = "touched"
    """Nothing changed but the time: Anki overwrites the learner's note all the same."""
    IGNORED = "ignored"
    """It changed, but its time did not move on: Anki keeps the old one."""
    REFUSED = "refused"
    """Anki calls it conflicting: its note type is another, or was changed."""
    REMOVED = "removed"
    """No longer in the deck; no import removes it."""
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotNote:
    """A note as one version of a deck has it."""

    guid: str
    title: str
    notetype: str
    """Its id, or any other text that is the same for the same note type."""
    mtime: int
    hash: str
    """Of everything that is learnt; equal if and only if the note is."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """By name; empty where they are not known (a lock)."""
    tags: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    """0-based ordinals."""
    deck: str = ""
    number: int = 0
    """By which Anki knows it in this collection; 0 in a lock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotType:
    """A note type as one version of a deck has it."""

    id: str
    name: str
    mtime: int
    schema: tuple[tuple[str, str], ...] = ()
    """(what, id or name) of fields and templates in order: what Anki compares before it takes anything."""
    look: str = ""
    """Hash of templates and styling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One version of a deck, from a package or a lock."""

    name: str
    """Path, for messages."""
    notes: tuple[SnapshotNote, ...]
    types: tuple[SnapshotType, ...] = ()
    decks: tuple[str, ...] = ()
    """Names of the decks that have notes, and of those above them."""
    form: Literal["package", "lock"] = "package"
    """Where it was read from: what a lock calls a note type or a hash is no package's."""


@dataclass(frozen=True, slots=True)
class NoteDifference:
    """A note on which the two versions differ."""

    guid: str
    title: str
    effect: Effect
    risk: Risk
    learner: str
    """What the learner will see, in a sentence or two."""
    fields: tuple[tuple[str, str, str], ...] = ()
    """(name, old, new) of every field that changed, as HTML."""
    cards_added: int = 0
    cards_emptied: int = 0


@dataclass(frozen=True, slots=True)
class WholeDifference:
    """A difference that concerns a note type or a deck."""

    what: str
    """`note type deckgen Question`, `deck PyTorch`."""
    risk: Risk
    learner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Everything that is not the same."""

    old: str
    new: str
    notes: tuple[NoteDifference, ...]
    wholes: tuple[WholeDifference, ...]
    unchanged: int
    search: str = ""
    """An Anki search for the removed notes, where their fields are known."""

    @property
    def risk(self) -> Risk:
        """The highest of all."""
        risks = [*(note.risk for note in self.notes), *(whole.risk for whole in self.wholes)]
        return max(risks, key=lambda risk: risk.level, default=Risk.NONE)

    def count(self, effect: Effect) -> int:
        if effect is Effect.UNCHANGED:
            return self.unchanged
        return sum(note.effect is effect for note in self.notes)
