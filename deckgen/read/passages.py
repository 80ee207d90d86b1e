"""Reading a long Markdown source by the passages that it can be cut into (`cuts`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckgen.model.document import Block, Document
from deckgen.model.passage import Wording
from deckgen.model.source import Source
from deckgen.read import READERS, chat, markdown
from deckgen.read.assemble import language_of, title_among, words_in
from deckgen.read.labels import may_speak


def passage_blocks(lines: Sequence[str], start: int) -> list[Block]:
    """The blocks of the lines of a passage, the first of which is line `start` of the source."""
    return markdown.blocks_of(lines, start)


def wording(blocks: Sequence[Block], text: str, *, whole: Source | None = None) -> Wording:
    """What the blocks of a passage with this text say for the whole document; `whole` is that, if it was just read."""
    speaks = (whole is None or may_speak(whole.text)) and may_speak(text)
    return Wording(title_among(blocks), *words_in(blocks), may_speak=speaks)


def is_markdown(source: Source, wordings: Iterable[Wording]) -> bool:
    """True if a source with passages of these wordings is read as plain Markdown."""
    speaks = any(one.may_speak for one in wordings)
    others = (reader for reader in READERS if reader.read is not markdown.read)
    return not any(reader.claims(source) for reader in others if speaks or reader.read is not chat.read)


def document_of(source: Source, blocks: Iterable[Block], wordings: Sequence[Wording]) -> Document:
    """The document with all of these passages, of which only some blocks are wanted."""
    titles = (one.title for one in wordings if one.title is not None)
    return Document(
        source=source,
        reader="markdown",
        blocks=tuple(blocks),
        title=next(titles, ""),
        language=language_of(sum(one.chinese for one in wordings), sum(one.english for one in wordings)),
    )
