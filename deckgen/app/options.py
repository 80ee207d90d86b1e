"""What a run is asked to do, and when it is.

What a run says, as plain data.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

from deckgen import files
from deckgen.files import DeckFolder
from deckgen.model.errors import SourceError, UsageError
from deckgen.model.shard import Shard
from deckgen.text.harmless import Harmless

Progress = Callable[[int, int], None]
"""Called with (done, total) while snippets run; with (0, total) when torch begins to be imported, and once more when it is."""
Waiting = Callable[[Path], None]
"""Called with the lock of a deck that somebody else is building."""


USUAL = "cards"
"""The folder of notes, if nothing is named."""


def silent(*_: object) -> None:
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class StandardInput:
    """Notes that come through a pipe."""

    LIMIT: ClassVar[int] = files.SIZE_LIMIT
    """Bytes."""
    data: bytes = field(repr=False)
    name: str = files.PIPE
    """What it is called in messages; its ending says what it is, as that of a file does."""
    deck: str = ""
    """The name of the deck; empty = after its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run is asked to do; None = as `deck.toml` says, or the default.

    >>> Options(paths=("notes",), timeout=5).sandbox
    'auto'
    """

    paths: tuple[str, ...] = (USUAL,)
    """Files and folders of notes, or patterns of them."""
    stdin: StandardInput | None = None
    """What is read in place of `paths`."""
    output: Path = Path("build")
    """The folder for what `build` and `preview` write."""
    quiet: bool = False
    verbose: bool = False
    jobs: int | None = None
    """Sessions at once; None = one for each core."""
    timeout: float | None = None
    """Seconds that a snippet may take."""
    sandbox: str = "auto"
    """`auto`, `require` or `off`."""
    no_cache: bool = False
    """Run everything again, and keep nothing."""
    device: str | None = None
    """`auto`, `cpu`, `cuda` or `emulated`; a matrix has a column for each of several: `cpu,cuda`."""
    python: Path | None = None
    """The interpreter whose torch is asked; None = our own."""
    dask: str | None = None
    """A scheduler of dask.distributed that runs the snippets, or `local:4`; None = this process does."""
    lock: Path | None = None
    """Another lock than the one beside the notes."""
    locked: bool = False
    """Fail if the lock would change."""
    no_run: bool = False
    """Cards only: run nothing."""
    retire: bool = False
    """Take back reverse cards that would not be made today, from those who have them, too."""
    restamp: bool = False
    """Renew sources and stamps on cards that did not change."""
    on_contradiction: Literal["withhold", "correct", "keep"] | None = None
    suggestions: Literal["ask", "ship"] | None = None
    """Whether notes that are only suggested wait for their author or are shipped."""
    shard: Shard | None = None
    """`verify` checks only this part of the sources; other machines check the others."""

    def deck_folders(self) -> tuple[DeckFolder, ...]:
        """The decks that are meant. Raises UsageError for a path that does not exist or a pattern that matches nothing."""
        if self.stdin is None:
            return files.deck_folders(self.paths, self.lock)
        return (files.piped(self.stdin.name, self.stdin.deck, self.lock),)

    @classmethod
    def of(cls, what: Options | str | Path) -> Options:
        """The options as they are, or those for one path.

        >>> Options.of("notes.md").paths
        ('notes.md',)
        """
        return what if isinstance(what, Options) else cls(paths=(str(what),))


def sources_here() -> tuple[str, ...]:
    """What is meant if no path is named: the deck in whose folder one stands, else `cards`. Raises UsageError if there is neither."""
    return (files.folder_here(USUAL),)


class Broken(NamedTuple):
    """An environment that could not be made, and why."""

    name: str
    why: str


def piped(options: Options, stdin: StandardInput) -> Options:
    """The options for a deck of standard input. A package that `output` names gives the deck its name, and has its lock beside it.

    Raises SourceError for more than `LIMIT` bytes.
    """
    if len(stdin.data) > stdin.LIMIT:
        raise SourceError(f"larger than {stdin.LIMIT // 2**20} MiB", stdin.name)
    output, lock = options.output, options.lock
    if output.suffix == ".apkg":
        stdin = replace(stdin, deck=output.stem)
        lock, output = lock or files.own_lock(output), output.parent
    elif lock is None:
        own = Path(stdin.name).name if stdin.name != files.PIPE else "notes"
        lock = files.own_lock(output / own)
    return replace(options, stdin=stdin, output=output, lock=lock)


def now() -> int:
    """Seconds since 1970, or what SOURCE_DATE_EPOCH says (reproducible-builds.org)."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        return int(time.time())
    # not 0, which a lock has for no time at all, and no time of which Anki's numbers in milliseconds could not tell
    if not re.fullmatch(r"0*[1-9][0-9]{0,10}", given):
        raise UsageError(f"`{given}` is not a number of seconds since 1970", "SOURCE_DATE_EPOCH", "such as 1700000000")
    return int(given)


_NOTHING = Harmless("")


@dataclass(frozen=True, slots=True)
class RunOutput:
    """What goes where, and how the run ends."""

    out: Harmless
    err: Harmless
    exit_code: int
    ending: Harmless = _NOTHING
    """What the last line says, to which its time is added: another one each time."""
