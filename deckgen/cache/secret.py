"""The secret of a user, which seals the archives that go out, and by which they are known when they come back."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from deckgen.cache import is_owned

NAME = "cache.key"


def own_secret(folder: Path) -> bytes | None:
    """The secret that lies in a folder of the user's; None if there is none that others cannot have put there."""
    path = folder / NAME
    with contextlib.suppress(OSError):
        return (path.read_bytes() or None) if is_owned(path) else None
    return None


def make_secret(folder: Path) -> None:
    """Makes one, if there is no file yet. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(folder / NAME, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(32))
