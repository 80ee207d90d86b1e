"""A document made ready for the rules: machine-made text is refused, and texts are written as most authors write them.

Each line stays in its place, so that spans go on to mean the same lines.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from deckgen.extract.blocks import texts_of, with_texts
from deckgen.model.document import Block, Details, Document, Heading, Prose, Quote, Refused, Table
from deckgen.text.pattern import pattern

UNWIELDY = "a line, a paragraph or a table too long to have been written by hand"
LONGEST_LINE = 4_000
"""Characters of a line: no sentence is that long, and patterns that look back would take their time."""
MOST_LINES = 1_000
"""Lines of one paragraph."""
MOST_COLUMNS = 100
"""Columns of a table."""

_FULL_WIDTH = pattern(r"[０-９Ａ-Ｚａ-ｚ]+|(?<=[0-9０-９])．(?![0-9０-９])")
"""Digits and letters of Chinese input methods: `１．`, `（２）`, `Ａ．`."""
_ANCHOR = pattern(r"\s*\[(?:¶|#|🔗|\uf0c1)\]\(#[^()\s]*(?:\s+\"[^\"]*\")?\)\s*$")
"""`[¶](#title "Permalink")` behind a heading of a page that was saved as Markdown."""


def prepared(document: Document) -> Document:
    """The document as the rules read it."""
    blocks = tuple(map(_prepared, document.blocks))
    same = all(new is old for new, old in zip(blocks, document.blocks, strict=True))
    return document if same else replace(document, blocks=blocks)


def _prepared(block: Block) -> Block:
    if isinstance(block, Details):  # what is hidden is refused part by part: there may be code among it
        inner = tuple(map(_prepared, block.blocks))
        if any(new is not old for new, old in zip(inner, block.blocks, strict=True)):
            block = replace(block, blocks=inner)
    elif unwieldy(block):
        return Refused(block.span, "", UNWIELDY)
    elif isinstance(block, Heading) and block.text.endswith(")"):
        block = replace(block, text=_ANCHOR.sub("", block.text) or block.text)
    if any(not text.isascii() and _FULL_WIDTH.search(text) for text in texts_of(block)):
        block = with_texts(block, _half_width)
    return block


def _half_width(text: str) -> str:
    return _FULL_WIDTH.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def unwieldy(block: Block) -> bool:
    """True for machine-made text, and for what stands in its place."""
    if isinstance(block, Refused):
        return block.reason == UNWIELDY
    if isinstance(block, Table) and len(block.header) > MOST_COLUMNS:
        return True
    most = MOST_LINES if isinstance(block, Prose | Quote | Details) else LONGEST_LINE
    return any(_is_unwieldy(text, most) for text in texts_of(block))


def _is_unwieldy(text: str, most: int) -> bool:
    """True for a text of too many lines, or with too long a line; `most` is how many characters are surely few enough."""
    if len(text) <= most:
        return False
    lines = text.split("\n")
    return len(lines) > MOST_LINES or max(map(len, lines)) > LONGEST_LINE
