"""Keeping: what a learner has learnt stays with the note it was learnt on (docs/keeping.md)."""

from __future__ import annotations

from deckgen.identity.assign import Assigned, Release, assign
from deckgen.identity.author import Honoured, decided, fingerprint, honour
from deckgen.identity.identify import adopt, copies, known, part
from deckgen.identity.lock import Lock, LockedNote, format_lock, new_deck_id, parse_lock, snapshot
from deckgen.identity.places import Shelf

__all__ = [
    "Assigned",
    "Honoured",
    "Lock",
    "LockedNote",
    "Release",
    "Shelf",
    "adopt",
    "assign",
    "copies",
    "decided",
    "fingerprint",
    "format_lock",
    "honour",
    "known",
    "new_deck_id",
    "parse_lock",
    "part",
    "snapshot",
]
