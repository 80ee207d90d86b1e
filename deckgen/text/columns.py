"""What columns of a table of cards are called, in every language of the lexicon: a reader reads by it, and folders tell such files by it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from deckgen.lexicon import words

SIDES = (("front", "back"), ("question", "answer"))
"""What the two sides of a card are called."""
SEPARATORS = ",;\t|"
NAMES = ("front", "back", "question", "answer", "tags", "explanation", "code", "deck")
"""Columns that the lexicon has other words for."""


def names_of_columns(cells: Sequence[str]) -> list[str]:
    """The names of columns as deckgen writes them; none if a row is no header of cards."""
    names = [cell.strip().strip('"').casefold() for cell in cells]
    if _has_sides(names):
        return names
    meant = [next((name for name in NAMES if cell in words_for(name)), cell) for cell in names]
    return meant if _has_sides(meant) and all(meant.count(name) < 2 for name in NAMES) else []


def _has_sides(names: Sequence[str]) -> bool:
    return "text" in names or any({*sides} <= {*names} for sides in SIDES)


@cache
def words_for(name: str) -> tuple[str, ...]:
    """What a column is called."""
    return words(f"cards.column_{name}")
