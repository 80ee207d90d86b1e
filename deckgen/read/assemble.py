"""What all readers share: blocks become a document that covers its source in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from deckgen.model.document import (
    Block,
    Code,
    Details,
    Document,
    Flashcard,
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
from deckgen.read.footnotes import in_place
from deckgen.text.pattern import HAN, pattern

_CJK = pattern(f"[{HAN}]+")
_LATIN_WORD = pattern(r"[A-Za-z]{2,}")
_MARKUP = pattern(r"\\(?=[!-/:-@\[-`{-~])|[*`]|<[^<>]*>")
_CONTENTS = pattern(r"«read.contents»")
_CODE_SPAN = pattern(r"`[^`\n]*`")


def document(
    source: Source,
    reader: str,
    blocks: Iterable[Block],
    *,
    title: str = "",
    continuous: bool = False,
    chat: bool = False,
) -> Document:
    """A document of blocks that are in order already; lines that none of them holds become prose."""
    covered = in_place(cover(source.lines, in_order(blocks)))
    return document_of_blocks(source, reader, covered, title=title, continuous=continuous, chat=chat)


def document_of_blocks(
    source: Source,
    reader: str,
    blocks: Iterable[Block],
    *,
    title: str = "",
    continuous: bool = False,
    chat: bool = False,
    places: tuple[int, ...] = (),
) -> Document:
    """A document of blocks in order, for sources in which most lines are syntax: gaps are no prose."""
    placed = tuple(in_order(blocks))
    return Document(
        source=source,
        reader=reader,
        blocks=placed,
        title=title or first_title(placed) or "",
        language=language(placed),
        continuous=continuous,
        chat=chat,
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
    changed: dict[str, Any] = {"span": place(block.span)}
    if isinstance(block, Code | Output):
        changed["lines"] = tuple(place(line_span(line)).start for line in block.lines)
    elif isinstance(block, Table):
        changed["rows"] = tuple(replace(row, span=place(row.span)) for row in block.rows)
    elif isinstance(block, Items):
        changed["items"] = tuple(replace(item, span=place(item.span)) for item in block.items)
    elif isinstance(block, Details | Flashcard):
        changed["blocks"] = tuple(moved(inner, place) for inner in block.blocks)
    return replace(block, **changed)


def moved_to(blocks: Iterable[Block], numbers: Sequence[int]) -> list[Block]:
    """The same blocks; `numbers` says for each line that they count on which line of the source it stands."""

    def place(span: Span) -> Span:
        start, last = (numbers[min(line, len(numbers) - 1)] for line in (span.start, max(span.start, span.stop - 1)))
        return Span(start, max(start, last) + (span.stop > span.start))

    return [moved(block, place) for block in blocks] if numbers else []


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
        covered += [*prose(lines, Span(done, block.span.start)), block]
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


def first_title(blocks: Iterable[Block]) -> str | None:
    """The first heading of level one that does not head a table of contents, without its most common marks."""
    headings = (block.text for block in blocks if isinstance(block, Heading) and block.level == 1)
    titles = (_MARKUP.sub("", text).strip() for text in headings)
    return next((title for title in titles if not _CONTENTS.fullmatch(title)), None)


def language(blocks: Iterable[Block]) -> Literal["zh", "en"]:
    """Language of everything but code.

    A Chinese word has some two characters, and technical Chinese is full of English names: half as
    many characters as there are English words are enough.
    """
    text = _CODE_SPAN.sub("", "\n".join(map(_text, blocks)))
    characters = sum(map(len, _CJK.findall(text)))
    return "zh" if characters and characters * 2 >= len(_LATIN_WORD.findall(text)) else "en"


def _text(block: Block) -> str:
    """The text of a block that a person reads as language: empty for code and outputs."""
    match block:
        case Code() | Output() | Image() | Turn() | Refused():
            return ""
        case Table():
            return "\n".join((*block.header, *(cell for row in block.rows for cell in row.cells)))
        case Items():
            return "\n".join(item.text for item in block.items)
        case _:
            return f"{getattr(block, 'summary', '')}\n{getattr(block, 'text', '')}"
