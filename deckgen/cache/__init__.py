"""The cache: what was worked out before, in the user's cache folder or another. Never a verdict.

A file an entry, whole or not at all, and never too many of them. An entry that cannot be read is a miss. Two runs at once
may write the same entry: each reader sees one of them whole, so no lock is needed. An entry is sealed with its hash, or, where
`DECKGEN_CACHE_KEY` is set, with that key: then what was written without the key is a miss.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KINDS = ("observations", "extractions", "rendered", "runs", "times")
"""What is kept, by the name of its folder."""
HALF_WRITTEN = ".new-"
ABANDONED = 3600
"""Seconds after which a half-written file must be that of a killed run."""
_SEAL = hashlib.sha256().digest_size


CHOSEN = "DECKGEN_CACHE"
"""The variable that names the folder, as `--cache` does."""
KEY = "DECKGEN_CACHE_KEY"
"""The variable with a secret that seals entries and archives."""


def place(kind: str) -> Path | None:
    """Where entries of a kind are kept: a folder in the chosen or in the user's cache folder; None for a user without a home."""
    import platformdirs  # only needed when something is kept

    try:
        return Path(os.path.abspath(os.environ.get(CHOSEN) or platformdirs.user_cache_dir("deckgen"))) / kind
    except RuntimeError:
        return None


@contextlib.contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """Everything is kept in this folder meanwhile; in the usual one if it is None."""
    before = os.environ.get(CHOSEN)
    if folder is not None:
        os.environ[CHOSEN] = os.path.abspath(folder)
    try:
        yield
    finally:
        if folder is not None:
            os.environ.pop(CHOSEN) if before is None else os.environ.update({CHOSEN: before})


@dataclass(frozen=True, slots=True)
class Folder:
    """Entries by name. `path` None = nothing is kept."""

    path: Path | None
    limit: int = 256 << 20
    """Bytes; the entries unused for longest go first."""
    key: str = field(default_factory=lambda: os.environ.get(KEY, ""))
    """The secret that seals entries; their hash does where it is empty."""

    def read(self, name: str) -> bytes | None:
        """The bytes that were written under this name; None if there are none, or others than were written."""
        if self.path is None or not _is_ours(self.path):
            return None
        path = self.path / name[:2] / name[2:]
        try:
            data = path.read_bytes()
            os.utime(path)  # used now: the last to go
        except OSError:
            return None
        kept = data[_SEAL:]
        return kept if self._seal(name, kept) == data[:_SEAL] else None

    def write(self, name: str, data: bytes) -> None:
        """Keeps data; a disk that is full or read-only only means that nothing is kept."""
        if self.path is None or (self.path.exists() and not _is_ours(self.path)):
            return
        path = self.path / name[:2] / name[2:]
        temporary = path.with_name(HALF_WRITTEN + secrets.token_hex(8))
        with contextlib.suppress(OSError):
            for folder in (self.path.parent, self.path):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
            try:
                temporary.write_bytes(self._seal(name, data) + data)
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)

    def get(self, name: str, kind: Any) -> Any:
        """The value that was put there, of this type; None if there is none."""
        import msgspec

        data = self.read(name)
        try:
            return None if data is None else msgspec.msgpack.decode(data, type=kind)
        except msgspec.DecodeError:
            return None

    def put(self, name: str, value: object) -> None:
        """Keeps a value that msgspec can write."""
        with contextlib.suppress(UnicodeEncodeError):  # half a character: the name of a file is not UTF-8
            self.write(name, packed(value))

    def trim(self, limit: int | None = None) -> int:
        """Removes what was unused for longest until the rest fits, and what a killed run left half-written; how many."""
        limit = self.limit if limit is None else limit
        entries = sorted(self._entries())
        total, removed = sum(size for _, size, _ in entries), 0
        for used, size, path in entries:
            if total > limit or (path.name.startswith(HALF_WRITTEN) and used < time.time() - ABANDONED):
                with contextlib.suppress(OSError):
                    path.unlink()
                total -= size
                removed += 1
        return removed

    def names(self) -> list[str]:
        """Of the entries that are there, in order."""
        return sorted(
            path.parent.name + path.name for _, _, path in self._entries() if not path.name.startswith(HALF_WRITTEN)
        )

    def _seal(self, name: str, data: bytes) -> bytes:
        whole = name.encode(), data
        return keyed(self.key.encode(), *whole) if self.key else hashlib.sha256(b"".join(whole)).digest()

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        for path in self.path.glob("??/*") if self.path is not None else ():
            with contextlib.suppress(OSError):
                status = path.stat()
                yield status.st_mtime, status.st_size, path

    def size(self) -> tuple[int, int]:
        """Number of entries, and their bytes."""
        sizes = [size for _, size, _ in self._entries()]
        return len(sizes), sum(sizes)

    def clear(self) -> int:
        """Removes every entry; the number of entries removed."""
        return self.trim(-1)


def refused() -> Iterator[str]:
    """What a run says of folders that nothing is read from, since others could have written there."""
    import shlex  # said seldom

    kinds = [folder for folder in map(place, KINDS) if folder is not None]
    chosen = [kinds[0].parent] if kinds and os.environ.get(CHOSEN) else []
    folders = [folder for folder in (*chosen, *kinds) if folder.exists() and not is_owned(folder)]
    if folders:
        names = shlex.join(map(str, folders))
        yield f"{names}: others may write there, so nothing that is kept there is used: `chmod go-w {names}`, if it is yours"


def keyed(key: bytes, *parts: bytes | memoryview) -> bytes:
    """A seal that only who has the key can make."""
    made = hashlib.blake2b(key=hashlib.sha256(key).digest(), digest_size=_SEAL)
    for part in parts:
        made.update(part)
    return made.digest()


def _is_ours(path: Path) -> bool:
    """True if nobody but us can have written in a folder of a kind. The usual cache folder lies in our home; of a chosen one
    it must be looked at, too."""
    return is_owned(path) and (not os.environ.get(CHOSEN) or is_owned(path.parent))


def is_owned(path: Path) -> bool:
    """True if nobody but its owner, who we are, can have written there."""
    if sys.platform == "win32":  # the folder lies in the user's profile
        return True
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def packed(value: object) -> bytes:
    """A value as msgpack; a text of a class of its own (`read.located`) as text. Raises UnicodeEncodeError for half a character."""
    import msgspec

    return msgspec.msgpack.encode(value, enc_hook=_as_text)


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


def digest(*parts: object) -> str:
    """A name for these values, which must have a `repr` that tells them apart and is the same in every process."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def kept_between_runs(clear: bool = False) -> Iterator[str]:
    """What is kept and how much of it, line by line; or what was removed."""
    for kind in KINDS:
        kept = Folder(place(kind))
        if clear:
            yield f"removed {kept.clear()} {kind}"
        else:
            entries, size = kept.size()
            where = kept.path or "nowhere, for want of a home folder"
            yield f"{where}: {entries} {kind}, {size / 2**20:.1f} MiB of {kept.limit / 2**20:.0f}"
    yield from refused()
