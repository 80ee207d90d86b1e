"""How alike two texts are, from 0 to 1, for telling a reworded question from another question.

The letters alone are not enough: `torch.zeros` and `torch.zeros_like` share four fifths of theirs, and
"before" a colon and "not before" nearly all. So the words must be alike, too, and in a short text the words
that tell things apart (names of the API, numbers, negations) must be the same but for a typing error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from deckgen.lexicon import roles, words
from deckgen.text.pattern import pattern

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
    rf"{'|'.join(reversed(_LONG))}|[㐀-鿿豈-﫿]"
    r"|(?P<latin>[^\W㐀-鿿豈-﫿]+(?:\.[^\W\d㐀-鿿豈-﫿]\w*)*|\d+(?:\.\d+)?)"
)
_HAN = pattern(r"[㐀-鿿豈-﫿]")
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
