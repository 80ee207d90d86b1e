"""The cache of observations: what was seen once need not be run again.

One small file an entry in the user's cache folder, written whole or not at all. An entry that cannot be
read is a miss. Two runs at once may write the same entry: both write the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = 1
LIMIT = 256 << 20
"""Bytes that the cache may hold; the entries unused for longest go first."""


def default_folder() -> Path:
    import platformdirs  # only needed when something is to be verified

    return Path(platformdirs.user_cache_dir("deckgen")) / "observations"


def key(*parts: object) -> str:
    """A name for everything that an observation depends on."""
    text = json.dumps([VERSION, *parts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries by key. `folder` None = nothing is kept."""

    folder: Path | None

    def get(self, name: str) -> Any | None:
        if self.folder is None:
            return None
        path = self._path(name)
        try:
            entry = json.loads(zlib.decompress(path.read_bytes()))
            if entry["key"] != name:
                return None
            with contextlib.suppress(OSError):
                os.utime(path)  # used now: the last to go
        except (OSError, ValueError, KeyError, TypeError, zlib.error):
            return None
        return entry["value"]

    def put(self, name: str, value: Any) -> None:
        """Keep a value; a disk that is full or read-only only means that nothing is kept."""
        if self.folder is None:
            return
        path = self._path(name)
        data = zlib.compress(json.dumps({"key": name, "value": value}).encode("ascii"), 1)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                os.replace(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise

    def _path(self, name: str) -> Path:
        assert self.folder is not None  # noqa: S101 (callers have asked)
        return self.folder / name[:2] / name[2:]

    def trim(self, limit: int = LIMIT) -> None:
        """Remove what was unused for longest until the rest fits, and what a killed run left half-written."""
        if self.folder is None:
            return
        entries = sorted(self._entries())
        total = sum(size for _, size, _ in entries)
        for used, size, path in entries:
            half_written = path.name.startswith(".new-") and used < time.time() - 3600
            if total > limit or half_written:
                with contextlib.suppress(OSError):
                    path.unlink()
                total -= size

    def _entries(self) -> list[tuple[float, int, Path]]:
        found = []
        if self.folder is not None and self.folder.is_dir():
            for path in self.folder.glob("??/*"):
                with contextlib.suppress(OSError):
                    status = path.stat()
                    found.append((status.st_mtime, status.st_size, path))
        return found

    def info(self) -> dict[str, Any]:
        """Where it is and how much it holds."""
        entries = self._entries()
        return {
            "folder": str(self.folder),
            "entries": len(entries),
            "bytes": sum(size for _, size, _ in entries),
            "limit": LIMIT,
        }

    def clear(self) -> int:
        """Remove every entry; the number of entries removed."""
        entries = self._entries()
        for _, _, path in entries:
            with contextlib.suppress(OSError):
                path.unlink()
        return len(entries)
