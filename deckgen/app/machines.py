"""Commands for work that several machines share: reports of shards are joined, what one has kept goes to another."""

from __future__ import annotations

from pathlib import Path

import click

from deckgen import api, streams
from deckgen.text.harmless import lines

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def report() -> None:
    """Join the reports of several machines."""


@report.command("merge")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...", type=_FILE)
@click.option("-o", "--output", type=_FILE, help="Write the report to this file [standard output].")
def merge(reports: tuple[Path, ...], output: Path | None) -> None:
    """Make one report of those of all shards (`verify --shard 1/2 --report json=FILE`), as one run would have told it."""
    merged = api.merge_reports(reports)
    streams.err(lines(f"deckgen: {reason}" for reason in merged.reasons))
    if output is None:
        streams.out(merged.report)
    else:
        api.write_reports([(output, merged.report)])
    raise SystemExit(merged.exit_code)
