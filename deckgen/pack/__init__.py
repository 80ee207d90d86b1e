"""Packing: a deck with identities in, an Anki package out. The only import of genanki."""

from __future__ import annotations

from deckgen.pack.package import package
from deckgen.pack.write import write

__all__ = ["package", "write"]
