"""Extraction: everything that was found in one document, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass

from deckgen.model.claim import Exists, Snippet
from deckgen.model.document import Document
from deckgen.model.note import Note, Skipped
from deckgen.model.source import Span


@dataclass(frozen=True, slots=True)
class Remark:
    """What an author should know of a line."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The finds of one document, each in document order."""

    document: Document
    notes: tuple[Note, ...]
    snippets: tuple[Snippet, ...]
    apis: tuple[Exists, ...]
    skipped: tuple[Skipped, ...]
    remarks: tuple[Remark, ...] = ()
