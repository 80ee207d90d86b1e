"""Renames: a note that vanished and one that is new may be one note whose question was reworded.

Never guessed: two that might be either are listed, and the author says which with `deckgen adopt OLD NEW`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deckgen.identity.likeness import letters_alike, likeness, paths_alike, substituted, weighty, wording
from deckgen.identity.lock import LockedNote

SAME = 0.75
"""Likeness of two questions from which on they are one note."""
MARGIN = 0.15
"""How far the second best must be below the best."""
ASKED = 0.6
"""Likeness from which on a pair is worth asking the author about."""
NEAR_ANSWER = 0.9
FAR_ANSWER = 0.3
FEW = 8
"""Vanished notes that a new one is compared with; more would make a rewritten deck quadratic."""
COMMON = 64
"""A word or section that more vanished notes than this share does not help to find the right one."""


class Pair(NamedTuple):
    """A vanished note and a new one, as indices, with what speaks for their being one."""

    old: int
    new: int
    alike: float
    """Likeness of the questions, with the answers as witnesses: 0.75 makes them one note."""
    rank: float
    """Likeness of question, place and answer together: for choosing between several."""


Renames = tuple[list[Pair], list[Pair]]
"""Pairs that are one note, and pairs that only the author can tell."""


def renames(vanished: Sequence[LockedNote], fresh: Sequence[LockedNote]) -> Renames:
    """Which of the vanished notes live on as new ones; roughly linear in their number.

    A new note is compared with the few that share most with it: wording, answer, or section.
    """
    by: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, old in enumerate(vanished):
        for trait in _traits(old):
            by[trait].append(number)
    pairs = []
    for number, new in enumerate(fresh) if vanished else ():
        votes: Counter[int] = Counter()
        for trait in _traits(new):
            # a moved chapter may have hundreds of notes that say "features": its own section tells them apart
            sharing = by.get(trait, ())
            if len(sharing) <= COMMON:
                votes.update(sharing)
        near = [old for old, _ in votes.most_common(FEW) if _worth_comparing(vanished[old], new)]
        pairs += [pair for old in near if (pair := compare(vanished[old], new, old, number)).alike >= ASKED]
    return decided(pairs, SAME)


def _worth_comparing(old: LockedNote, new: LockedNote) -> bool:
    """False for two that share neither answer nor name nor letters: these are compared in no time, words are not."""
    same_name = bool(_name(old)) and _name(old) == _name(new)
    return old.answer_hash == new.answer_hash or same_name or letters_alike(old.anchor, new.anchor) >= ASKED


def _traits(note: LockedNote) -> Iterator[tuple[object, ...]]:
    """What a note can be looked up by; notes of different kinds share nothing, since Anki could not update one
    to the other."""
    yield "anchor", note.kind, note.anchor
    yield "anchor and section", note.kind, note.headings[-1:], note.anchor
    yield "anchor and answer", note.kind, note.anchor, note.answer_hash
    yield "answer", note.kind, note.answer_hash
    yield "section", note.kind, note.headings
    if name := _name(note):
        yield "name", name
    for word in wording(note.anchor).words:
        yield "word", note.kind, word


def _name(note: LockedNote) -> str:
    """The name that an API note is about, with or without its parameters; empty for other notes."""
    return note.anchor.partition("(")[0].strip() if note.kind == "api" else ""


def compare(old: LockedNote, new: LockedNote, old_index: int, new_index: int) -> Pair:
    """How far a vanished note and a new one speak for being one."""
    answers = 1.0 if old.answer_hash == new.answer_hash else likeness(old.answer, new.answer)
    alike = likeness(old.anchor, new.anchor)
    near = answers >= NEAR_ANSWER and weighty(new.answer)
    if near:
        alike = max(alike, letters_alike(old.anchor, new.anchor))
        if answers == 1.0 and old.headings == new.headings:
            alike = max(alike, NEAR_ANSWER)
    if _name(old) and _name(old) == _name(new):
        alike = max(alike, NEAR_ANSWER if near else ASKED)
    elif answers < FAR_ANSWER and substituted(old.anchor, new.anchor):
        alike = min(alike, SAME - 0.01)
    rank = (alike + answers + paths_alike(old.headings, new.headings)) / 3
    return Pair(old_index, new_index, alike, rank)


def decided(pairs: Iterable[Pair], threshold: float) -> Renames:
    """Takes pairs whose rivals are clearly behind, again and again, until only doubtful ones are left: one a new note."""
    left = sorted(pairs, key=lambda pair: (-pair.rank, -pair.alike, pair.old, pair.new))
    sure: list[Pair] = []
    while clear := _clear(left, threshold):
        sure += clear
        olds, news = {pair.old for pair in clear}, {pair.new for pair in clear}
        left = [pair for pair in left if pair.old not in olds and pair.new not in news]
    return sure, list({pair.new: pair for pair in reversed(left)}.values())


def _clear(pairs: Sequence[Pair], threshold: float) -> list[Pair]:
    """The pairs that are good enough and the best by far for both of their notes."""
    sharing: dict[tuple[str, int], list[Pair]] = defaultdict(list)
    for pair in pairs:
        sharing["old", pair.old].append(pair)
        sharing["new", pair.new].append(pair)
    return [
        pair
        for pair in pairs
        if pair.alike >= threshold
        and all(
            rival is pair
            or (pair.rank > rival.rank and max(pair.alike - rival.alike, pair.rank - rival.rank) >= MARGIN)
            for rival in (*sharing["old", pair.old], *sharing["new", pair.new])
        )
    ]
