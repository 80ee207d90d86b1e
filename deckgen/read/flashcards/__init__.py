"""Flashcards in the formats of other tools, told by their marks (docs/formats.md).

A format is a module with `find(text) -> Found`, which finds nothing where its marks are missing, and a row of `FORMATS`. What no format
takes of a source is Markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckgen.model.document import Block, Directive, Document
from deckgen.model.notation import Notation
from deckgen.model.source import Source, line_span
from deckgen.read import markdown
from deckgen.read.assemble import document
from deckgen.read.flashcards import ankdown, ankiops, apy, card_tag, headed, inka, logseq, obsidian_to_anki, yanki
from deckgen.read.flashcards.written import Found, Text, flashcard, tags_of


class Format(NamedTuple):
    """How a tool writes its cards."""

    name: str
    find: Callable[[Text], Found]
    signs: Sequence[str]
    """One of them stands in every text with such cards, and hardly in others: a quick look."""
    chosen: Callable[[Text], Found] | None = None
    """The same where `format` in `deck.toml` names it, and no mark is asked for."""
    comments: bool = False
    """True where `%%text%%` is a comment: in notes of Obsidian."""


FORMATS: tuple[Format, ...] = (
    Format("yanki", yanki.find, yanki.SIGNS, lambda text: yanki.find(text, chosen=True), comments=True),
    Format("ankiops", ankiops.find, ankiops.SIGNS),
    Format("inka", inka.find, inka.SIGNS),
    Format("apy", apy.find, apy.SIGNS),
    Format("ankdown", ankdown.find, ankdown.SIGNS, lambda text: ankdown.find(text, chosen=True)),
    Format(
        "md2anki", headed.find_md2anki, headed.SIGNS_OF_MD2ANKI, lambda text: headed.find_md2anki(text, chosen=True)
    ),
    Format("headings", headed.find_headings, headed.SIGNS, lambda text: headed.find_headings(text, chosen=True)),
    Format("Obsidian_to_Anki", obsidian_to_anki.find, obsidian_to_anki.SIGNS, comments=True),
    Format("Logseq", logseq.find, logseq.SIGNS),
    Format("flashcards-obsidian", card_tag.find, card_tag.SIGNS, comments=True),
)
"""Those of whole files first; each sees what the ones above it left."""


def read(source: Source, matter: Mapping[str, object], notation: Notation) -> Document | None:
    """The document of a source with such cards, below its front matter; None for any other source."""
    text = Text(source.name, source.lines, matter)
    every = Found()
    blocks: list[Block] = []
    lines = f"\n{source.text}\n{' '.join(map(str, matter))}"
    for row in FORMATS:
        find = row.chosen if row.chosen and notation.format == row.name else row.find
        if find is row.find and not any(sign in lines for sign in row.signs):
            continue
        found = find(text)
        every.cards += found.cards
        blocks += (flashcard(card, comments=row.comments) for card in found.cards)
        every.marks |= found.marks
        text = text.without(found) if found.cards else text
    if not every.cards:
        return None
    taken = every.lines
    blocks += (Directive(line_span(at), ()) for at in every.marks - taken)
    blocks += _rest(text, sorted(taken | every.marks))
    return document(source, "flashcards", sorted(blocks, key=lambda block: block.span))


def tags(matter: Mapping[str, object], known: Sequence[str]) -> tuple[str, ...]:
    """The tags of front matter as such tools mean them: `tags: torch views` are two, and `torch/views` is a tag below another."""
    said = matter.get("tags")
    return tags_of(said) if isinstance(said, str) else tuple(tag.replace("/", "::") for tag in known)


def _rest(text: Text, taken: list[int]) -> Iterator[Block]:
    """What stands between the cards."""
    start = 0
    for stop in (*taken, len(text.lines)):
        for first, last in ((start, stop), (stop, min(stop + 1, len(text.lines)))):
            if any(line.strip() for line in text.lines[first:last]):
                yield from markdown.blocks_of(text.lines[first:last], first)
        start = stop + 1
