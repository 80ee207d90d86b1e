"""`deckgen init`."""

from __future__ import annotations

from pathlib import Path

import click

from deckgen import pipeline


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), metavar="[DIR]")
def init(folder: Path) -> None:
    """Write deck.toml, a first card file and a CI workflow."""
    for line in pipeline.init(folder):
        click.echo(line)
