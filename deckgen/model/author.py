"""What the author of a deck decides about a note, whatever the rules say (docs/lock.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deckgen.model.deck import Kind

Wish = Literal["leave-out", "keep", "excellent"]
"""Make no card of it; make one although a rule refuses it; the same, and it is an example of a good note."""

LEFT_OUT = "left out by the author"
"""The reason that is told of a note which the author does not want."""
RULE = "author"
"""What is told as the rule that left it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorDecision:
    """A decision, and what its note is known by after an edit: as the lock knows notes."""

    name: str
    """What both sides of a merge know the decision by; it stays when the note is reworded."""
    wish: Wish
    time: int
    """Seconds since 1970; of two decisions on one note the later counts."""
    kind: Kind
    headings: tuple[str, ...]
    anchor: str
    id: str | None = None
    answer: str = ""
    """The beginning of the answer, for recognising a reworded question."""
    answer_hash: str = ""
    files: tuple[str, ...] = ()
    """The sources that the note stands in, relative to the lock."""
    gone: int | None = None
    """When the note was found to be removed; if it comes back, the decision counts again."""
