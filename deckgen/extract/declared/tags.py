"""The tag of a tool for flashcards, `#flashcards/torch`, `#card`: where it counts, and texts without what such tools write in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from deckgen.model.document import Block, Document, Heading, Items, Prose, Quote
from deckgen.text.pattern import pattern

_TAG = pattern(r"(?<![\w#/&(`])#«declared.tool_tag»(?:[-/][\w/-]*\w)?(?![\w/-])")
_FRONT_MATTER = pattern(r"#?«declared.tool_tag»(?:[-/].*)?")
_WITH_OTHERS = pattern(rf"[ \t]*(?:(?<!\S)#[^\W\d][\w/-]*[ \t]+)*{_TAG.pattern}(?:[ \t]+#[^\W\d][\w/-]*)*[ \t]*")
_SCHEDULE = pattern(r"[ \t]*<!--\s*SR:[^>]*-->")
_BLOCK_ID = pattern(r"[ \t]+\^[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_ONLY_TAGS = pattern(r"\s*(?:#[^\W\d][\w/-]*\s*)+")


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
    return _BLOCK_ID.sub("", text) if "^" in text else text


def _untagged(line: str) -> str:
    if not is_tagged(line):
        return line
    if _ONLY_TAGS.fullmatch(line):
        return ""
    margin = line[: len(line) - len(line.lstrip())]
    return margin + _WITH_OTHERS.sub(" ", line).strip()
