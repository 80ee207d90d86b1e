"""The command line: options in, text and an exit status out. Every command calls `pipeline` and prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from deckgen import __version__, pipeline
from deckgen.config import CONTRADICTIONS
from deckgen.errors import DeckgenError
from deckgen.outcome import Outcome, outcome, parse_fail_on, parse_min_checked
from deckgen.pipeline import Options

if TYPE_CHECKING:
    from deckgen.results import Results

Command = TypeVar("Command", bound=Callable[..., Any])


@contextmanager
def told() -> Iterator[None]:
    """Turns an error into `file:line: what`, a hint and its exit status."""
    try:
        yield
    except DeckgenError as error:
        say(f"deckgen: {error}")
        if error.hint:
            say(f"  hint: {error.hint}")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        say("deckgen: stopped; nothing was written")
        sys.exit(130)
    except BrokenPipeError:
        # `deckgen inspect | head` is a normal thing to type
        sys.stderr.close()
        sys.exit(141)


def say(text: str) -> None:
    """To the person, not into the pipe."""
    click.echo(text, err=True)


def end(result: Outcome) -> NoReturn:
    """Leaves with the run's exit status."""
    sys.exit(result.exit_code)


def options_of(values: dict[str, Any], paths: Sequence[str]) -> Options:
    """Click's values, with `None` meaning `as configured`."""
    known = {key: value for key, value in values.items() if value is not None}
    return Options(paths=tuple(paths) or ("cards",), **known)


def group(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator, listed in the order given."""

    def apply(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


PATHS = click.argument("paths", nargs=-1, metavar="[PATH]...")
QUIET = click.option("-q", "--quiet", is_flag=True, help="Say only what is wrong.")
LOCK = click.option(
    "--lock", type=click.Path(path_type=Path), help="Use this lock instead of the one beside the notes."
)
RUNNING = group(
    click.option("--jobs", type=click.IntRange(1), help="Sessions at once [default: one per core]."),
    click.option("--timeout", type=click.FloatRange(0, min_open=True), help="Seconds that a snippet may take [30]."),
    click.option("--sandbox", type=click.Choice(["auto", "require", "off"]), help="How code is contained [auto]."),
    click.option("--no-cache", is_flag=True, help="Run everything again."),
    click.option("--device", help="Where snippets run: cpu, cuda, ... [what the notes need]."),
    click.option("--python", type=click.Path(path_type=Path), help="Check against the torch of this interpreter."),
)
FAILING = group(
    click.option("--fail-on", metavar="WORDS", help="Verdicts that fail the run: a,b | any | none."),
    click.option("--min-checked", metavar="N|P%", help="Fail if fewer claims could be checked."),
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="deckgen")
def cli() -> None:
    """Anki decks from PyTorch notes, every claim checked against the torch that is installed."""


@cli.command()
@PATHS
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder for the packages [build].")
@QUIET
@RUNNING
@FAILING
@LOCK
@click.option("--locked", is_flag=True, help="Fail if the lock would change.")
@click.option("--no-run", is_flag=True, help="Cards only: run nothing, and say so on every card.")
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
    unreadable(built.results)
    result = outcome(built.results, words, least)
    if not options.quiet:
        click.echo(terminal.built(built.results, built.written, built.changes, result, words), nl=False)
    elif result.exit_code:
        say("\n".join(terminal.outcome_lines(result)))
    if explain:
        click.echo(terminal.explained(built.results), nl=False)
    end(result)


@cli.command()
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
def verify(
    paths: tuple[str, ...],
    style: str,
    fail_on: str | None,
    min_checked: str | None,
    docstrings: str | None,
    **values: Any,
) -> None:
    """Check notes without making packages."""
    from deckgen.report import REPORTERS

    options = options_of(values, paths)
    words, least = parse_fail_on(fail_on), parse_min_checked(min_checked)
    introduce(options)
    with progress(options.quiet) as step:
        results = pipeline.verify(options, step)
    result = outcome(results, words, least)
    unreadable(results)
    if style != "text" or not options.quiet or result.exit_code:
        click.echo(REPORTERS[style](results, result, words), nl=False)
    end(result)


@cli.command()
@PATHS
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", help="Kind of report [text].")
def inspect(paths: tuple[str, ...], style: str) -> None:
    """List what was found and what was not carded, and why. Runs nothing."""
    from deckgen.report import json_text, terminal

    results = pipeline.inspect(options_of({}, paths))
    unreadable(results)
    click.echo((json_text if style == "json" else terminal).inspected(results), nl=False)
    end(outcome(results))


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), metavar="[DIR]")
def init(folder: Path) -> None:
    """Write deck.toml, a first card file and a CI workflow."""
    for line in pipeline.init(folder):
        click.echo(line)


def introduce(options: Options) -> None:
    """The first-run notice."""
    notice = pipeline.introduce(options)
    if notice:
        say(f"deckgen: {notice}")


def unreadable(results: Results) -> None:
    """Sources that were left out, told where messages go."""
    for error in results.unreadable:
        say(f"deckgen: {error}")
        if error.hint:
            say(f"  hint: {error.hint}")
    for warning in results.warnings:
        say(f"deckgen: {warning}")


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing elsewhere: `step(done, total)`."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    # rich takes 60 ms to import, and pipes and CI never see a bar
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("running snippets"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def main(arguments: Sequence[str] | None = None, **settings: Any) -> None:
    """The entry point of the command `deckgen`."""
    for stream in (sys.stdout, sys.stderr):
        # notes are Chinese as often as not, and Windows consoles default to a code page
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    with told():
        cli.main(args=list(arguments) if arguments is not None else None, prog_name="deckgen", **settings)
