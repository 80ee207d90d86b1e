"""`deckgen cache`."""

from __future__ import annotations

import click

from deckgen import streams
from deckgen.harmless import lines
from deckgen.run import pipeline


@click.command()
@click.argument("what", type=click.Choice(["info", "clear"]))
def cache(what: str) -> None:
    """Show or empty what is kept between runs: observations, finds, rendered cards, whole runs."""
    streams.out(lines(pipeline.cache(what)))
