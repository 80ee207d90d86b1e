"""`deckgen init`."""

from __future__ import annotations

from pathlib import Path

import click

from deckgen import streams
from deckgen.text.harmless import lines


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), metavar="[DIR]")
def init(folder: Path) -> None:
    """Make a folder of notes a deck: write deck.toml, a CI workflow, and an example if there are no notes yet."""
    from deckgen.app.commands.telling import waits
    from deckgen.app.init import init as begin

    for line in begin(folder, waits):
        streams.out(lines([line]))
