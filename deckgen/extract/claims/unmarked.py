"""Output without any marker: the first lines of a block are code, the rest does not parse and is values."""

from __future__ import annotations

from deckgen.extract.claims.cut import Cut, Pasted, looks_like_code
from deckgen.extract.claims.words import only_values
from deckgen.text.syntax import parsed
from deckgen.written.lines import paragraphs

FORM = "unmarked"
_LINES = 400
"""Longer blocks are not searched: each try parses them once more."""


def cut(lines: tuple[str, ...]) -> Cut | None:
    """Cut a block that does not parse where its first value starts, if all that follows is output."""
    if len(lines) > _LINES or parsed("\n".join(lines)) is not None:
        return None
    for start, _ in paragraphs(lines):
        if start and only_values(lines[start:]) and looks_like_code("\n".join(lines[:start])):
            kept = tuple(range(start))
            taken = tuple(range(start, len(lines)))
            return Cut(lines[:start], kept, (Pasted(FORM, taken, lines[start:]),))
    return None
