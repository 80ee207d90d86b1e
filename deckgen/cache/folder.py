"""A folder of ours in the user's cache: a file an entry, whole or not at all, and never too many of them.

An entry that cannot be read is a miss. Two runs at once may write the same entry: each reader sees one of them whole,
so no lock is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HALF_WRITTEN = ".new-"
ABANDONED = 3600
"""Seconds after which a half-written file must be that of a killed run."""
_SEAL = hashlib.sha256().digest_size


def place(kind: str) -> Path | None:
    """Where entries of a kind are kept: a folder in the user's cache folder; None for a user without a home."""
    import platformdirs  # only needed when something is kept

    try:
        return Path(platformdirs.user_cache_dir("deckgen")) / kind
    except RuntimeError:
        return None


@dataclass(frozen=True, slots=True)
class Folder:
    """Entries by name. `path` None = nothing is kept."""

    path: Path | None
    limit: int = 256 << 20
    """Bytes; the entries unused for longest go first."""

    def read(self, name: str) -> bytes | None:
        """The bytes that were written; None if there are none, or others than were written."""
        if self.path is None or not _is_ours(self.path):
            return None
        path = self._path(name)
        try:
            data = path.read_bytes()
            os.utime(path)  # used now: the last to go
        except OSError:
            return None
        seal, kept = data[:_SEAL], data[_SEAL:]
        return kept if hashlib.sha256(kept).digest() == seal else None

    def write(self, name: str, data: bytes) -> None:
        """Keeps data; a disk that is full or read-only only means that nothing is kept."""
        if self.path is None:
            return
        path = self._path(name)
        with contextlib.suppress(OSError):
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=HALF_WRITTEN)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(hashlib.sha256(data).digest())
                    file.write(data)
                os.replace(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise

    def _path(self, name: str) -> Path:
        assert self.path is not None  # noqa: S101 (callers have asked)
        return self.path / name[:2] / name[2:]

    def trim(self, limit: int | None = None) -> None:
        """Removes what was unused for longest until the rest fits, and what a killed run left half-written."""
        limit = self.limit if limit is None else limit
        entries = sorted(self._entries())
        total = sum(size for _, size, _ in entries)
        for used, size, path in entries:
            half_written = path.name.startswith(HALF_WRITTEN) and used < time.time() - ABANDONED
            if total > limit or half_written:
                with contextlib.suppress(OSError):
                    path.unlink()
                total -= size

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        if self.path is not None and self.path.is_dir():
            for path in self.path.glob("??/*"):
                with contextlib.suppress(OSError):
                    status = path.stat()
                    yield status.st_mtime, status.st_size, path

    def size(self) -> tuple[int, int]:
        """Number of entries, and their bytes."""
        sizes = [size for _, size, _ in self._entries()]
        return len(sizes), sum(sizes)

    def clear(self) -> int:
        """Removes every entry; the number of entries removed."""
        entries = list(self._entries())
        for _, _, path in entries:
            with contextlib.suppress(OSError):
                path.unlink()
        return len(entries)


def _is_ours(path: Path) -> bool:
    """True if nobody but its owner, who we are, can have written there."""
    user: Callable[[], int] | None = getattr(os, "getuid", None)
    if user is None:  # Windows: the folder lies in the user's profile
        return True
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid == user() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
