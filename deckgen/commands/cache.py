"""`deckgen cache`."""

from __future__ import annotations

import click

from deckgen.run import pipeline


@click.command()
@click.argument("what", type=click.Choice(["info", "clear"]))
def cache(what: str) -> None:
    """Show or empty what is kept between runs: observations, finds, rendered cards, whole runs."""
    for line in pipeline.cache(what):
        click.echo(line)
