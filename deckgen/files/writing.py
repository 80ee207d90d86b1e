"""Writing: files that are whole or not there, several of them together, and by one run at a time."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from deckgen.files.reading import real
from deckgen.model.errors import UsageError

RELEASE = 2.0
"""Seconds in which Windows lets go of a file that somebody looks at."""


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that at any moment there is the old one or the new one, never a half.

    A file keeps its permissions; a link gives way, and what it points to stays as it is. Raises UsageError if the
    place cannot be written, or what is there is no regular file, or is marked as read-only.
    """
    write_together([(path, data)])


def write_through(path: Path, data: bytes) -> None:
    """Writes what a link points to: for files that were read through it."""
    write_whole(real(path), data)


def write_together(new: Sequence[tuple[Path, bytes]]) -> None:
    """Writes each whole, and the first in its place only when all are on the disk: a full one leaves all as they were."""
    with ExitStack() as left:
        ready = [(path, _prepared(path, data, left)) for path, data in new]
        with _undisturbed():
            for number, (path, commit) in enumerate(ready):
                with _naming(path, [done for done, _ in ready[:number]]):
                    commit()


def _prepared(path: Path, data: bytes, left: ExitStack) -> Callable[[], None]:
    """Puts what will be a file on the disk beside it; what is `left` of that goes. Gives what makes it the file."""
    mode = _permissions(path)
    temporary = path.parent / f".deckgen-{secrets.token_hex(8)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        nameless = _nameless(path.parent, left)
        left.callback(_remove, temporary)
        usual = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(temporary, usual, 0o600) if nameless is None else nameless
    except OSError as error:
        hint = "make it writable; what build and preview write can go elsewhere with -o"
        raise UsageError(f"cannot be written: {error.strerror}", path.parent.as_posix(), hint) from None
    with _naming(path), os.fdopen(descriptor, "wb", closefd=nameless is None) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    with _naming(path):
        os.chmod(temporary if nameless is None else nameless, mode)

    def commit() -> None:
        if nameless is not None:
            # only with a descriptor, which an absolute path has no use for, does Python follow the link to the file
            os.link(_name_of(nameless), temporary, src_dir_fd=nameless)
        _replace(temporary, path)

    return commit


def _replace(new: Path, old: Path) -> None:
    """What looks at new files on Windows (a search, a scanner) holds them for a moment, and no file that is open can be replaced."""
    end = time.monotonic() + RELEASE
    while sys.platform == "win32" and time.monotonic() < end:
        with contextlib.suppress(PermissionError):
            os.replace(new, old)
            return
        time.sleep(0.02)
    os.replace(new, old)


def _nameless(folder: Path, left: ExitStack) -> int | None:
    """A file in a folder that has no name yet, so that it goes with us however we end; None where there is no such."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # the usual way tells why, if that fails too
            descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600)
            left.callback(os.close, descriptor)
            return descriptor if os.path.exists(_name_of(descriptor)) else None
    return None


def _name_of(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


@contextmanager
def _naming(path: Path, done: Sequence[Path] = ()) -> Iterator[None]:
    """Says which file cannot be written, and what was written before it."""
    try:
        yield
    except OSError as error:
        written = f"; {', '.join(one.as_posix() for one in done)} was written" if done else ""
        message = f"cannot be written: {error.strerror}{written}"
        raise UsageError(message, path.as_posix(), "is the disk full, or the file in use?") from None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What asks us to end has to wait a moment: between two files that belong together."""
    if sys.platform == "win32":  # which has no signal that asks a program to end, but Ctrl-C
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _permissions(path: Path) -> int:
    """Those of a file that is there, else the usual ones. Raises UsageError for a pipe, a device or a folder."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        mode = stat.S_IFLNK
    if stat.S_ISLNK(mode):
        os.umask(mask := os.umask(0))
        return 0o666 & ~mask
    if not stat.S_ISREG(mode):
        hint = "nothing was written there; move it away"
        raise UsageError("cannot be written: not a regular file", path.as_posix(), hint)
    if not mode & stat.S_IWUSR:
        raise UsageError("is read-only", path.as_posix(), "nothing was written there; `chmod u+w` lets it be changed")
    return stat.S_IMODE(mode)


PATIENCE = 1.0
"""Seconds of waiting that need no word."""


@contextmanager
def exclusive(locks: Iterable[Path], waits: Callable[[Path], None]) -> Iterator[bool]:
    """Holds the locks of some decks; gives whether others had them first. `waits` is called with each that is waited for.

    What is held lies in the user's cache, nothing beside the notes, and the system lets go of it when a process ends,
    however it ends. Where it cannot lie, and between users, nothing is held: what is written is looked at once more instead.
    """
    # one for each file, whichever way it is named
    names = {hashlib.sha256(os.fsencode(os.path.realpath(lock))).hexdigest()[:24]: lock for lock in locks}
    with ExitStack() as held:
        waited = [_take(name, names[name], held, waits) for name in sorted(names)]  # all in one order: no knot
        yield any(waited)


def _take(name: str, lock: Path, held: ExitStack, waits: Callable[[Path], None]) -> bool:
    # both take their time to import, and only what writes a lock needs them
    import filelock
    import platformdirs

    try:
        folder = Path(platformdirs.user_cache_dir("deckgen")) / "builds"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        taken = filelock.FileLock(folder / name)
        try:
            held.enter_context(taken.acquire(timeout=PATIENCE))
        except filelock.Timeout:
            waits(lock)
            held.enter_context(taken.acquire(timeout=-1))
            return True
    except (OSError, RuntimeError):  # no place to write, or nobody's home
        return False
    return False
