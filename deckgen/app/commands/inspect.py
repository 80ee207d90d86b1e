"""`deckgen inspect`."""

from __future__ import annotations

import click

from deckgen import streams
from deckgen.app import pipeline
from deckgen.app.commands.options import PATHS, options_of
from deckgen.app.commands.telling import end, warn
from deckgen.outcome import outcome


@click.command()
@PATHS
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", help="Kind of report [text].")
def inspect(paths: tuple[str, ...], style: str) -> None:
    """List what was found and what was not carded, and why. Runs nothing."""
    from deckgen.report import json_text, terminal

    results = pipeline.inspect(options_of({}, paths))
    warn(results)
    streams.out((json_text if style == "json" else terminal).inspected(results))
    end(outcome(results))
