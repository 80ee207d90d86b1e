"""Footnotes: what stands at the bottom of a page is told where it is referred to, for a card has no bottom.

`workers die[^1]` and `[^1]: mostly of memory` become `workers die (mostly of memory)`. A reference whose
note is not in the document stays as it is written, and so does a note that nothing refers to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from deckgen.model.document import Block, Directive, Heading, Items, Prose, Quote, Table
from deckgen.text.pattern import pattern

_DEFINITION = pattern(r"\[\^(?P<name>[^\]\s]{1,40})\]:[ \t]*(?P<text>\S.*)", re.DOTALL)
_NEXT = pattern(r"\n(?=\[[^\]\n]{1,40}\]:)")
"""Where the next note, or the address of a link, begins."""
_REFERENCE = pattern(r"(?<!`)(`+)(?!`)(?:(?!\1).)*\1|[ \t]*\[\^(?P<name>[^\]\s]{1,40})\](?!:)", re.DOTALL)
LONGEST = 300
"""Characters of a footnote that is told in the running text."""


def told_in_place(blocks: Sequence[Block]) -> Sequence[Block]:
    """The same blocks, with footnotes in the text instead of at the bottom; a heading loses its marks only."""
    if not any(isinstance(block, Prose) and block.text.startswith("[^") for block in blocks):
        return blocks
    notes = dict(note for block in blocks for note in _defined(block))
    told: set[str] = set()

    def in_place(found: re.Match[str]) -> str:
        name = found["name"]
        if name is None or name not in notes:
            return found[0]
        told.add(name)
        return f" ({notes[name]})" if notes[name] else ""

    def left_out(found: re.Match[str]) -> str:
        return "" if found["name"] in notes else found[0]

    def placed(block: Block) -> Block:
        write = left_out if isinstance(block, Heading) else in_place
        return _written(block, lambda text: _REFERENCE.sub(write, text))

    return [Directive(block.span, ()) if _is_told(block, told) else block for block in [placed(b) for b in blocks]]


def _defined(block: Block) -> Iterable[tuple[str, str]]:
    """Names and texts of the notes in a paragraph that begins with one; a long one has no text."""
    for part in _NEXT.split(block.text) if isinstance(block, Prose) else ():
        if note := _DEFINITION.match(part):
            text = " ".join(note["text"].split()).removesuffix("↩").rstrip(" .。")
            yield note["name"], text if len(text) <= LONGEST else ""


def _is_told(block: Block, told: set[str]) -> bool:
    parts = _NEXT.split(block.text) if isinstance(block, Prose) else []
    return bool(parts) and len([name for name, text in _defined(block) if text and name in told]) == len(parts)


def _written(block: Block, change: Callable[[str], str]) -> Block:
    """A block with its running text changed; the definitions themselves stay."""
    match block:
        case Prose() if not block.text.startswith("[^"):
            return replace(block, text=change(block.text))
        case Heading() | Quote():
            return replace(block, text=change(block.text))
        case Items():
            return replace(block, items=tuple(replace(item, text=change(item.text)) for item in block.items))
        case Table():
            rows = tuple(replace(row, cells=tuple(map(change, row.cells))) for row in block.rows)
            return replace(block, rows=rows)
        case _:
            return block
