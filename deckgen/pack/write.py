"""Writing a package: whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection
from pathlib import Path

from deckgen.deck import Deck, NoteType
from deckgen.errors import UsageError
from deckgen.pack.fingerprint import fingerprint, is_current
from deckgen.pack.package import package


def write(deck: Deck, notetypes: Collection[NoteType], path: Path) -> None:
    """Writes `deck` to `path`, in place of what is there; if that is this very deck, it is left alone.

    Whoever reads `path` sees the old package or the new one, never half of one, whatever happens meanwhile.
    Raises UsageError if the folder cannot be written, EngineError if the deck is not what Anki would make of it.
    """
    if is_current(path, fingerprint(deck, notetypes)):
        return
    data = package(deck, notetypes)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise UsageError(message, path.parent.as_posix(), "name another folder with -o") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner may read
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise UsageError(message, path.as_posix(), "is the disk full, or the file in use?") from None
    finally:
        if os.path.exists(name):
            os.unlink(name)
