"""Reading: a source becomes a flat document.

The reader is picked by what the text looks like, never by the file's ending. Readers never raise on
content: what they do not know is prose. A new shape is one module and one line in `READERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from deckgen.model.document import Document
from deckgen.model.source import Source
from deckgen.read import chat, conversation, exported, hexo, ipynb, markdown, scraped, script, tabbed, webpage


class Reader(NamedTuple):
    """One shape of source."""

    claims: Callable[[Source], bool]
    """Whether a source has this shape; cheap, because every source is asked in turn."""
    read: Callable[[Source], Document]


READERS = (
    Reader(ipynb.claims_source, ipynb.read),
    Reader(conversation.claims_source, conversation.read),
    Reader(webpage.claims_source, webpage.read),
    Reader(tabbed.claims_source, tabbed.read),
    Reader(script.claims_source, script.read),
    Reader(chat.claims_source, chat.read),
    Reader(exported.claims_source, exported.read),
    Reader(hexo.claims_source, hexo.read),
    Reader(scraped.claims_source, scraped.read),
    Reader(markdown.claims_source, markdown.read),
)
"""In order: the first that claims a source reads it; Markdown claims everything."""


def read(source: Source) -> Document:
    """The document that a source holds.

    Blocks are in order, their spans do not overlap, and every line of a text source that is not blank
    lies in one of them. In JSON sources (notebooks, exported chats) and in HTML lines of syntax lie in none, and
    many blocks may share a line: all but the last of them then have an empty span at its start.
    """
    return next(reader for reader in READERS if reader.claims(source)).read(source)
