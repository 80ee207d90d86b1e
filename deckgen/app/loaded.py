"""What a run is asked to do, and what it has read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deckgen.files import Beside, DeckFolder
from deckgen.model.config import Contradiction
from deckgen.model.errors import DeckgenError
from deckgen.model.extraction import Extraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says; None = as configured, or the default."""

    paths: tuple[str, ...]
    output: Path = Path("build")
    quiet: bool = False
    jobs: int | None = None
    timeout: float | None = None
    sandbox: str = "auto"
    no_cache: bool = False
    device: str | None = None
    python: Path | None = None
    lock: Path | None = None
    locked: bool = False
    no_run: bool = False
    restamp: bool = False
    on_contradiction: Contradiction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A deck folder with everything that was found in its sources."""

    folder: DeckFolder
    extractions: tuple[Extraction, ...]
    unreadable: tuple[DeckgenError, ...]
    beside: Beside
    """What its sources and notes were given from beside them so far."""

    @property
    def named(self) -> frozenset[str]:
        return frozenset(path.as_posix() for path in self.folder.named)
