"""Cutting: a long source that was read as a whole becomes passages, each kept with its own finds.

After an edit most of them are as they were (`rereading`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deckgen.cache import packed
from deckgen.extract.apart import entangled, may_reach, traits
from deckgen.extract.prepare import prepared
from deckgen.model.document import Block, Document, Heading
from deckgen.model.extraction import Extraction
from deckgen.model.passage import Finds, Open, Passage, Wording
from deckgen.model.source import Source
from deckgen.read.cuts import cuts
from deckgen.read.passages import wording

LONG = 1_500
"""Lines of a source that is worth cutting."""


def cut(document: Document, extraction: Extraction) -> tuple[Passage, ...]:
    """The passages of a document that was read as a whole; none if it is short, or cannot be cut."""
    lines = len(document.source.lines)
    if (
        document.reader != "markdown"
        or document.tags
        or document.source.text.startswith("---")
        or document.places
        or lines < LONG
        or entangled(extraction)
    ):
        return ()
    starts = [0, *_cuts(document)]
    parts = zip(
        starts,
        [*starts[1:], lines],
        _blocks_from(document.blocks, starts),
        finds_from(extraction, starts),
        strict=True,
    )
    found = [
        passage_of(
            document,
            blocks,
            start,
            stop,
            finds,
            wording(blocks, text_of(document.source, start, stop), whole=document.source),
        )
        for start, stop, blocks, finds in parts
    ]
    return () if len(found) == 1 or any(map(needs_whole, found)) else tuple(found)


def _cuts(document: Document) -> list[int]:
    """The cuts that are above headings in sections that can be cut."""
    wanted = frozenset(cuts(document.source.text, may_reach))
    found: list[int] = []
    above: tuple[Open, ...] = ()
    for block in document.blocks:
        if isinstance(block, Heading):
            above = tuple(one for one in above if one.level < block.level)
            if block.span.start in wanted and all(one.reaches for one in above):
                found.append(block.span.start)
            above = (*above, Open(block.level, block.text, may_reach(block.text)))
    return found


def alone(document: Document, blocks: Sequence[Block]) -> Document:
    """A document of some blocks only, as idioms see them."""
    return prepared(replace(document, blocks=tuple(blocks), code_words=None))


def needs_whole(passage: Passage) -> bool:
    return passage.traits is None or passage.traits.whole


def text_of(source: Source, start: int, stop: int) -> str:
    return "\n".join(source.lines[start:stop])


def digest_of(source: Source, start: int, stop: int) -> bytes:
    return hashlib.sha256(text_of(source, start, stop).encode("utf-8", "surrogatepass")).digest()


def passage_of(
    document: Document, blocks: Sequence[Block], start: int, stop: int, finds: Finds, told: Wording
) -> Passage:
    return Passage(
        text=digest_of(document.source, start, stop),
        lines=stop - start,
        first=start,
        finds=packed(finds),
        wording=told,
        traits=traits(alone(document, blocks), finds),
    )


def _blocks_from(blocks: Sequence[Block], starts: Sequence[int]) -> Iterator[Sequence[Block]]:
    at = 0
    for stop in [*starts[1:], None]:
        first = at
        while at < len(blocks) and (stop is None or blocks[at].span.start < stop):
            at += 1
        yield blocks[first:at]


def finds_from(extraction: Extraction, starts: Sequence[int]) -> list[Finds]:
    """The finds of each passage that begins on one of these lines."""
    kinds = (extraction.notes, extraction.snippets, extraction.apis, extraction.skipped, extraction.remarks)
    split = [_split(found, starts) for found in kinds]
    return [Finds(*parts) for parts in zip(*split, strict=True)]


def _split(found: Iterable[object], starts: Sequence[int]) -> list[tuple[object, ...]]:
    parts: list[list[object]] = [[] for _ in starts]
    at = 0
    for one in found:
        line: int = one.span.start  # type: ignore[attr-defined] # all finds have one
        while at + 1 < len(starts) and line >= starts[at + 1]:
            at += 1
        parts[at].append(one)
    return [tuple(part) for part in parts]
