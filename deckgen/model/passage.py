"""Passages: the stretches that a long source is cut into, so that an edit of one leaves what was found in the others."""

from __future__ import annotations

from dataclasses import dataclass

from deckgen.model.claim import Exists, Snippet
from deckgen.model.document import CodeWords
from deckgen.model.extraction import Remark
from deckgen.model.note import Note, Skipped


@dataclass(frozen=True, slots=True)
class Finds:
    """What was found in a passage, in document order."""

    notes: tuple[Note, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    apis: tuple[Exists, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """A heading with whatever sections stand below it."""

    level: int
    text: str
    reaches: bool
    """False if what is made of it depends on all of its section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """All that what is found in other passages can depend on; everything else of a passage is its own."""

    first: int
    """The level of its first heading."""
    floor: int
    """The least level of its headings: it ends every section of that level or a deeper one."""
    open: tuple[Open, ...]
    """The headings whose sections go on below it, outermost first."""
    headings: tuple[str, ...]
    """Its last headings."""
    snippets: tuple[bytes, ...]
    """Digests of its last snippets."""
    calls: tuple[str, ...]
    """The last calls in its code."""
    code_words: CodeWords
    fronts: tuple[bytes, ...]
    """Digests of what its notes ask: no two notes of a source ask the same."""
    shared: bool
    """True if it asks, answers or leaves gaps as quizzes do, whose questions and answers may stand anywhere."""
    whole: bool
    """True if nothing of a source with this passage can be told but from all of it."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a reader takes from a passage for the whole document."""

    title: str | None
    """Of its first heading that can be the document's title."""
    chinese: int
    """Chinese characters outside of code."""
    english: int
    """English words outside of code."""
    may_speak: bool
    """True if some line of it could begin a turn of a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some sections that stand together, or all of a source that is not cut."""

    text: bytes
    """Digest of its lines."""
    lines: int
    """How many there are."""
    first: int
    """0-based line of the source on which it began when its finds were packed."""
    finds: bytes
    """Packed: most of them are only put together again."""
    wording: Wording | None = None
    traits: Traits | None = None
    """None of a source that is not cut."""
