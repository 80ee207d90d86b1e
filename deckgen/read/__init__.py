"""Reading: a source becomes a flat document.

The reader is picked by what the text looks like, never by the file's ending. Readers never raise on
content: what they do not know is prose. A new shape is one module and one row of `READERS` (CONTRIBUTING.md says how).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple

from deckgen.model.document import Directive, Document
from deckgen.model.notation import Notation
from deckgen.model.source import Source, Span
from deckgen.read import (
    anki,
    cards_csv,
    cards_json,
    chat,
    conflict,
    conversation,
    flashcards,
    markdown,
    notebook,
    notebook_text,
    script,
    webpage,
)
from deckgen.read.front_matter import front_matter_of
from deckgen.read.plain import page


class Sign(IntEnum):
    """How surely a reader knows its shape. The surest that knows a text reads it; two of one sign never know the same text."""

    SYNTAX = 0
    """The whole text is JSON or HTML: whatever stands inside is quoted there."""
    EXPORTER = 1
    """A program marked its export at the margin, as no person writes: `# %%`, `#separator:tab`. Its code has no fences."""
    CARDS = 2
    """Flashcards as another tool marks them; what stands beside them is read as Markdown."""
    SPEAKERS = 3
    """Two speakers take turns: they paste prompts and code without fences, which the reader of chats finds in what is said."""
    PROMPTS = 4
    """`In [3]:` at the margin, above code without fences."""
    BARE_CODE = 5
    """Code at the margin and no fence anywhere: a guess, which is right for all of the above, too."""


class Reader(NamedTuple):
    """One shape of sources."""

    read: Callable[[Source], Document | None]
    """None for a source of another shape."""
    sign: Sign


READERS: tuple[Reader, ...] = (
    Reader(notebook.read, Sign.SYNTAX),
    Reader(conversation.read, Sign.SYNTAX),
    Reader(cards_json.read, Sign.SYNTAX),
    Reader(cards_csv.read, Sign.SYNTAX),
    Reader(webpage.read, Sign.SYNTAX),
    Reader(script.read, Sign.EXPORTER),
    Reader(anki.read, Sign.EXPORTER),
    Reader(chat.read, Sign.SPEAKERS),
    Reader(notebook_text.read, Sign.PROMPTS),
    Reader(page.read, Sign.BARE_CODE),
)
"""In any order; what none of them knows is Markdown. Flashcards of other tools are asked for the front matter and the deck, too."""
NOTATION = Notation()
"""Of a source that belongs to no deck."""


def read(source: Source, notation: Notation = NOTATION) -> Document:
    """The document that a source holds; `notation` = what its deck says of how cards are written there.

    Blocks are in order, their spans do not overlap, and every line of a text source that is not blank
    lies in one of them. In JSON sources (notebooks, exported chats) and in HTML lines of syntax lie in none, and
    many blocks may share a line: all but the last of them then have an empty span at its start.

    Raises SourceError for what cannot be read, or holds a merge conflict.
    """
    matter = front_matter_of(source.lines)
    below = replace(source, text="\n" * matter.stop + "\n".join(source.lines[matter.stop :])) if matter else source
    values = matter.values if matter else {}
    cards = Reader(lambda below: flashcards.read(below, values, notation), Sign.CARDS)
    by_sign = sorted((*READERS, cards), key=lambda reader: reader.sign)
    found = next(filter(None, (reader.read(below) for reader in by_sign)), None) or markdown.read(below)
    conflict.refuse(found)
    if matter is None:
        return found
    # The front matter itself becomes a directive without words: it teaches nothing.
    blocks = (Directive(Span(0, matter.stop), ()), *found.blocks)
    tags = flashcards.tags(matter.values, matter.tags) if found.reader == "flashcards" else matter.tags
    return replace(found, source=source, blocks=blocks, title=matter.title or found.title, tags=tags)
