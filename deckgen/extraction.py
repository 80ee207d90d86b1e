"""Extraction: everything that was found in one document, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass

from deckgen.claim import Exists, Snippet
from deckgen.document import Document
from deckgen.note import Note, Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The finds of one document, each in document order."""

    document: Document
    notes: tuple[Note, ...]
    snippets: tuple[Snippet, ...]
    apis: tuple[Exists, ...]
    skipped: tuple[Skipped, ...]
