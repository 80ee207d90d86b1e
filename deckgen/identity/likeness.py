"""Renames: a note that vanished and one that is new may be one note whose question was reworded.

Never guessed: two that might be either are listed, and the author says which with `deckgen adopt OLD NEW`.

How alike two texts are goes from 0 to 1. The letters alone are not enough: `torch.zeros` and `torch.zeros_like` share
four fifths of theirs, and "before" a colon and "not before" nearly all. So the words must be alike, too, and in a short
text the words that tell things apart (names of the API, numbers, negations) must be the same but for a typing error.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from deckgen.identity.lock import LockedNote
from deckgen.lexicon import roles, words
from deckgen.text.pattern import HAN, pattern

SHORT = 12
"""Words; in a longer text (a block of code) one changed number does not make another note."""
MISTYPED = 16
"""Pairs of words that are tried for a typing error; texts that differ in more words are no two versions of one."""
CAP = 0.7
"""The most that texts with different telling words are alike: too little to be one note, enough to be asked."""

_QUESTION_WORDS = {word: role for role in ("why", "how", "when", "where") for word in roles("zh")[f"likeness.{role}"]}
_EMPTY = frozenset(words("likeness.empty"))
_NEGATIONS = frozenset(words("likeness.negation"))
_LONG = sorted((word for word in {*_QUESTION_WORDS, *_EMPTY} if len(word) > 1 and not word.isascii()), key=len)
_WORD = pattern(
    rf"{'|'.join(reversed(_LONG))}|[{HAN}]"
    rf"|(?P<latin>[^\W{HAN}]+(?:\.[^\W\d{HAN}]\w*)*|\d+(?:\.\d+)?)"
)
_HAN = pattern(f"[{HAN}]")
_SPACE = pattern(r"\s+")
_SENTENCE = pattern(r"(?<=[.!?])\s+|(?<=[。！？；;])")


@dataclass(frozen=True, slots=True)
class Wording:
    """A text prepared for comparing."""

    letters: str
    in_order: str
    """The letters with the sentences in alphabetical order: an author may tell them in any."""
    words: Counter[str]
    telling: Counter[str]
    """Those words that tell things apart, if the text is short."""


@lru_cache(maxsize=65_536)
def wording(text: str) -> Wording:
    letters = _SPACE.sub(" ", text).strip().casefold()
    chinese = bool(_HAN.search(text))
    words: Counter[str] = Counter()
    telling: Counter[str] = Counter()
    for found in _WORD.finditer(text):
        word = _QUESTION_WORDS.get(found[0], found[0])
        if word.casefold() in _EMPTY:
            continue
        words[word.casefold()] += 1
        # names, numbers and negations; every Latin word in a Chinese sentence is a name
        name = any(sign in "_." or sign.isdigit() for sign in word) or any(sign.isupper() for sign in word[1:])
        if name or (chinese and found["latin"]) or word.casefold() in _NEGATIONS:
            telling[word.casefold()] += 1
    in_order = " ".join(sorted(one.strip(" .") for one in _SENTENCE.split(letters)))
    return Wording(letters, in_order, words, telling if words.total() < SHORT else Counter())


def likeness(one: str, other: str) -> float:
    """The lesser of the likeness of letters and of words; at most `CAP` if telling words differ."""
    if one == other:
        return 1.0
    a, b = wording(one), wording(other)
    alike = letters_alike(one, other)
    if total := a.words.total() + b.words.total():
        left, right = _unpaired(a.words, b.words)
        alike = min(alike, 1 - (len(left) + len(right)) / total)
    return alike if _unpaired(a.telling, b.telling) == ([], []) else min(alike, CAP)


def letters_alike(one: str, other: str) -> float:
    a, b = wording(one), wording(other)
    return max(fuzz.ratio(a.letters, b.letters), fuzz.ratio(a.in_order, b.in_order)) / 100


def substituted(one: str, other: str) -> bool:
    """True if each text has a word that the other has not, typing errors aside."""
    return all(_unpaired(wording(one).words, wording(other).words))


def _unpaired(a: Counter[str], b: Counter[str]) -> tuple[list[str], list[str]]:
    """The words that only one side has, without pairs that differ by a typing error."""
    left, right = list((a - b).elements()), list((b - a).elements())
    if len(left) * len(right) > MISTYPED:
        return left, right
    for word in tuple(left):
        twin = next((other for other in right if _mistyped(word, other)), None)
        if twin is not None:
            left.remove(word)
            right.remove(twin)
    return left, right


def _mistyped(one: str, other: str) -> bool:
    """One slip of the keyboard in a word of five letters or more; not its first letter, not its signs.

    `hparam` and `hparams` are one word; `conv1d` and `conv2d`, `relu` and `relu_`, `rand` and `randn` are two.
    """
    if min(len(one), len(other)) < 5 or one[0] != other[0] or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    signs, others = ([sign for sign in word if not sign.isalpha()] for word in (one, other))
    return signs == others


def weighty(answer: str) -> bool:
    """True if an answer says enough to be known by: "True", "B" and "None" answer many questions."""
    return sum(2 if _HAN.match(letter) else 1 for letter in answer if letter.isalnum()) >= 12


def paths_alike(one: Iterable[str], other: Iterable[str]) -> float:
    """Likeness of two heading paths: the nearest heading counts twice as much as the one above it."""
    a, b = tuple(one)[::-1], tuple(other)[::-1]
    if a == b:
        return 1.0
    weights = [0.5**depth for depth in range(max(len(a), len(b)))]
    pairs = zip(weights, a, b, strict=False)
    return sum(weight * letters_alike(x, y) for weight, x, y in pairs) / sum(weights)


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
