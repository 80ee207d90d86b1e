"""Builds in a folder, as the command line makes them, and everything that each can be known by."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from click.testing import CliRunner

from deckgen.app.commands import cli
from deckgen.model.errors import DeckgenError

NOTHING_CHANGED = "nothing has changed: nothing was run or written\n"


@dataclass(frozen=True)
class Ran:
    """Everything that a build can be known by."""

    code: int
    out: str
    err: str
    files: dict[str, bytes]

    @property
    def was_recalled(self) -> bool:
        return NOTHING_CHANGED in self.out

    @property
    def told(self) -> Ran:
        """As it would be had everything been run."""
        return replace(self, out=self.out.replace(NOTHING_CHANGED, ""))


def build(place: Path, *options: str, at: int = 1_700_000_000, run: bool = False) -> Ran:
    environment = {
        "XDG_CACHE_HOME": str(place.parent / "cache"),
        "XDG_DATA_HOME": str(place.parent / "data"),
        "SOURCE_DATE_EPOCH": str(at),
    }
    arguments = ["build", ".", *(() if run else ("--no-run",)), *options]
    before = Path.cwd()
    os.chdir(place)
    try:
        made = CliRunner().invoke(cli, arguments, env=environment, catch_exceptions=False)
        out = re.sub(r" in \d+\.\d s ===\n\Z", "", made.stdout)  # another time each time
        code, err = made.exit_code, made.stderr
    except DeckgenError as error:
        code, out, err = error.exit_code, "", str(error)
    finally:
        os.chdir(before)
    left = {name: path.read_bytes() for name in ("deckgen.lock", "build/Deck.apkg") if (path := place / name).exists()}
    return Ran(code, out, err, left)


def as_if_nothing_were_kept(place: Path, at: int) -> Ran:
    """The same build in a copy of the folder, with every cache off."""
    copy = place.parent / "copy"
    shutil.copytree(place, copy)
    try:
        return build(copy, "--no-cache", at=at)
    finally:
        shutil.rmtree(copy)
