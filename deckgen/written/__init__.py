"""Written values: the small grammar of what people write down for a value, and its parser.

Notes show values as `repr` prints them (`tensor([1, 2], dtype=torch.int32)`), as `str` does
(`[1. 2.]`), or as authors shorten them (`[1, 3, 3]`). All of them are read into one flat tree, with the places where its
nodes stand; recognising a claim and comparing it use the same tree. `values` knows which nodes an output may consist of, and
`lines` which lines were printed together.

The parser never evaluates the text, never fails, and needs no recursion: what it does not know is a word or a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

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
    """A quoted string; `text` is what stands between the quotes, as written; of bytes with `b'` and `'` around it."""

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
        case Call(name, Group(bracket, items), text):
            return Call(name, Group(bracket, tuple(tuple(map(cut_off, item)) for item in items)), text)
        case _:
            return node


def _cut_off(text: str) -> str:
    return text if text.endswith(("…", ".")) else f"{text}…"


_FULL_WIDTH = tuple(zip("（），：；！？“”‘’＝＜＞［］｛｝　", "(),:;!?\"\"''=<>[]{} ", strict=True))
_WIDE = pattern("[" + "".join(wide for wide, _ in _FULL_WIDTH) + "]")


_DOTS = pattern(r"\s*(?P<quote>['\"]?)(?:\.{3,}|…+)(?P=quote)\s*")


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


# --- the parser ------------------------------------------------------------------------------------------

_NUMBER = r"(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
_ROW = r"\[[-+\deE,.\s]*\]"
_TOKEN = pattern(
    rf"""
    \s*+(?:
    (?P<row>{_ROW})
  | (?P<dots>\.\.\.+|…+)
  | (?P<rule>(?P<same>[=\-*_~#])(?P=same){{2,}})
  | (?P<address>(?<!\w)0x[0-9a-fA-F]+(?!\w))
  | (?P<complex>(?:(?<![\w)\]])[-+])?(?<!\w)(?:{_NUMBER}|nan|inf)\s?[-+]\s?-?(?:{_NUMBER}|nan|inf)j(?!\w))
  | (?P<cut>(?:(?<![\w)\]])[-+])?(?<![\w.])\d+\.\d+(?:\.\.\.|…)(?=[\s,)\]]|$))
  | (?P<number>(?:(?<![\w)\]])[-+])?(?<![\w.])(?:{_NUMBER}j?|inf|nan)(?!\w|\.\d))
  | (?P<quoted>(?<!\w)[bru]?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?!\w))
  | (?P<angle><(?=\w)(?:[^<>\n]|<[^<>\n]*>)*>)
  | (?P<word>(?:cuda|cpu|mps|xpu|meta|hpu):\d+(?!\w)|\w+(?:\.\w+)*)
  | (?P<mark>->|=>|.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {")": "(", "]": "[", "}": "{"}


class Piece(NamedTuple):
    """A node at the outermost level and where it stands: `text[start:stop]`."""

    node: Node
    start: int
    stop: int


@dataclass(slots=True)
class _Open:
    """A bracket that is not closed yet; of a call its name, and where that begins."""

    bracket: str
    start: int
    name: str = ""
    items: list[tuple[Node, ...]] = field(default_factory=list)
    current: list[Piece] = field(default_factory=list)

    def end_item(self) -> None:
        self.items.append(tuple(piece.node for piece in self.current))
        self.current.clear()


_FORGOTTEN = 4
"""Brackets that may be missing at once; more is no slip, and looking further back would cost."""


@lru_cache(maxsize=512)
def parse(text: str) -> tuple[Node, ...]:
    """The nodes of a text, in order. Most texts are read several times: to recognise a claim, to compare it with each run."""
    return tuple(piece.node for piece in pieces(text))


def pieces(text: str) -> list[Piece]:
    """The outermost nodes of a text with their places. Unclosed brackets are closed at the end."""
    return list(read_pieces(text))


def read_pieces(text: str) -> Iterator[Piece]:
    """Pieces as soon as they are certain: who asks how a text begins does not pay for the rest of it."""
    text = half_width(text)
    stack = [_Open("", 0)]
    outermost = stack[0].current
    for token in _TOKEN.finditer(text, 0, len(text.rstrip())):
        kind = token.lastgroup or "mark"
        written = token[kind]
        start, stop = token.span(kind)
        current = stack[-1].current
        bracket = _CLOSING.get(written)
        if written in ("(", "[", "{"):
            stack.append(_open(written, start, current))
        elif any(one.bracket == bracket for one in stack[-_FORGOTTEN:]):
            while stack[-1].bracket != bracket:  # inner ones that were forgotten
                _close(stack, text, start, closed=False)
            _close(stack, text, stop, closed=True)
        elif written == "," and len(stack) > 1:
            stack[-1].end_item()
        else:
            current.append(Piece(_leaf(kind, written), start, stop))
        while len(outermost) > 1:  # the last one may turn out to be the name of a call
            yield outermost.pop(0)
    while len(stack) > 1:
        _close(stack, text, len(text), closed=False)
    yield from outermost


def _open(bracket: str, start: int, current: list[Piece]) -> _Open:
    """`True(...)` is no call, nor a bracket behind Chinese words: what follows them is an explanation."""
    if current and bracket == "(":
        name, begin, stop = current[-1]
        if stop == start and isinstance(name, Word) and name.text.isascii() and name.text not in CONSTANTS:
            current.pop()
            return _Open(bracket, begin, name.text)
    return _Open(bracket, start)


def _close(stack: list[_Open], text: str, stop: int, *, closed: bool) -> None:
    done = stack.pop()
    if done.current:
        done.end_item()
    group = Group(done.bracket, _blank_separated(done.items) if done.bracket == "[" else tuple(done.items), closed)
    node = Call(done.name, group, text[done.start : stop]) if done.name else group
    stack[-1].current.append(Piece(node, done.start, stop))


def _blank_separated(items: Sequence[tuple[Node, ...]]) -> tuple[tuple[Node, ...], ...]:
    """numpy prints `[[1. 2.]\\n [3. 4.]]`: every node is an item of its own."""
    if all(len(item) < 2 for item in items) or not all(_plain(node) for item in items for node in item):
        return tuple(items)
    return tuple((node,) for item in items for node in item)


def _plain(node: Node) -> bool:
    return isinstance(node, Number | Row | Group | Dots) or (isinstance(node, Word) and node.text in ("True", "False"))


def _leaf(kind: str, written: str) -> Node:
    match kind:
        case "row":
            return _row(written)
        case "complex":
            return Number("".join(written.split()))
        case "number" | "cut":
            return Number(written.replace("...", "…"))
        case "quoted":
            text = written[written.index(written[-1]) + 1 : -1]
            return Quoted(f"b'{text}'" if written[0] == "b" else text)
        case "address":
            return Address(written)
        case "dots":
            return Dots()
        case "angle":
            return Angle(parse(written[1:-1]))
        case "word":
            return Word(written)
        case _:
            return Mark(written)


def _row(written: str) -> Node:
    """The bracket around numbers, or around what only looks like them."""
    inside = written[1:-1].strip().rstrip(",")
    texts = tuple(inside.replace(",", " ").split())
    commas = inside.count(",")
    if not texts and not commas:
        return Group("[", ())
    if (not commas or commas == len(texts) - 1) and _are_numbers(texts):
        return Row(texts)
    (group,) = parse(f"({inside})")  # dots among the numbers, a lone sign: few enough to be read one by one
    return Group("[", _blank_separated(group.items if isinstance(group, Group) else ()))


def _are_numbers(texts: Sequence[str]) -> bool:
    try:
        return bool(list(map(float, texts)))
    except ValueError:
        return False
