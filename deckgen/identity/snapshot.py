"""A lock as a snapshot of the deck, for comparing two releases without their packages."""

from __future__ import annotations

from deckgen.identity.lock import Lock, LockedNote
from deckgen.model.changes import NOTETYPE_NAMES
from deckgen.model.difference import Snapshot, SnapshotNote, SnapshotType


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
