"""Comparing: two versions of a deck in, what an update means for learners out."""

from __future__ import annotations

from deckgen.compare.compare import compare
from deckgen.compare.package import snapshot
from deckgen.compare.text import data, text

__all__ = ["compare", "data", "snapshot", "text"]
