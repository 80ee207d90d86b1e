"""What was found in a source, by everything that it was found from.

Kept as a pickle, which is the fastest way to get some hundred thousand small objects back. A pickle may name any function
there is; this one is read by a reader that knows deckgen's own nouns and nothing else, from a folder that nobody else
can write.
"""

from __future__ import annotations

import dataclasses
import io
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
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
    return digest(tools(), source, settings).encode()


class _Writer(pickle.Pickler):
    """Writes a noun as its class and the values of its fields."""

    def reducer_override(self, noun: Any) -> Any:
        kind = type(noun)
        if not dataclasses.is_dataclass(kind):
            return NotImplemented
        return kind, tuple(getattr(noun, one.name) for one in dataclasses.fields(kind))


class _Reader(pickle.Unpickler):
    """Makes nouns and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        noun = getattr(sys.modules.get(module), name, None) if module in NOUNS else None
        if not isinstance(noun, type) or noun.__module__ != module or not dataclasses.is_dataclass(noun):
            raise pickle.UnpicklingError(f"{module}.{name} is no noun")
        return _maker(noun)


def _maker(noun: type) -> Callable[..., Any]:
    """Makes a noun of the values of its fields, in a third of the time that a frozen dataclass takes to restore itself."""
    slots = [getattr(noun, one.name).__set__ for one in dataclasses.fields(noun)]

    def make(*values: Any) -> Any:
        made: Any = object.__new__(noun)
        for fill, value in zip(slots, values, strict=True):
            fill(made, value)
        return made

    return make
