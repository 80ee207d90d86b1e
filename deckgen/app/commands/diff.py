"""`deckgen diff`."""

from __future__ import annotations

from pathlib import Path

import click

from deckgen import streams
from deckgen.model.difference import Risk
from deckgen.text.harmless import json_text

RISKS = [risk.value for risk in Risk]


@click.command()
@click.argument("old", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("new", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", help="Kind of report [text].")
@click.option("--fail-on", "limit", type=click.Choice(RISKS[1:]), help="Exit 1 at this risk or a higher one.")
def diff(old: Path, new: Path, style: str, limit: str | None) -> None:
    """Say what importing NEW means for someone who has OLD; both packages, or both locks."""
    from deckgen import compare
    from deckgen.app.build import snapshots

    found = compare.compare(*snapshots(old, new))
    streams.out(json_text(compare.data(found)) if style == "json" else compare.text(found))
    raise SystemExit(int(limit is not None and found.risk.level >= Risk(limit).level))
