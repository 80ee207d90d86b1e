"""The parser of written values: a text becomes nodes, with the places where they stand.

It never evaluates the text, never fails, and needs no recursion: what it does not know is a word or a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from deckgen.text.pattern import pattern
from deckgen.written import (
    CONSTANTS,
    Address,
    Angle,
    Call,
    Dots,
    Group,
    Mark,
    Node,
    Number,
    Quoted,
    Row,
    Word,
    half_width,
)

_NUMBER = r"(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
_ROW = r"\[[-+\deE,.\s]*\]"
_TOKEN = pattern(
    rf"""
    \s*+(?:
    (?P<rows>{_ROW}(?:,\s*{_ROW})*)
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
    """A bracket that is not closed yet."""

    bracket: str
    start: int
    name: str
    items: list[tuple[Node, ...]]
    current: list[Piece]


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
    stack = [_Open("", 0, "", [], [])]
    outermost = stack[0].current
    for token in _TOKEN.finditer(text, 0, len(text.rstrip())):
        kind = token.lastgroup or "mark"
        written = token[kind]
        start, stop = token.span(kind)
        if kind == "rows":
            _add_rows(stack, written, start)
        elif kind != "mark":
            stack[-1].current.append(Piece(_leaf(kind, written), start, stop))
        elif written in "([{":
            stack.append(_open(written, start, stack[-1]))
        elif _closes(stack, written, text, start):
            _close(stack, text, stop, closed=True)
        elif written == "," and len(stack) > 1:
            _end_item(stack[-1])
        else:
            stack[-1].current.append(Piece(Mark(written), start, stop))
        while len(outermost) > 1:  # the last one may turn out to be the name of a call
            yield outermost.pop(0)
    while len(stack) > 1:
        _close(stack, text, len(text), closed=False)
    yield from outermost


def _add_rows(stack: list[_Open], written: str, start: int) -> None:
    """`[1, 2]`, or many rows in one go: `[1, 2],\\n [3, 4]`."""
    frame, at = stack[-1], 0
    if len(stack) > 1 and not frame.current:
        first, last = written[:-1].rsplit("[", 1)
        frame.items += [(_row(one.partition("[")[2]),) for one in first.split("]")[:-1]]
        frame.current.append(Piece(_row(last), start + len(first), start + len(written)))
        return
    while at >= 0:
        stop = written.index("]", at)
        frame.current.append(Piece(_row(written[at + 1 : stop]), start + at, start + stop + 1))
        at = written.find("[", stop)
        if at < 0:
            return
        if len(stack) > 1:
            _end_item(frame)
        else:
            comma = start + written.index(",", stop)
            frame.current.append(Piece(Mark(","), comma, comma + 1))


def _closes(stack: list[_Open], written: str, text: str, start: int) -> bool:
    """True if a mark closes a bracket; inner ones that were forgotten are closed on the way."""
    bracket = _CLOSING.get(written)
    if bracket is None or not any(frame.bracket == bracket for frame in stack[-_FORGOTTEN:]):
        return False
    while stack[-1].bracket != bracket:
        _close(stack, text, start, closed=False)
    return True


_FORGOTTEN = 4
"""Brackets that may be missing at once; more is no slip, and looking further back would cost."""


def _open(bracket: str, start: int, parent: _Open) -> _Open:
    before = parent.current[-1] if parent.current else None
    name = before.node if before and before.stop == start else None
    if before and bracket == "(" and isinstance(name, Word) and _may_call(name.text):
        parent.current.pop()
        return _Open(bracket, before.start, name.text, [], [])
    return _Open(bracket, start, "", [], [])


def _may_call(name: str) -> bool:
    """False for `True(...)` and for Chinese words: what follows them is an explanation."""
    return name.isascii() and name not in CONSTANTS


def _close(stack: list[_Open], text: str, stop: int, *, closed: bool) -> None:
    done = stack.pop()
    if done.current:
        _end_item(done)
    items = _blank_separated(done.items) if done.bracket == "[" else tuple(done.items)
    group = Group(done.bracket, items, closed)
    node: Node = Call(done.name, group, text[done.start : stop]) if done.name else group
    stack[-1].current.append(Piece(node, done.start, stop))


def _end_item(frame: _Open) -> None:
    frame.items.append(tuple(piece.node for piece in frame.current))
    frame.current.clear()


def _blank_separated(items: Sequence[tuple[Node, ...]]) -> tuple[tuple[Node, ...], ...]:
    """numpy prints `[[1. 2.]\\n [3. 4.]]`: every node is an item of its own."""
    if all(len(item) < 2 for item in items) or not all(_plain(node) for item in items for node in item):
        return tuple(items)
    return tuple((node,) for item in items for node in item)


def _plain(node: Node) -> bool:
    return isinstance(node, Number | Row | Group | Dots) or (isinstance(node, Word) and node.text in ("True", "False"))


def _leaf(kind: str, written: str) -> Node:
    if kind == "complex":
        return Number("".join(written.split()))
    if kind in ("number", "cut"):
        return Number(written.replace("...", "…"))
    if kind == "quoted":
        return Quoted(written[written.index(written[-1]) + 1 : -1])
    if kind == "address":
        return Address(written)
    if kind == "dots":
        return Dots()
    if kind == "angle":
        return Angle(parse(written[1:-1]))
    return Word(written) if kind == "word" else Mark(written)  # a rule


def _row(inside: str) -> Node:
    """The bracket around numbers, or around what only looks like them."""
    inside = inside.strip().rstrip(",")
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
