"""Merge conflicts that nobody has resolved: both sides would become notes, and the notes of the one side would seem to be gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckgen.model.document import Code, Document
from deckgen.model.errors import SourceError
from deckgen.model.source import CONFLICT_MARKERS
from deckgen.text.pattern import pattern

_OURS, _, _BETWEEN, _THEIRS = CONFLICT_MARKERS
_LINES = (pattern(rf"{_OURS} \S"), pattern(rf"{_BETWEEN}\s*\Z"), pattern(rf"{_THEIRS} \S"))
"""The lines of a conflict, in this order."""


def refuse(document: Document) -> None:
    """Raises SourceError, with the line, for a conflict outside of code: code may show one."""
    text = document.source.text
    if f"{_OURS} " not in text or f"{_THEIRS} " not in text:
        return
    lines = document.source.lines
    for start in _conflicts(lines):
        if not any(isinstance(one, Code) and start in one.span for one in document.opened().blocks):
            hint = "keep what is right of both sides, and delete the marker lines"
            raise SourceError("an unresolved merge conflict", f"{document.source.name}:{start + 1}", hint)


def _conflicts(lines: Sequence[str]) -> Iterator[int]:
    """The first line of each, counted from 0."""
    start, awaited = 0, 0
    for number, line in enumerate(lines):
        if _LINES[0].match(line):
            start, awaited = number, 1
        elif awaited and _LINES[awaited].match(line):
            awaited += 1
            if awaited == len(_LINES):
                yield start
                awaited = 0
