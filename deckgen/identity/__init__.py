"""Keeping: what a learner has learnt stays with the note it was learnt on (docs/keeping.md)."""

from __future__ import annotations

from deckgen.identity.adopt import adopt, copies, part
from deckgen.identity.assign import Assigned, Release, assign
from deckgen.identity.identity import known
from deckgen.identity.lock import Lock, LockedNote, new_deck_id, snapshot
from deckgen.identity.lockfile import format_lock, parse_lock
from deckgen.identity.subdecks import Shelf
from deckgen.model.deck import Change, Changes, Doubtful

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
