"""Comparing: two versions of a deck in, what an update means for learners out."""

from __future__ import annotations

from deckgen.compare.compare import compare, data, text
from deckgen.compare.package import snapshot

__all__ = ["compare", "data", "snapshot", "text"]
