"""What whole runs said: told again, without running anything, while nothing has changed that it depends on."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import msgspec

from deckgen.cache.folder import Folder
from deckgen.model.run_output import Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it would be, were it run again: what it says, and what must be as it was for that."""

    at: int
    """Seconds since 1970: a clock that was set back may make an error of what was none."""
    asked: tuple[tuple[tuple[str, str, str], str], ...]
    """What the notes were given from beside them, (kind, folder, name), each with a digest of what was there."""
    left: dict[str, str]
    """Packages and locks that it left: a digest by path."""
    told: Told


_DECODER = msgspec.json.Decoder(Run)


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs by a name for everything that is known to matter before anything is read."""

    folder: Folder

    def get(self, name: str) -> Run | None:
        data = self.folder.read(name)
        try:
            return None if data is None else _DECODER.decode(data)
        except msgspec.DecodeError:
            return None

    def put(self, name: str, run: Run) -> None:
        with contextlib.suppress(UnicodeEncodeError):  # the name of a file is not UTF-8
            self.folder.write(name, msgspec.json.encode(run))
