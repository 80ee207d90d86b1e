"""Notes with an equal key: told apart by what they say and where they stand, never by their order alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from deckgen.identity.candidate import Candidate
from deckgen.identity.lock import LockedNote
from deckgen.identity.renames import Pair, compare, decided

TWIN = 0.5
"""Likeness in rank from which on a note is known again among those of its key."""
MOST = 10_000
"""Pairs that are compared word by word; a thousand notes that all ask "Example" are told apart by traits only."""

Trait = tuple[str, ...]


@dataclass(slots=True)
class Told:
    """Which note is which line, and which may be."""

    found: dict[int, LockedNote] = field(default_factory=dict)
    doubtful: list[tuple[LockedNote, int, float]] = field(default_factory=list)


_SURELY: Sequence[Callable[[LockedNote | Candidate], Iterable[Trait]]] = (
    lambda one: ((one.hash, file) for file in one.files),
    lambda one: ((one.hash,),),
    lambda one: ((one.answer_hash, file) for file in one.files),
    lambda one: ((file,) for file in one.files),
)
"""What notes are known by, the surest first; each counts only where one line and one note have it."""


def tell_apart(lines: Sequence[LockedNote], notes: Mapping[int, Candidate]) -> Told:
    """Which of the lines, all of one key, each of the notes with that key is."""
    told = Told()
    lines = [line for line in lines if line.id is None or any(one.explicit_id is None for one in notes.values())]
    if len(lines) == len(notes) == 1:
        told.found = dict(zip(notes, lines, strict=True))
        return told
    for traits in _SURELY:
        _settle(lines, notes, traits, told)
    spare, over = _left(lines, notes, told)
    if len(spare) * len(over) > MOST:
        return told
    pairs = [compare(spare[i], notes[number], i, number) for i in range(len(spare)) for number in over]
    result = decided([pair for pair in pairs if pair.rank >= TWIN], 0.0)
    told.found |= {pair.new: spare[pair.old] for pair in result.sure}
    _eliminate(lines, notes, spare, result.doubtful, told)
    return told


def _settle(
    lines: Sequence[LockedNote],
    notes: Mapping[int, Candidate],
    traits: Callable[[LockedNote | Candidate], Iterable[Trait]],
    told: Told,
) -> None:
    """Takes the pairs that alone share a trait."""
    spare, over = _left(lines, notes, told)
    lines_by, notes_by = defaultdict(list), defaultdict(list)
    for line in spare:
        for trait in traits(line):
            lines_by[trait].append(line)
    for number in over:
        for trait in traits(notes[number]):
            notes_by[trait].append(number)
    taken: set[str] = set()
    for trait, numbers in notes_by.items():
        found = lines_by.get(trait, [])
        if len(numbers) == len(found) == 1 and numbers[0] not in told.found and found[0].guid not in taken:
            told.found[numbers[0]] = found[0]
            taken.add(found[0].guid)


def _left(
    lines: Sequence[LockedNote], notes: Mapping[int, Candidate], told: Told
) -> tuple[list[LockedNote], list[int]]:
    taken = {line.guid for line in told.found.values()}
    return [line for line in lines if line.guid not in taken], [number for number in notes if number not in told.found]


def _eliminate(
    lines: Sequence[LockedNote],
    notes: Mapping[int, Candidate],
    compared: Sequence[LockedNote],
    doubtful: Iterable[Pair],
    told: Told,
) -> None:
    """If all others are told apart, the last note is the last line; else the author must say."""
    spare, over = _left(lines, notes, told)
    if len(spare) == len(over) == 1 and len(lines) == len(notes):
        told.found[over[0]] = spare[0]
    elif spare:
        told.doubtful += [(compared[pair.old], pair.new, pair.rank) for pair in doubtful if pair.new in over]
