"""Pages saved as HTML, and chats among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.model.document import Document
from deckgen.model.source import Source, Span
from deckgen.read import chat, markdown
from deckgen.read.assemble import document_of_blocks, in_order, moved
from deckgen.read.web.hypertext import Markdown
from deckgen.text.pattern import pattern

_OPENING = pattern(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!doctype\s+html\b|html\b)", re.I)


def claims_source(source: Source) -> bool:
    """A whole page; Markdown with some HTML in it is Markdown."""
    return source.text.lstrip()[:1] == "<" and bool(_OPENING.match(source.text[:4000]))


def read(source: Source) -> Document:
    """The page's text as Markdown would have it; lines of the file that are markup alone say nothing."""
    page = Markdown()
    page.read(source.text)
    held = Source(source.name, "\n".join(page.lines))
    talk = chat.claims_source(held)
    blocks = chat.blocks_of(held.lines) if talk else markdown.blocks_of(held.lines)
    places = tuple(page.origins) if _share_lines(page) else ()
    if not places:
        blocks = [moved(block, lambda span: _place(span, page.origins, len(source.lines))) for block in blocks]
        blocks = in_order(sorted(blocks, key=lambda block: block.span.start))
    title = " ".join(page.title.split())
    return document_of_blocks(source, "chat" if talk else "webpage", blocks, title=title, places=places)


def _share_lines(page: Markdown) -> bool:
    """True if texts share a line of the file, as in HTML on one line; the marks of a fence stand where its code does."""
    said = zip(page.lines, page.origins, strict=True)
    filled = [line for text, line in said if text.strip() and not text.startswith("```")]
    return len(set(filled)) < len(filled)


def _place(span: Span, origins: Sequence[int], lines: int) -> Span:
    if not origins:
        return Span(0, 0)
    start = origins[min(span.start, len(origins) - 1)]
    last = origins[min(max(span.start, span.stop - 1), len(origins) - 1)]
    return Span(start, min(lines, max(start, last) + (span.stop > span.start)))
