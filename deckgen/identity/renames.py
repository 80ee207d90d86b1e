"""Renames: a note that vanished and one that is new may be one note whose question was reworded.

Never guessed: two that might be either are listed, and the author says which with `deckgen adopt OLD NEW`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from deckgen.identity.candidate import Candidate
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


@dataclass(frozen=True, slots=True)
class Pair:
    """A vanished note and a new one, as indices, with what speaks for their being one."""

    old: int
    new: int
    alike: float
    """Likeness of the questions, with the answers as witnesses: 0.75 makes them one note."""
    rank: float
    """Likeness of question, place and answer together: for choosing between several."""


@dataclass(frozen=True, slots=True)
class Renames:
    """Pairs that are one note, and pairs that only the author can tell."""

    sure: tuple[Pair, ...]
    doubtful: tuple[Pair, ...]


def renames(vanished: Sequence[LockedNote], fresh: Sequence[Candidate]) -> Renames:
    """Which of the vanished notes live on as new ones; roughly linear in their number."""
    found = _Finder(vanished)
    pairs = [
        pair
        for number, new in enumerate(fresh)
        for old in found.near(new)
        if _worth_comparing(vanished[old], new) and (pair := compare(vanished[old], new, old, number)).alike >= ASKED
    ]
    return decided(pairs, SAME)


def _worth_comparing(old: LockedNote, new: Candidate) -> bool:
    """False where `compare` could not reach `ASKED`: letters are compared in no time, words are not."""
    if old.answer_hash == new.answer_hash or _same_name(old, new):
        return True
    return letters_alike(old.anchor, new.key.anchor) >= ASKED


def _same_name(old: LockedNote, new: Candidate) -> bool:
    """True for two notes about one name of the API, with or without its parameters."""
    name = _name(old.kind, old.anchor)
    return bool(name) and name == _name(new.kind, new.key.anchor)


def _name(kind: str, anchor: str) -> str:
    """The name in the anchor of an API note; empty for other notes."""
    return anchor.partition("(")[0].strip() if kind == "api" else ""


def compare(old: LockedNote, new: Candidate, old_index: int, new_index: int) -> Pair:
    """How far a vanished note and a new one speak for being one."""
    answers = 1.0 if old.answer_hash == new.answer_hash else likeness(old.answer, new.answer)
    alike = likeness(old.anchor, new.key.anchor)
    if answers >= NEAR_ANSWER and weighty(new.answer):
        alike = max(alike, letters_alike(old.anchor, new.key.anchor))
        if answers == 1.0 and old.headings == new.key.headings:
            alike = max(alike, NEAR_ANSWER)
    if _same_name(old, new):
        alike = max(alike, NEAR_ANSWER if answers >= NEAR_ANSWER and weighty(new.answer) else ASKED)
    elif answers < FAR_ANSWER and substituted(old.anchor, new.key.anchor):
        alike = min(alike, SAME - 0.01)
    rank = (alike + answers + paths_alike(old.headings, new.key.headings)) / 3
    return Pair(old_index, new_index, alike, rank)


def decided(pairs: Iterable[Pair], threshold: float) -> Renames:
    """Takes pairs whose rivals are clearly behind, again and again, until only doubtful ones are left."""
    left = sorted(pairs, key=lambda pair: (-pair.rank, -pair.alike, pair.old, pair.new))
    sure: list[Pair] = []
    while True:
        clear = _clear(left, threshold)
        if not clear:
            return Renames(tuple(sure), _best(left))
        sure += clear
        olds, news = {pair.old for pair in clear}, {pair.new for pair in clear}
        left = [pair for pair in left if pair.old not in olds and pair.new not in news]


def _clear(pairs: Sequence[Pair], threshold: float) -> list[Pair]:
    """The pairs that are good enough and the best by far for both of their notes."""
    by_old: dict[int, list[Pair]] = defaultdict(list)
    by_new: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_old[pair.old].append(pair)
        by_new[pair.new].append(pair)
    return [
        pair
        for pair in pairs
        if pair.alike >= threshold
        and all(_behind(rival, pair) for rival in (*by_old[pair.old], *by_new[pair.new]) if rival is not pair)
    ]


def _behind(rival: Pair, pair: Pair) -> bool:
    if pair.rank <= rival.rank:
        return False
    return pair.alike - rival.alike >= MARGIN or pair.rank - rival.rank >= MARGIN


def _best(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """One pair for each new note; `pairs` has the best first."""
    best: dict[int, Pair] = {}
    for pair in pairs:
        best.setdefault(pair.new, pair)
    return tuple(best.values())


@dataclass(slots=True)
class _Finder:
    """Finds the few vanished notes that could be a new one, without comparing it with all of them."""

    vanished: Sequence[LockedNote]
    by: Mapping[tuple[str, object], list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.by = defaultdict(list)
        for number, old in enumerate(self.vanished):
            for trait in _traits(old.kind, old.headings, old.anchor, old.answer_hash):
                self.by[trait].append(number)

    def near(self, new: Candidate) -> list[int]:
        """The vanished notes that share most with it: wording, answer, or section."""
        votes: Counter[int] = Counter()
        for trait in _traits(new.kind, new.key.headings, new.key.anchor, new.answer_hash):
            # a moved chapter may have hundreds of notes that say "features": its own section tells them apart
            sharing = self.by.get(trait, [])
            if len(sharing) <= COMMON:
                votes.update(sharing)
        return [number for number, _ in votes.most_common(FEW)]


def _traits(kind: str, headings: tuple[str, ...], anchor: str, answer_hash: str) -> Iterable[tuple[str, object]]:
    """What a note can be looked up by; notes of different kinds share nothing, since Anki could not update one
    to the other."""
    nearest = headings[-1:]
    yield "anchor", (kind, anchor)
    yield "anchor and section", (kind, nearest, anchor)
    yield "anchor and answer", (kind, anchor, answer_hash)
    yield "answer", (kind, answer_hash)
    yield "section", (kind, headings)
    if name := _name(kind, anchor):
        yield "name", (kind, name)
    for word in wording(anchor).words:
        yield "word", (kind, word)
