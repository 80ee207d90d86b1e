"""Reading: a source becomes a flat document.

The reader is picked by what the text looks like, never by the file's ending. Readers never raise on
content: what they do not know is prose. A new shape is one module and one line in `READERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from deckgen.model.document import Directive, Document
from deckgen.model.source import Source, Span
from deckgen.read import anki, chat, conversation, markdown, notebook, notebook_text, script, webpage
from deckgen.read.front_matter import front_matter
from deckgen.read.plain import page

READERS: tuple[Callable[[Source], Document | None], ...] = (
    notebook.read,
    conversation.read,
    webpage.read,
    script.read,
    chat.read,
    notebook_text.read,
    page.read,
    anki.read,
)
"""In order: the first that knows the shape of a source reads it. Each says None of other shapes."""


def read(source: Source) -> Document:
    """The document that a source holds.

    Blocks are in order, their spans do not overlap, and every line of a text source that is not blank
    lies in one of them. In JSON sources (notebooks, exported chats) and in HTML lines of syntax lie in none, and
    many blocks may share a line: all but the last of them then have an empty span at its start.
    """
    matter = front_matter(source.lines)
    below = replace(source, text="\n" * matter.stop + "\n".join(source.lines[matter.stop :])) if matter else source
    found = next(filter(None, (read_shape(below) for read_shape in READERS)), None) or markdown.read(below)
    if matter is None:
        return found
    # The front matter itself becomes a directive without words: it teaches nothing.
    blocks = (Directive(Span(0, matter.stop), ()), *found.blocks)
    return replace(found, source=source, blocks=blocks, title=matter.title or found.title, tags=matter.tags)
