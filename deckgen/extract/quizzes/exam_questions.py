"""The numbered questions of a test: items, paragraphs and headings that begin with a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract.blocks import Line
from deckgen.extract.page import Page
from deckgen.extract.quizzes.question_numbers import counted
from deckgen.extract.text import without_emoji
from deckgen.model.document import Heading, Items, Prose, Quote
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_NUMBERED = pattern(
    r"^\W{0,4}(?:第|Q|Question|Exercise|Problem|题目?)?\s*(?P<number>\d{1,3})\s*题?\s*(?:\*\*)?\s*[.、:：)）\]】](?!\d)\s*(?:\*\*)?\s*"
    r"(?P<text>\S.*)?$",
    re.IGNORECASE,
)


class Asked(NamedTuple):
    """A numbered question of a test."""

    number: int
    text: str
    place: tuple[int, int]
    """Of its line: the block, and the place in that."""
    span: Span


def asked_in(page: Page, index: int) -> Iterator[Asked]:
    """The numbered questions of a heading, a paragraph or a list."""
    block = page.blocks[index]
    if isinstance(block, Items):
        begin = page.item_starts(index)
        for at, item in enumerate(block.items):
            if item.depth == 0 and item.number.isdigit():
                yield Asked(int(item.number), item.text.strip(), (index, begin[at]), item.span)
    elif isinstance(block, Heading):
        match = _NUMBERED.match(counted(without_emoji(block.text)))
        if match and (match["text"] or _text_below(page, index)):
            below = not match["text"]
            text = _text_below(page, index) if below else match["text"]
            span = block.span | page.blocks[index + 1].span if below else block.span
            yield Asked(int(match["number"]), text, (index + below, 0), span)
    elif isinstance(block, Prose | Quote):
        yield from _asked_on(page.lines(index))


def _text_below(page: Page, index: int) -> str:
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    return below.text.strip() if isinstance(below, Prose) and not _NUMBERED.match(below.text.strip()) else ""


def _asked_on(lines: Sequence[Line]) -> Iterator[Asked]:
    held: Asked | None = None
    for line in lines:
        match = _NUMBERED.match(counted(without_emoji(line.text)))
        if match and match["text"]:
            yield from [held] if held else []
            held = Asked(int(match["number"]), match["text"].strip(), line.place, Span(line.number, line.number + 1))
        elif held and line.text.strip():
            held = held._replace(text=f"{held.text}\n{line.text.strip()}", span=Span(held.span.start, line.number + 1))
    yield from [held] if held else []
