"""The cache of observations: what was seen once need not be run again.

One small file an entry, in the user's cache folder. An entry that cannot be read is a miss.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckgen.cache import Folder, place

VERSION = 1
KIND = "observations"


def default_folder() -> Path | None:
    return place(KIND)


def key(*parts: object) -> str:
    """A name for everything that an observation depends on."""
    text = json.dumps([VERSION, *parts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries by key. `folder` None = nothing is kept."""

    folder: Path | None

    def get(self, name: str) -> Any | None:
        data = self._kept.read(name)
        try:
            entry = json.loads(zlib.decompress(data)) if data is not None else {}
            return entry["value"] if entry["key"] == name else None
        except (ValueError, KeyError, TypeError, zlib.error):
            return None

    def put(self, name: str, value: Any) -> None:
        """Keeps a value; a disk that is full or read-only only means that nothing is kept."""
        if self.folder is not None:
            self._kept.write(name, zlib.compress(json.dumps({"key": name, "value": value}).encode("ascii"), 1))

    def trim(self) -> None:
        self._kept.trim()

    @property
    def _kept(self) -> Folder:
        return Folder(self.folder)
