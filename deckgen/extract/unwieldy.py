"""Text that nobody wrote by hand: refused before any idiom looks at it, since patterns that look back would take their time."""

from __future__ import annotations

from dataclasses import replace

from deckgen.model.document import Block, Details, Document, Heading, Items, Prose, Quote, Refused, Table

UNWIELDY = "a line, a paragraph or a table too long to have been written by hand"
LONGEST_LINE = 4_000
"""Characters: no sentence is that long."""
MOST_LINES = 1_000
"""Lines of one paragraph."""
MOST_COLUMNS = 100
"""Columns of a table."""


def borne(document: Document) -> Document:
    """The same document with machine-made text refused; the document itself if it has none."""
    blocks = tuple(map(_borne, document.blocks))
    same = all(new is old for new, old in zip(blocks, document.blocks, strict=True))
    return document if same else replace(document, blocks=blocks)


def _borne(block: Block) -> Block:
    """What is hidden is refused part by part: there may be code among it."""
    if isinstance(block, Details):
        inner = tuple(map(_borne, block.blocks))
        same = all(new is old for new, old in zip(inner, block.blocks, strict=True))
        return block if same else replace(block, blocks=inner)
    return Refused(block.span, "", UNWIELDY) if unwieldy(block) else block


def unwieldy(block: Block) -> bool:
    """True for machine-made text, and for what stands in its place."""
    match block:
        case Refused():
            return block.reason == UNWIELDY
        case Prose() | Quote() | Details():
            return _is_unwieldy(block.text)
        case Heading():
            return len(block.text) > LONGEST_LINE
        case Items():
            return any(len(item.text) > LONGEST_LINE or item.text.count("\n") > MOST_LINES for item in block.items)
        case Table():
            cells = [*block.header, *(cell for row in block.rows for cell in row.cells)]
            return len(block.header) > MOST_COLUMNS or any(len(cell) > LONGEST_LINE for cell in cells)
        case _:
            return False


def _is_unwieldy(text: str) -> bool:
    if len(text) <= MOST_LINES:
        return False
    lines = text.split("\n")
    return len(lines) > MOST_LINES or max(map(len, lines)) > LONGEST_LINE
