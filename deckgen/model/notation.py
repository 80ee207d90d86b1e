"""What the author of a deck has declared about the way its cards are written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notation:
    """How the author of a deck says that something is a card, besides what says it everywhere (`deck.toml`)."""

    is_deck: bool = False
    """The notes belong to a folder with a `deck.toml`: a heading that asks and its short answer are a card."""
    headings: bool = False
    """`headings = "cards"`: so is a heading that asks with whatever stands below it."""
    separators: bool = False
    """`separators = true`: `term :: text`, and `?` between two paragraphs, are cards without a tag, too."""
    highlight: bool = False
    """`highlight = "cloze"`: `==text==` is a gap without a tag, too."""
    format: str = ""
    """`format = "headings"`: in what format of another tool all notes are written, where that has no marks of its own."""
