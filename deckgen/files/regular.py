"""Regular files: the one way in which what belongs to a deck is opened, and where it may lie.

Notes come from anywhere, and so do links, pipes and devices among them: a link would carry a file of the reader's
into a package, a pipe waits for ever, a device has no end.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from deckgen.model.errors import SourceError, UsageError

SIZE_LIMIT = 64 * 2**20
"""Bytes; a larger file is a data set or a mistake, not notes."""
_PROJECT = (".git", "pyproject.toml")
"""What lies in the top folder of a project."""
_FLAGS = sum(
    getattr(os, name, 0) for name in ("O_RDONLY", "O_BINARY", "O_CLOEXEC", "O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY")
)
"""Windows has no links to follow here, and no pipes among files."""


class UnfitError(OSError):
    """There is something, but nothing to read: no regular file, too large, or not where it may lie."""


def real(path: Path) -> Path:
    """The place itself, without links; what no system can open (a loop of links, a thousand of them) is left as it is."""
    try:
        return Path(os.path.realpath(path))
    except (RecursionError, ValueError):  # ValueError: a zero byte in the name
        return path.absolute()


def lies_inside(path: Path, places: Collection[Path]) -> bool:
    """True if what `path` leads to lies in one of these folders (real ones)."""
    return _is_below(real(path), places)


def _is_below(there: Path, places: Collection[Path]) -> bool:
    return any(there.is_relative_to(place) for place in places)


def places_of(root: Path) -> tuple[Path, ...]:
    """Where what is read for a deck may lie: in its folder, or in the `snippets/` of its project."""
    folder = real(root)
    for above in (folder, *folder.parents):
        if any(os.path.lexists(above / mark) for mark in _PROJECT):
            return folder, above / "snippets"
    return (folder,)


def opened(path: Path, places: Collection[Path] = ()) -> BinaryIO:
    """A regular file, to be read; inside `places` if there are any. Raises OSError: UnfitError for anything else."""
    place = real(path)
    if places and not _is_below(place, places):
        raise _unfit(errno.EXDEV, "leads out of the deck's folder", path)
    # looked at first: to open some devices is to use them
    if not stat.S_ISREG(os.lstat(place).st_mode):
        raise _unfit(errno.EINVAL, "not a regular file", path)
    file = os.fdopen(os.open(place, _FLAGS), "rb")
    # and looked at again: another file may have come to its place meanwhile
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) or (places and real(place) != place):
        file.close()
        raise _unfit(errno.EAGAIN, "changed while it was opened", path)
    return file


def content(path: Path, limit: int = SIZE_LIMIT, places: Collection[Path] = ()) -> bytes:
    """The bytes of a regular file; never more than `limit` of them are read. Raises OSError as `opened`."""
    with opened(path, places) as file:
        size = os.fstat(file.fileno()).st_size
        data = _read(file, size, limit) if size <= limit else None
    if data is None or len(data) > limit:
        raise _unfit(errno.EFBIG, f"larger than {limit // 2**20} MiB", path)
    return data


def _read(file: BinaryIO, size: int, limit: int) -> bytes:
    """All of a file, or one byte more than `limit`: it may grow, or be made up by the system as it is read."""
    data = file.read(size + 1) or b""  # None where reading would have to wait
    return data if len(data) <= size else data + (file.read(limit + 1 - len(data)) or b"")


def _unfit(number: int, message: str, path: Path) -> UnfitError:
    return UnfitError(number, message, str(path))


PACKAGE_LIMIT = 2**30
"""Bytes of a package."""


def read_text(path: Path, places: Collection[Path] = ()) -> str | None:
    """The text of a file of ours (a lock, an included snippet); None if there is none.

    Raises UsageError for one that cannot be read, and for one outside `places` if there are any.
    """
    try:
        data = content(path, places=places)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None
    return utf8(data, path.as_posix())


def utf8(data: bytes, name: str) -> str:
    """Their text. Raises UsageError with the line that is in another encoding: what we write never is."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            "is not in UTF-8", f"{name}:{line}", "save it as UTF-8, or take the last good version"
        ) from None
    return text.replace("\r\n", "\n") if "\r" in text else text


def digest(path: Path, limit: int, places: Collection[Path] = ()) -> str:
    """Of a file's bytes; empty if it cannot be read."""
    try:
        return hashlib.sha256(content(path, limit, places)).hexdigest()
    except OSError:
        return ""


def first_time(place: Path) -> bool:
    """True once for every place that is there, ever (remembered in the user's data folder, as far as it can be written)."""
    data = data_folder()
    if data is None:
        return True
    known = data / "places"
    mark = known / hashlib.sha256(os.fsencode(place.resolve())).hexdigest()[:24]
    if mark.exists() or not place.exists():
        return False
    with contextlib.suppress(OSError):
        known.mkdir(parents=True, exist_ok=True)
        mark.touch()
    return True


def data_folder() -> Path | None:
    """Where the user's programs keep what is not to be lost; None for a user without a home."""
    import platformdirs

    try:
        return Path(platformdirs.user_data_dir("deckgen"))
    except RuntimeError:
        return None


def package(path: Path) -> BinaryIO:
    """A package, opened. Raises SourceError, also for what is no file, and UsageError if there is nothing."""
    try:
        return opened(path)
    except FileNotFoundError:
        raise UsageError("no such file", path.as_posix(), "name two packages, or two locks") from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None
