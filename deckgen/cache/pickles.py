"""Nouns as bytes and back, in another place of their source if need be.

A pickle is the fastest way to get some hundred thousand small objects back, and it may name any function there is. This one
is read by a reader that knows deckgen's own nouns and nothing else, from a folder that nobody else can write.
"""

from __future__ import annotations

import dataclasses
import io
import pickle
import sys
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

from deckgen.model.claim import Exists, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.note import Note, Output
from deckgen.model.passage import Finds, Passage
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

NOUNS = frozenset(f"deckgen.{noun}" for noun in ("source", "document", "claim", "note", "extraction", "passage"))


class UnusableError(Exception):
    """What was kept is not what was written."""


def packed(finds: Finds) -> bytes:
    """The finds of a passage, to be kept."""
    return pickled(finds)


def unpacked(passage: Passage, first: int) -> Finds:
    """The finds of a passage that begins on line `first` now. Raises UnusableError."""
    try:
        finds = _Reader(io.BytesIO(passage.finds), first - passage.first).load()
    except Exception as error:
        raise UnusableError from error
    if not isinstance(finds, Finds):
        raise UnusableError
    return finds


def pickled(value: object) -> bytes:
    """As bytes; every noun in it by the values of its fields."""
    data = io.BytesIO()
    _Writer(data, pickle.HIGHEST_PROTOCOL).dump(value)
    return data.getvalue()


def unpickled(data: bytes) -> Any:
    """What was pickled. Raises whatever damaged data makes a reader raise."""
    return _Reader(io.BytesIO(data)).load()


class _Writer(pickle.Pickler):
    """Writes a noun as its class and the values of its fields."""

    def reducer_override(self, noun: Any) -> Any:
        kind: Any = type(noun)
        values = _values(kind)
        return (kind, values(noun)) if values else NotImplemented


@cache
def _values(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """Gets the values of all fields of a noun; None for what is no noun."""
    if not dataclasses.is_dataclass(kind):
        return None
    names = [one.name for one in dataclasses.fields(kind)]
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda noun: (get(noun),)


class _Reader(pickle.Unpickler):
    """Makes nouns and nothing else; with all their lines so many further down."""

    def __init__(self, file: io.BytesIO, lines: int = 0) -> None:
        super().__init__(file)
        self._lines = lines

    def find_class(self, module: str, name: str) -> Any:
        noun = getattr(sys.modules.get(module), name, None) if module in NOUNS else None
        if not isinstance(noun, type) or noun.__module__ != module or not dataclasses.is_dataclass(noun):
            raise pickle.UnpicklingError(f"{module}.{name} is no noun")
        return _moved(noun, self._lines) if self._lines else _maker(noun)


def _moved(noun: type, lines: int) -> Callable[..., Any]:
    """Makes a noun that stands so many lines further down."""
    make = _maker(noun)
    names = [one.name for one in dataclasses.fields(noun)]
    moves = [(names.index(name), move) for name, move in _MOVES.get(noun, ())]

    def make_moved(*values: Any) -> Any:
        told = list(values)
        for at, move in moves:
            told[at] = move(told[at], lines)
        return make(*told)

    return make_moved if moves else make


def _line(line: int, lines: int) -> int:
    return line + lines


def _every_line(every: tuple[int, ...], lines: int) -> tuple[int, ...]:
    return tuple(line + lines for line in every)


def _id(name: str, lines: int) -> str:
    """`57.1`, `a57.1` and `57` begin with the line that they are about."""
    return _NUMBER.sub(lambda number: str(int(number[0]) + lines), name, count=1)


def _ids(names: tuple[str, ...], lines: int) -> tuple[str, ...]:
    return tuple(_id(name, lines) for name in names)


_NUMBER = pattern(r"\d+")
_CLAIM: tuple[tuple[str, Callable[[Any, int], Any]], ...] = (("id", _id),)
_MOVES: Mapping[type, tuple[tuple[str, Callable[[Any, int], Any]], ...]] = {
    Span: (("start", _line), ("stop", _line)),
    Snippet: (("id", _id), ("lines", _every_line)),
    Prints: _CLAIM,
    Shows: _CLAIM,
    HasShape: _CLAIM,
    Raises: _CLAIM,
    Exists: _CLAIM,
    Note: (("rests_on", _ids),),
    Output: (("claims", _ids),),
}
"""The fields of nouns that tell lines of the source; those of a `Passage` itself are none of them."""


@cache
def _maker(noun: type) -> Callable[..., Any]:
    """Makes a noun of the values of its fields, in a quarter of the time that a frozen dataclass takes to restore itself."""
    new: Callable[[type], Any] = object.__new__
    fills = [getattr(noun, one.name).__set__ for one in dataclasses.fields(noun)]

    def make(*values: Any) -> Any:
        made = new(noun)
        for fill, value in zip(fills, values):  # noqa: B905 (a check of the lengths takes as long as the filling)
            fill(made, value)
        return made

    def make_pair(one: Any, other: Any) -> Any:
        made = new(noun)
        fill_one(made, one)
        fill_other(made, other)
        return made

    if len(fills) != 2:
        return make
    fill_one, fill_other = fills  # spans, places and keys: most of all nouns
    return make_pair
