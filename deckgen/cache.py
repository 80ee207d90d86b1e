"""The cache: what was worked out before, in the user's cache folder. Never a verdict.

A file an entry, whole or not at all, and never too many of them. An entry that cannot be read is a miss. Two runs at once
may write the same entry: each reader sees one of them whole, so no lock is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

KINDS = ("observations", "extractions", "rendered", "runs")
"""What is kept, by the name of its folder."""
HALF_WRITTEN = ".new-"
ABANDONED = 3600
"""Seconds after which a half-written file must be that of a killed run."""
_SEAL = hashlib.sha256().digest_size
_PACKAGE = os.path.dirname(os.path.abspath(__file__))


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
        temporary = path.with_name(f"{HALF_WRITTEN}{os.getpid()}-{time.monotonic_ns()}")
        with contextlib.suppress(OSError):
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(exist_ok=True)
            try:
                with open(temporary, "xb") as file:
                    file.write(hashlib.sha256(data).digest())
                    file.write(data)
                os.replace(temporary, path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise

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


def packed(value: object) -> bytes:
    """A value as msgpack; a text of a class of its own (`read.located`) as text. Raises UnicodeEncodeError for half a character."""
    import msgspec

    return msgspec.msgpack.encode(value, enc_hook=_as_text)


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


# --- what results depend on besides the notes ---


def digest(*parts: object) -> str:
    """A name for these values, which must have a `repr` that tells them apart and is the same in every process."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


@cache
def tools() -> str:
    """A name for this deckgen on this Python with these libraries: any change of either is another name."""
    return digest(sys.version, sys.flags.optimize, _PACKAGE, *_code(_PACKAGE), *_installed())


def _code(folder: str) -> Iterator[tuple[str, int, int]]:
    """Our own files, known as Python knows them by its `.pyc` files: by size and by time."""
    for entry in os.scandir(folder):
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _code(entry.path)
        else:
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns


def _installed() -> Iterator[str]:
    """Distributions with their versions, and other modules by name: `torch-2.13.0.dist-info`, `sitecustomize.py`."""
    for folder in dict.fromkeys(sys.path):
        names = os.listdir(folder) if os.path.isdir(folder) else ()
        yield from sorted(name for name in names if name.endswith(_MARKS))


_MARKS = (".dist-info", ".egg-info", ".egg-link", ".pth", ".py", ".so", ".pyd")


def machine() -> tuple[object, ...]:
    """What this machine's torch computes with: its build, the vector units of the processor, the graphics cards."""
    folders = [Path(folder, "torch", "version.py") for folder in sys.path]
    nvidia = Path("/proc/driver/nvidia")
    files = [*folders, Path("/dev/nvidiactl"), nvidia / "version", *nvidia.glob("gpus/*/information")]
    return (*map(_text, files), _flags(_text(Path("/proc/cpuinfo"))), os.environ.get("CUDA_VISIBLE_DEVICES"))


def _text(path: Path) -> str:
    """The beginning of a small file; empty if there is none."""
    try:
        with open(path, errors="replace") as file:
            return file.read(1 << 13)
    except OSError:
        return str(path.exists())


def _flags(text: str) -> str:
    """The line of /proc/cpuinfo that does not change from one moment to the next."""
    return next((line for line in text.splitlines() if line.startswith(("flags", "Features"))), "")


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
