"""Packing: a deck with identities in, an Anki package out. The only import of genanki."""

from __future__ import annotations

from deckgen.pack.fingerprint import fingerprint, is_current
from deckgen.pack.package import package

__all__ = ["fingerprint", "is_current", "package"]
