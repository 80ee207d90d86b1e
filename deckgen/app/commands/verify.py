"""`deckgen verify`."""

from __future__ import annotations

from typing import Any

import click

from deckgen import streams
from deckgen.app import pipeline
from deckgen.app.commands.options import FAILING, LOCK, PATHS, QUIET, RUNNING, options_of
from deckgen.app.commands.telling import end, introduce, progress, warn
from deckgen.outcome import outcome, parse_fail_on, parse_min_checked


@click.command()
@PATHS
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "junit", "github"]),
    default="text",
    help="Kind of report [text].",
)
@QUIET
@RUNNING
@FAILING
@LOCK
@click.option("--docstrings", metavar="PACKAGE", help="Check the examples in a package's docstrings instead.")
def verify(
    paths: tuple[str, ...],
    style: str,
    fail_on: str | None,
    min_checked: str | None,
    docstrings: str | None,
    **values: Any,
) -> None:
    """Check notes without making packages."""
    from deckgen.report import REPORTERS, terminal

    options = options_of(values, paths)
    words, least = parse_fail_on(fail_on), parse_min_checked(min_checked)
    if not docstrings:
        introduce(options)
    with progress(options.quiet) as step:
        results = pipeline.docstrings(docstrings, options, step) if docstrings else pipeline.verify(options, step)
    result = outcome(results, words, least)
    warn(results)
    report = terminal.wrong if options.quiet and style == "text" else REPORTERS[style]
    streams.out(report(results, result, words))
    end(result)
