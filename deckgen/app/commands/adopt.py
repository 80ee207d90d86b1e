"""`deckgen adopt`."""

from __future__ import annotations

from typing import Any

import click

from deckgen import streams
from deckgen.app import build as building
from deckgen.app.commands.options import LOCK, options_of
from deckgen.app.commands.telling import alone
from deckgen.text.harmless import lines


@click.command()
@click.argument("old")
@click.argument("new")
@click.argument("path", default=".")
@LOCK
@click.option("--not", "apart", is_flag=True, help="Say that they are two notes: builds ask no more.")
def adopt(old: str, new: str, path: str, apart: bool, **values: Any) -> None:
    """Say that the note NEW is the note OLD, reworded: it gets its identity and history."""
    options = options_of(values, (path,))
    with alone(options):
        if apart:
            lock, search = building.part(old, new, options), None
        else:
            lock, search = building.adopt(old, new, options)
    if search is None:
        streams.out(lines([f"{lock.as_posix()}: done; they are two notes"]))
        return
    told = (
        f"{lock.as_posix()}: done; the next build sends the note to learners",
        "whoever imported the new note already has it twice now: after the next import, delete what this",
        f"search finds in Anki's browser: {search}",
    )
    streams.out(lines(told))
