"""Options that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

import deckgen

LONGEST = 86_400
"""Seconds that a snippet may take at most: a day."""
Command = TypeVar("Command", bound=Callable[..., Any])


def options_of(values: dict[str, Any], paths: Sequence[str]) -> deckgen.Options:
    """Click's values, with `None` meaning `as configured`."""
    known = {key: value for key, value in values.items() if value is not None}
    return deckgen.Options(paths=tuple(paths), **known) if paths else deckgen.Options(**known)


def group(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator, listed in the order given."""

    def apply(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


def _limited(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is None or 0 < value <= LONGEST:
        return value
    raise click.BadParameter(f"{value} is not a number of seconds above 0 and up to {LONGEST}.")


_A_PATH = click.Path(path_type=Path)

PATHS = click.argument("paths", nargs=-1, metavar="[PATH]...")
OUTPUT = click.option("-o", "--output", type=_A_PATH, help="Folder for what is written [build].")
QUIET = click.option("-q", "--quiet", is_flag=True, help="Say only what is wrong.")
LOCK = click.option("--lock", type=_A_PATH, help="Use this lock instead of the one beside the notes.")
NO_RUN = click.option("--no-run", is_flag=True, help="Cards only: run nothing, and say so on cards with claims.")
PYTHON = click.option("--python", type=_A_PATH, help="Check against the torch of this interpreter.")
SANDBOX = click.option("--sandbox", type=click.Choice(["auto", "require", "off"]), help="How code is contained [auto].")
RUNNING = group(
    click.option("--jobs", type=click.IntRange(1), help="Sessions at once [one per core]."),
    click.option("--timeout", type=float, callback=_limited, help="Seconds that a snippet may take [30]."),
    SANDBOX,
    click.option("--no-cache", is_flag=True, help="Run everything again."),
    click.option("--device", help="Where snippets run: auto, cpu, cuda or emulated [auto]."),
    PYTHON,
)
CONTRADICTED = click.option(
    "--on-contradiction",
    type=click.Choice(["withhold", "correct", "keep"]),
    help="What to do with a false note [withhold].",
)
FAILING = group(
    click.option(
        "--fail-on",
        metavar="WORDS",
        help="Verdicts that fail the run: a,b (also `fails`: code that torch refuses) | any | none.",
    ),
    click.option("--min-checked", metavar="N|P%", help="Fail if fewer claims could be checked."),
)


def style(*styles: str) -> Callable[[Command], Command]:
    """The format of a report; text if nothing is said."""
    return click.option(
        "--format", "style", type=click.Choice(["text", *styles]), default="text", help="Kind of report [text]."
    )
