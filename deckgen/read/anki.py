"""Text that Anki itself exported: what it holds are notes already, with identities of their own."""

from __future__ import annotations

from deckgen.model.document import Document, Refused
from deckgen.model.source import Source, Span
from deckgen.read.assemble import document_of_blocks
from deckgen.text.pattern import pattern

_HEADER = pattern(r"#(?:separator|html|notetype|deck|guid column|tags|columns):\S")
_REASON = "Anki's own export: import it into Anki (File > Import), which knows its notes"


def read(source: Source) -> Document | None:
    """Anki's lines `#separator:tab` and `#html:true` at the top."""
    if not all(map(_HEADER.match, source.lines[:2])) or len(source.lines) < 2:
        return None
    return document_of_blocks(source, "anki", [Refused(Span(0, len(source.lines)), "", _REASON)])
