"""`deckgen build`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from deckgen import streams
from deckgen.app.commands.options import CONTRADICTED, FAILING, LOCK, NO_RUN, OUTPUT, PATHS, QUIET, RUNNING, options_of
from deckgen.app.commands.telling import alone, introduce, progress, warned
from deckgen.model.run_output import Told
from deckgen.outcome import MinChecked, outcome, parse_fail_on, parse_min_checked
from deckgen.text.harmless import Harmless, lines

if TYPE_CHECKING:
    from deckgen.app.build import Built


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
@CONTRADICTED
@click.option("--explain", is_flag=True, help="Say of every withheld or corrected note why.")
def build(paths: tuple[str, ...], fail_on: str | None, min_checked: str | None, explain: bool, **values: Any) -> None:
    """Read notes, check them, and write build/DECK.apkg."""
    from deckgen.app import unchanged

    options = options_of(values, paths)
    words, least = parse_fail_on(fail_on), parse_min_checked(min_checked)
    wishes = Wishes(words, least, explain, options.quiet)
    memory = unchanged.look(options, sorted(words), least, explain)
    told = memory.told()
    if told is not None:
        _end(told, () if options.quiet else ["nothing has changed: nothing was run or written"])
    from deckgen.app.build import build as build_decks

    introduce(options)
    with alone(options):
        with progress(options.quiet) as step:
            built = build_decks(options, step)
        memory.keep(built, wishes.told)
    _end(wishes.told(built))


class Wishes(NamedTuple):
    """What shapes the words in which a build is told."""

    fail_on: frozenset[str]
    min_checked: MinChecked
    explain: bool
    quiet: bool

    def told(self, built: Built) -> Told:
        """What is said of a build."""
        from deckgen.report import terminal

        result = outcome(built.results, self.fail_on, self.min_checked)
        err = warned(built.results)
        if self.quiet:
            out = terminal.wrong(built.results, result, self.fail_on)
        else:
            out = terminal.built(built.results, built.delivered, built.changes, result, self.fail_on)
        if self.explain:
            out = Harmless(out + terminal.explained(built.results))
        return Told(out, err, result.exit_code)


def _end(told: Told, more: Sequence[str] = ()) -> NoReturn:
    streams.err(told.err)
    streams.out(told.out)
    streams.out(lines(more))
    raise SystemExit(told.exit_code)
