"""What all readers share: blocks become a document that covers its source in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from deckgen.model.document import (
    Block,
    Code,
    Details,
    Document,
    Heading,
    Image,
    Items,
    Output,
    Prose,
    Refused,
    Table,
    Turn,
)
from deckgen.model.source import Source, Span, line_span
from deckgen.read.blocks.footnotes import told_in_place
from deckgen.text.pattern import pattern

_UNREAD = (Code, Output, Image, Turn, Refused)
"""Blocks without text in a language of people."""
_CJK = pattern(r"[\u3400-\u9fff]+")
_LATIN_WORD = pattern(r"[A-Za-z]{2,}")
_MARKUP = pattern(r"\\(?=[!-/:-@\[-`{-~])|[*`]|<[^<>]*>")
_CONTENTS = pattern(r"(table of )?contents|toc|目录|目錄|大纲", re.I)
_CODE_SPAN = pattern(r"`[^`\n]*`")


def document(
    source: Source,
    reader: str,
    blocks: Iterable[Block],
    *,
    title: str = "",
    tags: tuple[str, ...] = (),
    continuous: bool = False,
) -> Document:
    """A document of blocks that are in order already; lines that none of them holds become prose."""
    covered = tuple(told_in_place(cover(source.lines, in_order(blocks))))
    return Document(
        source=source,
        reader=reader,
        blocks=covered,
        title=title or first_title(covered),
        tags=tags,
        language=language(covered),
        continuous=continuous,
    )


def document_of_blocks(
    source: Source,
    reader: str,
    blocks: Iterable[Block],
    *,
    title: str = "",
    continuous: bool = False,
    places: tuple[int, ...] = (),
) -> Document:
    """A document of blocks in order, for sources in which most lines are syntax: gaps are no prose."""
    placed = tuple(in_order(blocks))
    return Document(
        source=source,
        reader=reader,
        blocks=placed,
        title=title or first_title(placed),
        language=language(placed),
        continuous=continuous,
        places=places,
    )


def in_order(blocks: Iterable[Block]) -> list[Block]:
    """Blocks whose spans do not overlap: one that reaches into the next ends where that begins.

    Blocks that share one line keep its place: all but the last get an empty span at its start.
    """
    kept = list(blocks)
    for index in range(len(kept) - 2, -1, -1):
        block, limit = kept[index], kept[index + 1].span.start
        if block.span.stop > limit:
            kept[index] = replace(block, span=Span(min(block.span.start, limit), limit))
    return kept


def moved(block: Block, place: Callable[[Span], Span]) -> Block:
    """The same block elsewhere: `place` says where each of its spans has gone."""
    span = place(block.span)
    if isinstance(block, Code):
        return replace(block, span=span, lines=tuple(place(line_span(line)).start for line in block.lines))
    if isinstance(block, Output):
        return replace(block, span=span, lines=tuple(place(line_span(line)).start for line in block.lines))
    if isinstance(block, Table):
        return replace(block, span=span, rows=tuple(replace(row, span=place(row.span)) for row in block.rows))
    if isinstance(block, Items):
        items = tuple(replace(item, span=place(item.span)) for item in block.items)
        return replace(block, span=span, items=items)
    if isinstance(block, Details):
        return replace(block, span=span, blocks=tuple(moved(inner, place) for inner in block.blocks))
    return replace(block, span=span)


def shifted(blocks: Iterable[Block], lines: int) -> list[Block]:
    """The same blocks, so many lines further down."""
    if not lines:
        return list(blocks)
    return [moved(block, lambda span: Span(span.start + lines, span.stop + lines)) for block in blocks]


def cover(lines: Sequence[str], blocks: Iterable[Block]) -> list[Block]:
    """The same blocks, with prose for every run of other lines that is not blank."""
    covered: list[Block] = []
    done = 0
    for block in blocks:
        if any(map(str.strip, lines[done : block.span.start])):
            covered += prose(lines, Span(done, block.span.start))
        covered.append(block)
        done = max(done, block.span.stop)
    return covered + prose(lines, Span(done, len(lines)))


def prose(lines: Sequence[str], span: Span) -> list[Block]:
    """Paragraphs of a span, split at blank lines."""
    paragraphs: list[Block] = []
    first = None
    for number in range(span.start, span.stop + 1):
        blank = number == span.stop or not lines[number].strip()
        if first is None and not blank:
            first = number
        elif first is not None and blank:
            paragraphs.append(Prose(Span(first, number), "\n".join(lines[first:number])))
            first = None
    return paragraphs


def plain(markdown: str) -> str:
    """Inline Markdown without its most common marks, for titles."""
    return _MARKUP.sub("", markdown).strip()


def first_title(blocks: Iterable[Block]) -> str:
    """The text of the first heading of level one that does not head a table of contents, without markup."""
    return title_among(blocks) or ""


def title_among(blocks: Iterable[Block]) -> str | None:
    """The same of some blocks of a document; None if no such heading is among them."""
    titles = (plain(block.text) for block in blocks if isinstance(block, Heading) and block.level == 1)
    return next((title for title in titles if not _CONTENTS.fullmatch(title)), None)


def language(blocks: Iterable[Block]) -> Literal["zh", "en"]:
    """Language of everything but code.

    A Chinese word has some two characters, and technical Chinese is full of English names: half as
    many characters as there are English words are enough.
    """
    return language_of(*words_in(blocks))


def language_of(characters: int, words: int) -> Literal["zh", "en"]:
    """The language of a text with so many Chinese characters and English words."""
    return "zh" if characters and characters * 2 >= words else "en"


def words_in(blocks: Iterable[Block]) -> tuple[int, int]:
    """How many Chinese characters and English words stand outside of code."""
    text = _CODE_SPAN.sub("", "\n".join(map(words_of, blocks)))
    return sum(map(len, _CJK.findall(text))), len(_LATIN_WORD.findall(text))


def words_of(block: Block) -> str:
    """The text of a block that a person reads as language: empty for code and outputs."""
    if isinstance(block, _UNREAD):
        return ""
    if isinstance(block, Table):
        return "\n".join((*block.header, *(cell for row in block.rows for cell in row.cells)))
    if isinstance(block, Items):
        return "\n".join(item.text for item in block.items)
    return f"{getattr(block, 'summary', '')}\n{getattr(block, 'text', '')}"
