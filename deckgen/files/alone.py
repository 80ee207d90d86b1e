"""One at a time: whoever reads a lock and writes it anew keeps others from doing the same meanwhile."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

PATIENCE = 1.0
"""Seconds of waiting that need no word."""


@contextmanager
def alone(locks: Iterable[Path], waits: Callable[[Path], None]) -> Iterator[bool]:
    """Holds the locks of some decks; gives whether others had them first. `waits` is told of each that is waited for.

    What is held lies in the user's cache, nothing beside the notes, and the system lets go of it when a process ends,
    however it ends. Where it cannot lie, and between users, nothing is held: what is written is looked at once more instead.
    """
    names = {_name(lock): lock for lock in locks}
    with ExitStack() as held:
        waited = [_take(name, names[name], held, waits) for name in sorted(names)]  # all in one order: no knot
        yield any(waited)


def _name(lock: Path) -> str:
    """One for each file, whichever way it is named."""
    return hashlib.sha256(os.fsencode(os.path.realpath(lock))).hexdigest()[:24]


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
