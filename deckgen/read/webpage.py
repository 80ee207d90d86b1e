"""Pages saved as HTML, and chats among them."""

from __future__ import annotations

import re

from deckgen.model.document import Document
from deckgen.model.source import Source
from deckgen.read import chat, markdown
from deckgen.read.assemble import document_of_blocks, moved_to
from deckgen.read.html import Page
from deckgen.text.pattern import pattern

_OPENING = pattern(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!doctype\s+html\b|html\b)", re.I)


def read(source: Source) -> Document | None:
    """A whole page (Markdown with some HTML in it is Markdown); lines of the file that are markup alone say nothing."""
    if source.text.lstrip()[:1] != "<" or not _OPENING.match(source.text[:4000]):
        return None
    page = Page(source.text)
    labels = chat.turns(page.lines)
    blocks = chat.blocks_of(page.lines, labels) if labels else markdown.blocks_of(page.lines)
    # Texts that share a line of the file, as in HTML on one line, count lines of their own.
    texts = [
        line for text, line in zip(page.lines, page.origins, strict=True) if text.strip() and not text.startswith("```")
    ]
    places = tuple(page.origins) if len(set(texts)) < len(texts) else ()
    if not places:
        blocks = sorted(moved_to(blocks, page.origins), key=lambda block: block.span.start)
    title = " ".join(page.title.split())
    return document_of_blocks(source, "webpage", blocks, title=title, chat=bool(labels), places=places)
