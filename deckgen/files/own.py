"""Files of deckgen's own: read with a message that helps, written whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

from deckgen.errors import SourceError, UsageError


def read_text(path: Path) -> str | None:
    """The text of a file of ours (a lock, an included snippet); None if there is none."""
    try:
        text = path.read_bytes().decode("utf-8")
        return text.replace("\r\n", "\n") if "\r" in text else text
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", path.as_posix()) from None


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that at any moment there is the old one or the new one, never a half.

    What a link points to is written, and keeps its permissions. Raises UsageError if the place cannot be
    written, or the file is there and marked as read-only.
    """
    if path.is_symlink():
        path = Path(os.path.realpath(path))
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
    """Those of a file that is there, else the usual ones."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0o666 & ~_umask()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


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


def package(path: Path) -> bytes:
    """The bytes of a package. Raises SourceError, and UsageError if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError("no such file", path.as_posix(), "name two packages, or two locks") from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None
