"""The tag of a tool for flashcards, `#flashcards/torch`, `#card`: where it counts, and texts without what such tools write in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from deckgen.model.document import Block, Document, Heading, Items, Prose, Quote
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.text.wiki import with_pictures

_TAG = pattern(r"(?<![\w#/&(`])#«declared.tool_tag»(?:[-/][\w/-]*\w)?(?![\w/-])")
_FRONT_MATTER = pattern(r"#?«declared.tool_tag»(?:[-/].*)?")
_WITH_OTHERS = pattern(rf"[ \t]*(?:(?<!\S)#[^\W\d][\w/-]*[ \t]+)*{_TAG.pattern}(?:[ \t]+#[^\W\d][\w/-]*)*[ \t]*")
_SCHEDULE = pattern(r"[ \t]*<!--\s*SR:[^>]*-->")
_BLOCK_ID = pattern(r"(?:[ \t]+\^[A-Za-z0-9-]+|^[ \t]*\^\d{10,})[ \t]*$", re.MULTILINE)
_ID = pattern(r"(?:^|[ \t])\^(?P<id>\d{10,})[ \t]*$", re.MULTILINE)
"""As flashcards-obsidian gives it; other names of blocks are the author's, and unique in their file alone."""
_ANY = pattern(r"(?<!\S)#(?P<tag>[^\W\d][\w/-]*)")
_DECK = pattern(rf"{_TAG.pattern.replace('(?:[-/]', '(?P<path>/', 1).replace(')?(?![', ')(?![', 1)}")
_DECK_OF_ALL = pattern(r"#?«declared.tool_tag»/(?P<path>.+)")
_ONLY_TAGS = pattern(r"\s*\W{0,2}(?:«cards.column_tags»\W{0,2}[:：]{1,2}\W{0,2}\s*)?(?:#[^\W\d][\w/-]*[\s,，]*)+")
"""Also with a word before them, as templates of notes have it: `Tags: #flashcards, #torch`."""


def is_tagged(text: str) -> bool:
    """True for a text with the tag of such a tool."""
    return "#" in text and _TAG.search(text) is not None


def tagged_blocks(document: Document) -> frozenset[int]:
    """Indices of the blocks under such a tag: in front matter or on lines of its own it is about all, in a heading about its section."""
    blocks = document.blocks
    everywhere = any(map(_FRONT_MATTER.fullmatch, document.tags)) or any(map(_is_for_all, blocks))
    if everywhere:
        return frozenset(range(len(blocks)))
    return frozenset(_under(blocks))


def _is_for_all(block: Block) -> bool:
    if not isinstance(block, Prose) or not is_tagged(block.text):
        return False
    return any(is_tagged(line) and _ONLY_TAGS.fullmatch(line) for line in block.text.split("\n"))


def _under(blocks: Sequence[Block]) -> Iterator[int]:
    level = 0
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            if is_tagged(block.text):
                level = min(level or 9, block.level)
            elif level and block.level <= level:
                level = 0
        if level or any(map(is_tagged, _texts(block))):
            yield index


def _texts(block: Block) -> Iterable[str]:
    if isinstance(block, Items):
        return (item.text for item in block.items)
    return (block.text,) if isinstance(block, Prose | Quote | Heading) else ()


def without_tools_marks(text: str) -> str:
    """A text without the tags, schedules and names of blocks (`^a1b2c3`) that such tools write in it."""
    if is_tagged(text):
        text = "\n".join(_untagged(line) for line in text.split("\n"))
    text = _SCHEDULE.sub("", text) if "SR:" in text else text
    text = with_pictures(text)
    return _BLOCK_ID.sub("", text) if "^" in text else text


def id_of(text: str) -> str | None:
    """The id that flashcards-obsidian wrote behind a card, or on the line below it."""
    found = _ID.search(text) if "^" in text else None
    return found["id"] if found else None


def tags_beside(text: str) -> tuple[str, ...]:
    """The tags beside that of the tool, where these stand on a line of a card."""
    if not is_tagged(text):
        return ()
    lines = [line for line in text.split("\n") if is_tagged(line) and not _ONLY_TAGS.fullmatch(line)]
    groups = (found[0] for line in lines for found in _WITH_OTHERS.finditer(line))
    tags = (one["tag"] for group in groups for one in _ANY.finditer(group) if not is_tagged(one[0]))
    return tuple(dict.fromkeys(tag.replace("/", "::") for tag in tags))


Decks = Sequence[tuple[int, str]]
"""From which line on cards go to which deck, in order."""


def decks_of(document: Document) -> Decks:
    """The decks that front matter, lines of tags and headings name: `#flashcards/torch/views`."""
    for_all = next(filter(None, map(_DECK_OF_ALL.fullmatch, document.tags)), None)
    found = [(0, _as_deck(for_all["path"]))] if for_all else []
    lines = document.source.lines
    for block in document.blocks:
        if isinstance(block, Prose | Heading):
            for at in range(block.span.start, min(block.span.stop, len(lines))):
                named = _DECK.search(lines[at]) if "#" in lines[at] else None
                if named and (isinstance(block, Heading) or _ONLY_TAGS.fullmatch(lines[at])):
                    found.append((at, _as_deck(named["path"])))
    return found


def deck_at(document: Document, decks: Decks, span: Span) -> str:
    """The deck of a card: that in its own first line, or else the last one above it."""
    line = document.source.lines[span.start] if span.start < len(document.source.lines) else ""
    own = _DECK.search(line) if "#" in line else None
    if own and not _ONLY_TAGS.fullmatch(line):
        return _as_deck(own["path"])
    at = bisect_right(decks, span.start, key=lambda one: one[0])
    return decks[at - 1][1] if at else ""


def _as_deck(path: str) -> str:
    return path.strip("/").replace("/", "::")


def _untagged(line: str) -> str:
    if not is_tagged(line):
        return line
    if _ONLY_TAGS.fullmatch(line):
        return ""
    margin = line[: len(line) - len(line.lstrip())]
    return margin + _WITH_OTHERS.sub(" ", line).strip()
