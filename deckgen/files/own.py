"""Files of deckgen's own: read with a message that helps."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from deckgen.errors import SourceError, UsageError


def read_text(path: Path) -> str | None:
    """The text of a file of ours (a lock, an included snippet); None if there is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"cannot be read: {error}", path.as_posix()) from None
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


def package(path: Path) -> BinaryIO:
    """A package, opened. Raises SourceError, also for what is no file, and UsageError if there is nothing."""
    try:
        file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)), "rb")
    except FileNotFoundError:
        raise UsageError("no such file", path.as_posix(), "name two packages, or two locks") from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise SourceError("is not a file", path.as_posix(), "name two packages, or two locks")
    return file
