"""What makes a note not worth learning: the rules that a program can see, a row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from deckgen.extract.page import Page
from deckgen.model.note import Note


@dataclass(frozen=True, slots=True)
class WorthRule:
    """One reason to leave a note out."""

    name: str
    """As refusals name it: `worth: label`."""
    breaks: Callable[[Note, Page], str]
    """What is wrong with a note, for its author; empty if nothing is."""
    example: str
    """Markdown of which this rule refuses the only note: its test, and its lines in docs/notations.md."""
    seen: tuple[str, ...]
    """A seed, or at least two real documents, that need the rule."""


RULES: tuple[WorthRule, ...] = ()
