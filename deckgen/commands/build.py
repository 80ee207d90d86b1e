"""`deckgen build`."""

from __future__ import annotations

from typing import Any

import click

from deckgen.commands.options import FAILING, LOCK, NO_RUN, OUTPUT, PATHS, QUIET, RUNNING, options_of
from deckgen.commands.telling import end, introduce, progress, say, warn
from deckgen.config import CONTRADICTIONS
from deckgen.outcome import outcome, parse_fail_on, parse_min_checked


@click.command()
@PATHS
@OUTPUT
@QUIET
@RUNNING
@FAILING
@LOCK
@click.option("--locked", is_flag=True, help="Fail if the lock would change.")
@NO_RUN
@click.option("--restamp", is_flag=True, help="Renew sources and stamps on cards that did not change.")
@click.option("--on-contradiction", type=click.Choice(CONTRADICTIONS), help="What to do with a false note [withhold].")
@click.option("--explain", is_flag=True, help="Say of every withheld or corrected note why.")
def build(paths: tuple[str, ...], fail_on: str | None, min_checked: str | None, explain: bool, **values: Any) -> None:
    """Read notes, check them, and write build/DECK.apkg."""
    from deckgen.build import build as build_decks
    from deckgen.report import terminal

    options = options_of(values, paths)
    words, least = parse_fail_on(fail_on), parse_min_checked(min_checked)
    introduce(options)
    with progress(options.quiet) as step:
        built = build_decks(options, step)
    warn(built.results)
    result = outcome(built.results, words, least)
    if not options.quiet:
        sent = built.delivered
        text = terminal.built(built.results, sent.written, sent.current, built.changes, result, words)
        click.echo(text, nl=False)
    elif result.exit_code:
        say("\n".join(terminal.outcome_lines(result)))
    if explain:
        click.echo(terminal.explained(built.results), nl=False)
    end(result)
