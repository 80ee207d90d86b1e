"""Paragraphs, and the pictures that have a line of one to themselves."""

from __future__ import annotations

import re

from deckgen.document import Block, Image, Prose
from deckgen.pattern import pattern
from deckgen.source import Span

_IMAGE = pattern(r"\s*!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'(][^)]*)?\)\s*(?:\{[^}]*\})?\s*")
_EMBED = pattern(r"\s*!\[\[()([^\]|#]+\.(?:png|jpe?g|gif|svg|webp|bmp))(?:\|[^\]]*)?\]\]\s*", re.I)


def paragraph_blocks(span: Span, text: str) -> list[Block]:
    """A paragraph; pictures that have a line to themselves stand beside it."""
    if "![" not in text:
        return [Prose(span, text)]
    blocks: list[Block] = []
    lines = text.split("\n")
    first = 0
    for number, line in enumerate([*lines, None]):
        image = None if line is None else _IMAGE.fullmatch(line) or _EMBED.fullmatch(line)
        if line is not None and image is None:
            continue
        if first < number:
            part = Span(span.start + first, span.start + number)
            blocks.append(Prose(part, "\n".join(lines[first:number]).strip()))
        if image is not None:
            here = Span(span.start + number, span.start + number + 1)
            blocks.append(Image(here, image[1], image[2]))
        first = number + 1
    return blocks
