"""`deckgen cache`."""

from __future__ import annotations

import click

from deckgen import streams
from deckgen.app import pipeline
from deckgen.text.harmless import lines


@click.command()
@click.argument("what", type=click.Choice(["info", "clear"]))
def cache(what: str) -> None:
    """Show or empty what is kept between runs: observations, finds, rendered cards, whole runs."""
    streams.out(lines(pipeline.cache(what)))
