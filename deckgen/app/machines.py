"""Commands for work that several machines share: reports of shards are joined, what one has kept goes to another."""

from __future__ import annotations

from pathlib import Path

import click

from deckgen import api, streams
from deckgen.app.command_line import Commands
from deckgen.text.harmless import lines

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


def _keep_in(context: click.Context, _option: click.Parameter, folder: Path | None) -> None:
    context.with_resource(api.kept_in(folder))


CACHE = click.option(
    "--cache",
    type=_FOLDER,
    metavar="DIR",
    expose_value=False,
    callback=_keep_in,
    help="The folder of what is kept between runs [`DECKGEN_CACHE`, else the user's cache folder].",
)


@click.group(cls=Commands, no_args_is_help=False)
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


@click.group(cls=Commands, no_args_is_help=False)
def cache() -> None:
    """Show, empty or carry what is kept between runs: observations, finds, rendered cards, whole runs, environments."""


@cache.command()
@CACHE
def info() -> None:
    """Show what is kept, and how much of it."""
    streams.out(lines([*api.kept_between_runs(), *api.kept_environments()]))


@cache.command()
@CACHE
def clear() -> None:
    """Remove what can be made again: results of runs, and the environments of `--torch`. What `deckgen push` remembers stays."""
    streams.out(lines([*api.kept_between_runs(clear=True), *api.kept_environments(clear=True)]))


@cache.command("export")
@click.argument("file", type=_FILE)
@CACHE
def export(file: Path) -> None:
    """Write what is kept to FILE, for `deckgen cache import` on another machine."""
    streams.out(lines([api.export_cache(file)]))


@cache.command("import")
@click.argument("file", type=_FILE)
@click.option("--trust", is_flag=True, help="Believe what somebody else kept, as if it had run here.")
@CACHE
def import_(file: Path, trust: bool) -> None:
    """Take what FILE holds into what is kept here."""
    streams.out(lines([api.import_cache(file, trust)]))
