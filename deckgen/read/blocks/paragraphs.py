"""Paragraphs, and the pictures that have a line of one to themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from deckgen.model.document import Block, Directive, Image, Prose
from deckgen.model.source import Span
from deckgen.read.reference import reference_lines
from deckgen.read.unfenced.furniture import is_furniture
from deckgen.text.pattern import pattern

_IMAGE = pattern(r"\s*!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'(][^)]*)?\)\s*(?:\{[^}]*\})?\s*")
_EMBED = pattern(r"\s*!\[\[()([^\]|#]+\.(?:png|jpe?g|gif|svg|webp|bmp))(?:\|[^\]]*)?\]\]\s*", re.I)


def paragraph_blocks(span: Span, text: str) -> list[Block]:
    """A paragraph; pictures that have a line to themselves stand beside it, and what says nothing is told apart."""
    if reference := reference_lines(span, text):
        return reference
    if any(map(is_furniture, lines := text.split("\n"))) and len(lines) == span.stop - span.start:
        return _without_furniture(span, lines)
    return _with_pictures(span, text)


def _without_furniture(span: Span, lines: Sequence[str]) -> list[Block]:
    blocks: list[Block] = []
    for idle, several in groupby(range(len(lines)), lambda at: is_furniture(lines[at])):
        run = list(several)
        part = Span(span.start + run[0], span.start + run[-1] + 1)
        text = "\n".join(lines[run[0] : run[-1] + 1])
        blocks += [Directive(part, ())] if idle else _with_pictures(part, text)
    return blocks


def _with_pictures(span: Span, text: str) -> list[Block]:
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
