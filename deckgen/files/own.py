"""Files of deckgen's own: read with a message that helps, written whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Collection
from pathlib import Path

from deckgen.errors import SourceError, UsageError
from deckgen.files.regular import content, real

PACKAGE_LIMIT = 2**30
"""Bytes of a package."""


def read_text(path: Path, places: Collection[Path] = ()) -> str | None:
    """The text of a file of ours (a lock, an included snippet); None if there is none.

    Raises UsageError for one that cannot be read, and for one outside `places` if there are any.
    """
    try:
        text = content(path, places=places).decode("utf-8")
        return text.replace("\r\n", "\n") if "\r" in text else text
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot be read: {error}", path.as_posix()) from None


def digest(path: Path, limit: int, places: Collection[Path] = ()) -> str:
    """Of a file's bytes; empty if it cannot be read."""
    try:
        return hashlib.sha256(content(path, limit, places)).hexdigest()
    except OSError:
        return ""


def write_through(path: Path, data: bytes) -> None:
    """Writes what a link points to: for files that were read through it."""
    write_whole(real(path), data)


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that at any moment there is the old one or the new one, never a half.

    A file keeps its permissions; a link gives way, and what it points to stays as it is. Raises UsageError if the
    place cannot be written, or what is there is no regular file, or is marked as read-only.
    """
    mode = _permissions(path)
    if not mode & stat.S_IWUSR:
        raise UsageError("is read-only", path.as_posix(), "nothing was written there; `chmod u+w` lets it be changed")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise UsageError(
            message, path.parent.as_posix(), "make it writable; what build and preview write can go elsewhere with -o"
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner may read
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise UsageError(message, path.as_posix(), "is the disk full, or the file in use?") from None
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _permissions(path: Path) -> int:
    """Those of a file that is there, else the usual ones. Raises UsageError for a pipe, a device or a folder."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        mode = stat.S_IFLNK
    if stat.S_ISLNK(mode):
        return 0o666 & ~_umask()
    if not stat.S_ISREG(mode):
        raise UsageError(
            "cannot be written: not a regular file", path.as_posix(), "nothing was written there; move it away"
        )
    return stat.S_IMODE(mode)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def first_time(place: Path) -> bool:
    """True once for every place that is there, ever (remembered in the user's data folder, as far as it can be written)."""
    import platformdirs

    known = Path(platformdirs.user_data_dir("deckgen")) / "places"
    mark = known / hashlib.sha256(place.resolve().as_posix().encode()).hexdigest()[:24]
    if mark.exists() or not place.exists():
        return False
    with contextlib.suppress(OSError):
        known.mkdir(parents=True, exist_ok=True)
        mark.touch()
    return True


def package(path: Path) -> bytes:
    """The bytes of a package. Raises SourceError, and UsageError if there is none."""
    try:
        return content(path, PACKAGE_LIMIT)
    except FileNotFoundError:
        raise UsageError("no such file", path.as_posix(), "name two packages, or two locks") from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None
