"""The lock: what Anki knows each note of a deck by, as it was at the last build.

Everything here is decided once and kept: Anki matches notes by GUID alone, cards by their number in
the note, decks by name, and takes an update only if its time is strictly newer.

A lock as a snapshot of the deck, for comparing two releases without their packages.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from deckgen.model.deck import NOTETYPE_NAMES, Kind
from deckgen.model.difference import Snapshot, SnapshotNote, SnapshotType
from deckgen.model.note import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedHole:
    """A deletion of a cloze: the history of its card hangs on `number`."""

    number: int
    text: str
    before: str = ""
    """A few characters on either side, by which a hole is known again when its text is corrected."""
    after: str = ""
    retired: bool = False
    """True if the hole is gone; its number is never given to another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedNote:
    """One note as learners have it. `guid` is what Anki knows it by."""

    guid: str
    kind: Kind
    headings: tuple[str, ...]
    anchor: str
    mtime: int
    """Seconds since 1970, when what is learnt last changed."""
    hash: str
    """Of everything that makes a learner's note: see `content.content_hash`."""
    due: int
    id: str | None = None
    """The author's own name for the note, if it has one."""
    title: str = ""
    """The first field as plain text: what a learner can search for."""
    answer: str = ""
    """The beginning of the answer as plain text, for recognising a reworded question."""
    answer_hash: str = ""
    files: tuple[str, ...] = ()
    """The sources that it stands in, relative to the lock."""
    subdeck: str = ""
    """Name below the deck; empty = in the deck itself. Anki never moves cards, so neither does this."""
    ordinals: tuple[int, ...] = ()
    holes: tuple[LockedHole, ...] = ()
    source: str = ""
    """The fields Source and Checked and the tags of deckgen's own, as they stood when the note last changed."""
    checked: str = ""
    marks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Verdict words: outside the content, so that a new torch touches no note."""
    gone: int | None = None
    """When the note was found to be removed; it keeps its line, so that it can come back as itself."""
    perhaps: str = ""
    """GUID of a removed note that this one may be, until the author has said whether it is."""

    @property
    def key(self) -> Key:
        return Key(self.headings, self.anchor)

    @property
    def newest(self) -> int:
        """The latest time in this line."""
        return max(self.mtime, self.gone or 0)


@dataclass(frozen=True, slots=True)
class LockedSubdeck:
    """The name of a file's subdeck, numbered once and for all: `10 Tensors`."""

    name: str
    file: str
    """The source it was made for, relative to the lock."""

    @property
    def title(self) -> str:
        return self.name.partition(" ")[2]

    @property
    def number(self) -> int:
        return int(self.name.partition(" ")[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """A parsed `deckgen.lock`."""

    name: str = "deckgen.lock"
    """Its path for messages; not part of the file."""
    deck_id: int
    deck_name: str
    notetypes_hash: str = ""
    notetypes_mtime: int = 0
    subdecks: tuple[LockedSubdeck, ...] = ()
    notes: tuple[LockedNote, ...] = ()
    written: Mapping[str, tuple[LockedNote, str]] = field(default_factory=dict, compare=False, repr=False)
    """By GUID: a note as it was read, and its line in the file. A note that stays itself keeps its line as it stands."""

    @property
    def live(self) -> Iterator[LockedNote]:
        """The notes that were in the last package."""
        return (note for note in self.notes if note.gone is None)


def new_deck_id() -> int:
    """An id for a deck that has none: random, never made of a path, and exact as a JavaScript number."""
    return secrets.randbelow(2**52 - 2**40) + 2**40


def snapshot(lock: Lock) -> Snapshot:
    """What is in the last package: notes without their fields, but with their times and content hashes."""
    notes = tuple(_note(note, lock.deck_name) for note in lock.live)
    kinds = sorted({note.kind for note in lock.live})
    return Snapshot(
        name=lock.name,
        notes=notes,
        types=tuple(
            SnapshotType(id=kind, name=NOTETYPE_NAMES[kind], mtime=lock.notetypes_mtime, look=lock.notetypes_hash)
            for kind in kinds
        ),
        form="lock",
        decks=tuple(sorted({lock.deck_name, *(note.deck for note in notes)})),
    )


def _note(note: LockedNote, deck: str) -> SnapshotNote:
    return SnapshotNote(
        guid=note.guid,
        title=note.title,
        notetype=note.kind,
        mtime=note.mtime,
        hash=note.hash,
        tags=note.marks,
        cards=note.ordinals,
        deck=f"{deck}::{note.subdeck}" if note.subdeck else deck,
    )
