"""Footnotes: what stands at the bottom of a page is put where it is referred to, for a card has no bottom.

`workers die[^1]` and `[^1]: mostly of memory` become `workers die (mostly of memory)`. A reference whose
note is not in the document stays as it is written, and so does a note that nothing refers to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from deckgen.model.document import Block, Directive, Heading, Items, Prose, Quote, Table
from deckgen.text.pattern import pattern

_DEFINITION = pattern(r"\[\^(?P<name>[^\]\s]{1,40})\]:[ \t]*(?P<text>\S.*)", re.DOTALL)
_NEXT = pattern(r"\n(?=\[[^\]\n]{1,40}\]:)")
"""Where the next note, or the address of a link, begins."""
_REFERENCE = pattern(r"(?<!`)(`+)(?!`)(?:(?!\1).)*\1|[ \t]*\[\^(?P<name>[^\]\s]{1,40})\](?!:)", re.DOTALL)
"""A reference, or code, in which there are none."""
_LONGEST = 300
"""Characters of a footnote that is put into the running text."""


def in_place(blocks: Sequence[Block]) -> Sequence[Block]:
    """The same blocks, with footnotes in the text instead of at the bottom; a heading loses its marks only."""
    parts = {
        at: _NEXT.split(block.text)
        for at, block in enumerate(blocks)
        if isinstance(block, Prose) and block.text.startswith("[^")
    }
    named = {at: [note for part in found if (note := _DEFINITION.match(part))] for at, found in parts.items()}
    notes = {note["name"]: _text(note["text"]) for found in named.values() for note in found}
    used: set[str] = set()

    def reference(found: re.Match[str]) -> str:
        name = found["name"]
        if name is None or name not in notes:
            return found[0]
        used.add(name)
        return f" ({notes[name]})" if notes[name] else ""

    if not notes:
        return blocks
    made = [block if at in parts else _written(block, notes, reference) for at, block in enumerate(blocks)]
    for at, found in named.items():
        if len(found) == len(parts[at]) and all(note["name"] in used and notes[note["name"]] for note in found):
            made[at] = Directive(made[at].span, ())
    return made


def _written(block: Block, notes: Container[str | None], reference: Callable[[re.Match[str]], str]) -> Block:
    """A block with its references replaced."""

    def placed(text: str) -> str:
        return _REFERENCE.sub(reference, text) if "[^" in text else text

    match block:
        case Heading():
            text = _REFERENCE.sub(lambda found: "" if found["name"] in notes else found[0], block.text)
            return replace(block, text=text)
        case Prose() | Quote():
            return replace(block, text=placed(block.text))
        case Items():
            return replace(block, items=tuple(replace(item, text=placed(item.text)) for item in block.items))
        case Table():
            rows = (replace(row, cells=tuple(map(placed, row.cells))) for row in block.rows)
            return replace(block, rows=tuple(rows))
        case _:
            return block


def _text(note: str) -> str:
    """A note as it stands in the running text; nothing if it is long."""
    text = " ".join(note.split()).removesuffix("↩").rstrip(" .。")
    return text if len(text) <= _LONGEST else ""
