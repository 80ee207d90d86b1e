"""Reading a long Markdown source by the passages that it can be cut into (`cuts`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckgen.model.document import Block, Document
from deckgen.model.passage import Wording
from deckgen.model.source import Source
from deckgen.read import READERS, markdown
from deckgen.read.assemble import _CJK, _CODE_SPAN, _LATIN_WORD, _text, first_title


def passage_blocks(lines: Sequence[str], start: int) -> list[Block]:
    """The blocks of the lines of a passage, the first of which is line `start` of the source."""
    return markdown.blocks_of(lines, start)


def wording(blocks: Sequence[Block], text: str, *, whole: Source | None = None) -> Wording:
    """What the blocks of a passage with this text say for the whole document; `whole` is that, if it was just read."""
    said = _CODE_SPAN.sub("", "\n".join(map(_text, blocks)))
    characters = sum(map(len, _CJK.findall(said)))
    return Wording(first_title(blocks), characters, len(_LATIN_WORD.findall(said)), may_speak=True)


def is_markdown(source: Source, wordings: Iterable[Wording]) -> bool:
    """True if a source with passages of these wordings is read as plain Markdown."""
    return not any(reader(source) for reader in READERS)


def document_of(source: Source, blocks: Iterable[Block], wordings: Sequence[Wording]) -> Document:
    """The document with all of these passages, of which only some blocks are wanted."""
    titles = (one.title for one in wordings if one.title is not None)
    return Document(
        source=source,
        reader="markdown",
        blocks=tuple(blocks),
        title=next(titles, ""),
        language="zh"
        if 2 * sum(one.chinese for one in wordings) >= max(1, sum(one.english for one in wordings))
        else "en",
    )
