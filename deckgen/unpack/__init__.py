"""Unpacking: what is in a package of Anki's, deckgen's or anybody else's, which is hostile input."""

from __future__ import annotations

from deckgen.unpack.archive import brief, database
from deckgen.unpack.collection import DAMAGED, Collection
from deckgen.unpack.notes import notes_of

__all__ = ["DAMAGED", "Collection", "brief", "database", "notes_of"]
