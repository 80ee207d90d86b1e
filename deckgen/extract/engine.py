"""The engine asks every rule for its finds, the surest rules first, and settles which rule may have which lines.

A rule is a row of `rules.py`. Rules that are equally sure see the same page. Where two of them make notes of the same lines, the
note of more lines is kept and the other is refused; notes of equally many lines are both refused, since nobody can say which one
the author means. The place of a rule in its table means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import TypeVar

from deckgen.extract.page import Finds, Page
from deckgen.model.document import Remark
from deckgen.model.note import FoundAs, Note, Skipped, Standing
from deckgen.model.source import Span


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of find."""

    name: str
    find: Callable[[Page], Finds]
    sureness: int
    """How sure its finds are: what a surer rule has taken is not looked at again. The levels stand in `rules.py`."""
    standing: Standing
    """Of its notes, unless the rule itself says of one that its author declared it, or that it is only suggested."""
    found_as: FoundAs
    """What its notes are taken for: what is asked of them and doubted later depends on that."""
    example: str
    """Markdown of which this rule makes something: its test, and its lines in docs/notations.md."""
    seen: tuple[str, ...]
    """A seed, or at least two real documents, that need the rule."""


def ask(rules: Iterable[Rule], page: Page) -> Finds:
    """The notes and refusals of all rules, each with the name of its rule; what they take is entered in the page."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    for _, equals in groupby(sorted(rules, key=_surest_first), key=_surest_first):
        for finds in _settled(page, [_stamped(rule, rule.find(page)) for rule in equals]):
            notes += finds.notes
            skipped += finds.skipped
            page.enter(finds)
    return Finds(tuple(notes), tuple(skipped))


def _surest_first(rule: Rule) -> int:
    return -rule.sureness


Told = TypeVar("Told", Skipped, Remark)


def stamp(rule: str, told: Iterable[Told]) -> list[Told]:
    """The refusals or remarks, each with the rule that made it; one that has a rule keeps it."""
    return [one if one.rule else replace(one, rule=rule) for one in told]


def _stamped(rule: Rule, finds: Finds) -> Finds:
    """The finds as the row of their rule has them; of a note the rule itself may have said that it is declared, or only suggested."""
    notes = tuple(
        replace(
            note,
            rule=rule.name,
            found_as=rule.found_as,
            origin=rule.standing if note.origin is Standing.SURE else note.origin,
        )
        for note in finds.notes
    )
    return replace(finds, notes=notes, skipped=tuple(stamp(rule.name, finds.skipped)))


def _settled(page: Page, found: Sequence[Finds]) -> list[Finds]:
    """The finds of equally sure rules, without the notes that a rule with more lines, or another one as good, contests."""
    refused: dict[int, Skipped] = {}
    for one, other in combinations(found, 2):
        shared = [page.blocks[index].span for index in one.taken() & other.taken()]
        for first, second in _contested(one.notes, other.notes, shared):
            lengths = _length(first), _length(second)
            if lengths[0] <= lengths[1]:
                refused[id(first)] = _refusal(first, second)
            if lengths[1] <= lengths[0]:
                refused[id(second)] = _refusal(second, first)
    return [_without(page, finds, refused) for finds in found] if refused else list(found)


def _contested(notes: Sequence[Note], others: Sequence[Note], shared: Sequence[Span]) -> Iterator[tuple[Note, Note]]:
    """The pairs of notes that stand on the same lines of blocks which both rules want."""
    for note in notes:
        if any(span.touches(note.span) for span in shared):
            yield from ((note, other) for other in others if other.span.touches(note.span))


def _length(note: Note) -> int:
    return note.span.stop - note.span.start


def _refusal(note: Note, other: Note) -> Skipped:
    why = "as surely" if _length(note) == _length(other) else "of more lines"
    return Skipped(note.span, f"the rule `{other.rule}` makes a card of this, too, and {why}", rule=note.rule)


def _without(page: Page, finds: Finds, refused: dict[int, Skipped]) -> Finds:
    """The finds without refused notes; blocks that only these stand on are free again."""
    kept = tuple(note for note in finds.notes if id(note) not in refused)
    lost = [refused[id(note)] for note in finds.notes if id(note) in refused]
    free = {
        index
        for index in finds.taken()
        if any(page.blocks[index].span.touches(skip.span) for skip in lost)
        and not any(page.blocks[index].span.touches(note.span) for note in kept)
    }
    left = {index: block for index, block in finds.left.items() if index not in free}
    return Finds(kept, (*finds.skipped, *lost), finds.used - free, left, finds.cards - free)
