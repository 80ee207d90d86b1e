"""Files of deckgen's own: read with a message that helps."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from deckgen.files.regular import content, opened
from deckgen.model.errors import SourceError, UsageError

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
