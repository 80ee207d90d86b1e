"""Keeping: what a learner has learnt stays with the note it was learnt on (docs/keeping.md)."""

from __future__ import annotations

from deckgen.changes import Change, Changes, Doubtful
from deckgen.keep.adopt import adopt, copies, part
from deckgen.keep.assign import Assigned, Release, assign
from deckgen.keep.known import known
from deckgen.keep.lock import Lock, LockedNote, new_deck_id
from deckgen.keep.lockfile import format_lock, parse_lock
from deckgen.keep.snapshot import snapshot
from deckgen.keep.subdecks import Shelf

__all__ = [
    "Assigned",
    "Change",
    "Changes",
    "Doubtful",
    "Lock",
    "LockedNote",
    "Release",
    "Shelf",
    "adopt",
    "assign",
    "copies",
    "format_lock",
    "known",
    "new_deck_id",
    "parse_lock",
    "part",
    "snapshot",
]
