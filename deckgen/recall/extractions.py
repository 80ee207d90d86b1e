"""What was found in a source, by everything that it was found from.

Kept as a pickle, which is the fastest way to get some hundred thousand small objects back. A pickle may name any function
there is; this one is read by a reader that knows deckgen's own nouns and nothing else, from a folder that nobody else
can write.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter
from typing import Any

from deckgen.extraction import Extraction
from deckgen.recall.folder import Folder
from deckgen.recall.tools import digest, tools
from deckgen.source import Source

NOUNS = frozenset(f"deckgen.{noun}" for noun in ("source", "document", "claim", "note", "extraction"))

Asked = tuple[tuple[tuple[str, str, str], str], ...]
"""What was asked for beside the source, (kind, folder, name), each with a digest of the answer."""


@dataclass(frozen=True, slots=True)
class Extractions:
    """The extractions of all sources that were ever read, one a source."""

    folder: Folder

    def get(self, source: Source, *settings: object) -> tuple[Extraction, Asked] | None:
        """What was found in this very text under these settings; its document comes without blocks."""
        data = self.folder.read(_name(source, settings))
        wanted = _key(source, settings)
        if data is None or not data.startswith(wanted):
            return None
        try:
            extraction, asked = _Reader(io.BytesIO(data[len(wanted) :])).load()
            return replace(extraction, document=replace(extraction.document, source=source)), asked
        except Exception:
            return None

    def put(self, source: Source, extraction: Extraction, asked: Asked, *settings: object) -> None:
        """Keeps what was found; instead of what was found in an earlier version of the source."""
        bare = replace(extraction.document, source=Source(source.name, ""), blocks=())
        data = io.BytesIO()
        _Writer(data, pickle.HIGHEST_PROTOCOL).dump((replace(extraction, document=bare), asked))
        self.folder.write(_name(source, settings), _key(source, settings) + data.getvalue())


def _name(source: Source, settings: tuple[object, ...]) -> str:
    return digest(os.path.abspath(source.name), settings)


def _key(source: Source, settings: tuple[object, ...]) -> bytes:
    text = hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()
    return digest(tools(), source.name, text, source.newline, source.encoding, source.bom, settings).encode()


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
    """Makes nouns and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        noun = getattr(sys.modules.get(module), name, None) if module in NOUNS else None
        if not isinstance(noun, type) or noun.__module__ != module or not dataclasses.is_dataclass(noun):
            raise pickle.UnpicklingError(f"{module}.{name} is no noun")
        return _maker(noun)


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
