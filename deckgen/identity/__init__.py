"""Keeping: what a learner has learnt stays with the note it was learnt on (docs/keeping.md)."""

from __future__ import annotations

from deckgen.identity.assign import Assigned, Release, assign_guids
from deckgen.identity.author import Applied, apply_decisions, decided, fingerprint
from deckgen.identity.identify import adopt, are_learnt, copies, keep_apart
from deckgen.identity.lock import Lock, LockedNote, format_lock, new_deck_id, parse_lock, snapshot
from deckgen.identity.places import SourceDeck

__all__ = [
    "Applied",
    "Assigned",
    "Lock",
    "LockedNote",
    "Release",
    "SourceDeck",
    "adopt",
    "apply_decisions",
    "are_learnt",
    "assign_guids",
    "copies",
    "decided",
    "fingerprint",
    "format_lock",
    "keep_apart",
    "new_deck_id",
    "parse_lock",
    "snapshot",
]
