"""Results: everything one run found out, for the reports and the exit status.

Decisions: which notes are shipped, corrected or withheld, given the verdicts they rest on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from deckgen.model.document import Extraction
from deckgen.model.errors import DeckgenError
from deckgen.model.note import Note
from deckgen.model.observation import Environment
from deckgen.model.shard import Part
from deckgen.model.verdict import Verification

NOTHING_RAN = Environment(torch="", python="", device="cpu", sandbox="off", engine="none")
NOTHING_CHECKED = Verification(environment=NOTHING_RAN, sources=())


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadWaiver:
    """A waiver that hides more claims than an author can know one by one."""

    config: str
    """The `deck.toml` in which it stands."""
    line: int
    """From 1."""
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One run over one or more decks."""

    extractions: tuple[Extraction, ...]
    verification: Verification = NOTHING_CHECKED
    decisions: tuple[Decision, ...] = ()
    rivals: tuple[Decision, ...] = ()
    """About cards that torch denies, and that are left out since another asks the same."""
    named: frozenset[str] = frozenset()
    """Names of the sources that were named on the command line: a noteless one is an error."""
    noteless: tuple[str, ...] = ()
    """Decks of a build in which no note was found, as they were typed."""
    unreadable: tuple[DeckgenError, ...] = ()
    warnings: tuple[str, ...] = ()
    """`notes.md:47: what`, in order."""
    broad_waivers: tuple[BroadWaiver, ...] = ()
    lost: tuple[str, ...] = ()
    """Claims that the lock knows as checked and that are now unverified, as `notes.md:47: what`."""
    stale: tuple[str, ...] = ()
    """Locks that `--locked` found out of date."""
    ran: bool = True
    """False for `inspect` and `--no-run`."""
    builds: bool = False
    """True for `build`, from which a package is expected."""
    typed: tuple[str, ...] = ()
    """What was asked for, as it was typed: for commands that a report suggests."""
    left: Mapping[str, str] = field(default_factory=dict)
    """The locks and packages of the decks: a digest by path, empty where there is none."""
    seconds: float = 0.0
    """Wall clock of running and judging."""
    answers: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """The snippets and pictures that the notes named, each with a digest of what was there (`files.Request`)."""
    part: Part | None = None
    """Which part of a run this is, if it is a shard: what only the whole run can tell is left to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The packages of a run."""

    written: tuple[Path, ...] = ()
    current: tuple[Path, ...] = ()
    """Those that were what they should be already, and were left alone."""
    searches: Mapping[str, Path] = field(default_factory=dict)
    """By deck: a file with the search for its removed notes, where that is too long to be told."""

    distant: tuple[Path, ...] = ()
    """Locks that are not beside the notes, because nothing can be written there."""

    @property
    def packages(self) -> tuple[Path, ...]:
        return (*self.written, *self.current)


class Proof(StrEnum):
    """What is known of the answer of a card."""

    PROVED = "proved"
    """It is what a claim says, and that holds."""
    REFUTED = "refuted"
    """Something that the card says is contradicted."""
    UNVERIFIED = "unverified"
    """It could be decided, but not here."""
    NAMES = "names"
    """Only the names on it were looked up."""
    OPEN = "open"
    """Nothing on it decides the answer."""


UNREADABLE = "unreadable"
"""What is said of a card in their place if it could not be read."""


class Disposition(StrEnum):
    """What happens to a note."""

    SHIP = "ship"
    CORRECT = "correct"
    """Shipped with torch's answer and what the notes said beside it."""
    SUGGEST = "suggest"
    """Not shipped unless the author takes it, or wants all suggestions."""
    WITHHOLD = "withhold"


NOT_SHIPPED = frozenset({Disposition.SUGGEST, Disposition.WITHHOLD})


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
    proof: Proof = Proof.OPEN
    documented: str = ""
    """The qualified name of the first API that it names and torch has: `torch.Tensor.view`."""
    reverse: bool = False
    """True if a card is to ask for its name or term by what it means, of everybody."""

    @property
    def is_shipped(self) -> bool:
        return self.disposition not in NOT_SHIPPED
