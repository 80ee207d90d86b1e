"""Written values: the small grammar of what people write down for a value.

Notes show values as `repr` prints them (`tensor([1, 2], dtype=torch.int32)`), as `str` does
(`[1. 2.]`), or as authors shorten them (`[1, 3, 3]`). `parsing` reads all of them into one flat tree of the
nodes here, `values` knows which of these an output may consist of, and `lines` which lines were printed together. Recognising
a claim and comparing it use the same tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from deckgen.text.pattern import pattern


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: `1`, `1.`, `-0.3037`, `1e-05`, `nan`, `1.+2.j`; `0.20…` was cut off."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A bracket that holds nothing but real numbers; kept as texts, because there may be thousands."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    text: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted string; `text` is what stands between the quotes, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Address:
    text: str


@dataclass(frozen=True, slots=True)
class Dots:
    """`...`: left out."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Punctuation, or a rule such as `-----`."""

    text: str


@dataclass(frozen=True, slots=True)
class Angle:
    """`<class 'torch.Tensor'>`, `<AddBackward0 object at 0x7f>`."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A bracket; its items are separated by commas, or by blanks where numpy prints."""

    bracket: str
    items: tuple[tuple[Node, ...], ...]
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """A name directly followed by a bracket: `tensor([1, 2])`, `Linear(in_features=2)`."""

    name: str
    group: Group
    text: str
    """The whole literal as written."""


CONSTANTS = frozenset({"True", "False", "None"})
"""Words that are values."""

Node = Number | Row | Word | Quoted | Address | Dots | Mark | Angle | Group | Call


def cut_off(node: Node) -> Node:
    """A node with `…` behind each of its numbers: they may be cut off where they end."""
    match node:
        case Number(text):
            return Number(_cut_off(text))
        case Row(texts):
            return Row(tuple(map(_cut_off, texts)))
        case Group(bracket, items, closed):
            return Group(bracket, tuple(tuple(map(cut_off, item)) for item in items), closed)
        case Call(name, group, text):
            return Call(name, Group(group.bracket, tuple(tuple(map(cut_off, item)) for item in group.items)), text)
        case _:
            return node


def _cut_off(text: str) -> str:
    return text if text.endswith(("…", ".")) else f"{text}…"


_FULL_WIDTH = tuple(zip("（），：；！？“”‘’＝＜＞［］｛｝　", "(),:;!?\"\"''=<>[]{} ", strict=True))
_WIDE = pattern("[" + "".join(wide for wide, _ in _FULL_WIDTH) + "]")


_DOTS = pattern(r"\s*(?:\.{3,}|…+)\s*")


def is_left_out(text: str) -> bool:
    """True for nothing but `...`: something is left out there."""
    return _DOTS.fullmatch(text) is not None


@lru_cache(maxsize=2048)
def half_width(text: str) -> str:
    """Full-width punctuation and curly quotes as ASCII; same length, so that offsets stay."""
    if not text.isascii() and _WIDE.search(text):
        for wide, narrow in _FULL_WIDTH:  # several times as fast as `translate`
            text = text.replace(wide, narrow)
    return text
