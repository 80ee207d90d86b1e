"""Decisions: which notes are shipped, corrected or withheld, given the verdicts they rest on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from deckgen.model.note import Note


class Disposition(StrEnum):
    """What happens to a note."""

    SHIP = "ship"
    CORRECT = "correct"
    """Shipped with torch's answer and what the notes said beside it."""
    WITHHOLD = "withhold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A note and what becomes of it."""

    note: Note
    disposition: Disposition
    why: str | None = None
    """One line for the summary: why it is withheld or corrected."""
    claimed: str | None = None
    """What the notes said, if torch says otherwise."""
    observed: str | None = None
    """What torch says; an Output note shows it as its answer when corrected."""
    corrections: tuple[tuple[str, str], ...] = ()
    """(what stands in the notes, what would be true there) of each falsehood, where both are short texts."""
    stamp: str = ""
    """`checked on torch 2.13.0, cpu`; `not checked: needs numpy`; plain text for the back of the card."""
    unverified: bool = False
    """True if what it rests on could not be checked: the card gets the tag `deckgen::unverified`."""
    waived: bool = False
    """True if that is what the author wants: it is neither lost nor a reason to withhold."""
    words: tuple[str, ...] = ()
    """The verdict words it rests on, for the lock."""
