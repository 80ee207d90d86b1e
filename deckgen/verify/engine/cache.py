"""The cache of observations: what was seen once is not run again. An entry that cannot be read is a miss."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckgen.cache import Folder, place

VERSION = 2


def default_folder() -> Path | None:
    return place("observations")


def key(*parts: object) -> str:
    return hashlib.sha256(json.dumps([VERSION, *parts], default=str).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries by key, one small file each. `folder` None = nothing is kept."""

    folder: Path | None

    def get(self, name: str) -> Any | None:
        data = Folder(self.folder).read(name)
        try:
            entry = json.loads(zlib.decompress(data)) if data is not None else {}
            return entry["value"] if entry["key"] == name else None
        except (ValueError, KeyError, TypeError, zlib.error):
            return None

    def put(self, name: str, value: Any) -> None:
        """Keep a value. If the disk is full or read-only, nothing is kept."""
        if self.folder is not None:
            Folder(self.folder).write(name, zlib.compress(json.dumps({"key": name, "value": value}).encode("ascii"), 1))

    def trim(self) -> None:
        Folder(self.folder).trim()
