"""What the notes of a page say already, and which of its text is open to rules that only suggest.

These rules look at lines and sentences, whosever block they stand in: a list of which one item became a note has others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from deckgen.extract.labels import Kind, labels
from deckgen.extract.notes.statement import definition
from deckgen.extract.page import Page
from deckgen.extract.text import plain_width, squeezed, width, without_number
from deckgen.model.document import Item, Items, Prose, Quote
from deckgen.model.note import Api, Basic, Choice, Cloze, FoundAs, Note, Output, Standing, back, front
from deckgen.text.pattern import pattern

_IDLE = (
    Kind.CHORES,
    Kind.CONTENTS,
    Kind.EXERCISES,
    Kind.QUIZ,
    Kind.ROADMAP,
    Kind.SCORES,
    Kind.ANSWER_KEY,
)
"""Headings over what nobody learns."""
_WHOLE = 300
"""Columns of an answer: what stands in a longer one is a fact of its own."""
_LABEL = 60
_END = pattern(r"[:：]+$")


@dataclass(eq=False)
class Told:
    """What the notes of a page say, and those that are made meanwhile."""

    page: Page
    names: set[str] = field(default_factory=set)
    """Names that are asked for, each with what its card shows above it."""
    lines: set[int] = field(default_factory=set)
    """On which a note begins."""

    def __post_init__(self) -> None:
        for note in self.page.notes:
            self.lines.add(note.span.start)
            if isinstance(note.body, Api):
                self.names.add(asked_under(note.headings, note.body))

    @cached_property
    def text(self) -> str:
        """All that notes with an answer of one thought say."""
        every = (said for note in self.page.notes for said in _said(note))
        return "\n".join(squeezed(said) for said in every if len(said) <= _WHOLE and width(said) <= _WHOLE)

    def holds(self, text: str) -> bool:
        """True for a text that stands in a note."""
        return squeezed(text) in self.text

    def has(self, item: Item) -> bool:
        """True for an item that is a note, or in one."""
        return item.span.start in self.lines or self.holds(item.text)

    @cached_property
    def closed(self) -> frozenset[int]:
        """The lines of what its author wrote as cards, of code that is asked about, and of what holds no facts."""
        ours = (
            note.span
            for note in self.page.notes
            if note.origin is Standing.DECLARED
            or note.found_as is FoundAs.MNEMONIC
            or isinstance(note.body, Choice | Output)
        )
        spans = [*ours, *(skip.span for skip in self.page.refused)]
        return frozenset(line for span in spans for line in range(span.start, max(span.stop, span.start + 1)))

    def open_blocks(self) -> Iterator[tuple[int, Prose | Quote | Items]]:
        """The text that may hold facts, with its places: in no quiz, not refused, under no idle heading, and no talk of a tutor."""
        for index, block in enumerate(self.page.document.blocks):
            if not isinstance(block, Prose | Quote | Items) or (self.page.chat and not isinstance(block, Items)):
                continue
            if not any(map(_is_idle, self.page.path(index)[-2:])) and self.closed.isdisjoint(
                range(block.span.start, block.span.stop)
            ):
                yield index, block


def _said(note: Note) -> Iterator[str]:
    """What a note tells: of a text with gaps the lines that have one, since the others only lead to them."""
    if not isinstance(note.body, Basic | Api) and note.body.explanation:
        yield note.body.explanation  # the reason of a card is no card of its own
    if not isinstance(note.body, Cloze) or note.body.language:
        yield f"{front(note)} {back(note)}"
        return
    start = 0
    for line in note.body.text.split("\n"):
        if any(start <= hole.start <= start + len(line) for hole in note.body.holes):
            yield line
        start += len(line) + 1


@lru_cache(maxsize=1024)
def _is_idle(heading: str) -> bool:
    return labels(heading).title.any_of(_IDLE)


def asked_under(headings: Sequence[str], body: Api) -> str:
    """A name with what its card shows above it: the same name elsewhere is another question."""
    return squeezed(f"{' '.join(headings)} {body.signature}")


def with_ancestors(items: Sequence[Item]) -> Iterator[tuple[int, Item, tuple[str, ...]]]:
    """The items with their places and the labels of those that they stand below, outermost first."""
    above: list[tuple[int, str]] = []
    for at, item in enumerate(items):
        while above and above[-1][0] >= item.depth:
            above.pop()
        yield at, item, tuple(label for _, label in above)
        above.append((item.depth, label_of(item.text)))


def label_of(text: str, most: int = _LABEL) -> str:
    """How an item is named as context: its term, or its first words."""
    line = without_number(" ".join(text.split()))
    found = definition(line)
    first = _END.sub("", found.term if found else line)
    return first if plain_width(first) <= most else f"{first[: most // 2]}…"
