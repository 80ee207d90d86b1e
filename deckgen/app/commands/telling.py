"""What commands say to the person at the terminal, beside their output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NoReturn

from deckgen import streams
from deckgen.app import pipeline
from deckgen.app.loaded import Options
from deckgen.model.results import Results
from deckgen.outcome import Outcome
from deckgen.text.harmless import Harmless, lines


def say(text: str) -> None:
    """A line to the person, not into the pipe."""
    streams.err(lines([text]))


def end(result: Outcome) -> NoReturn:
    """Leaves with the run's exit status."""
    sys.exit(result.exit_code)


def introduce(options: Options) -> None:
    """The first-run notice."""
    notice = pipeline.introduce(options)
    if notice:
        say(f"deckgen: {notice}")


def warn(results: Results) -> None:
    """Sources that were left out, and what should be known besides."""
    streams.err(warned(results))


def warned(results: Results) -> Harmless:
    """The same as text."""
    told = []
    for error in results.unreadable:
        told.append(f"deckgen: {error}")
        if error.hint:
            told.append(f"  hint: {error.hint}")
    told += [f"deckgen: {warning}" for warning in results.warnings]
    return lines(told)


def alone(options: Options) -> AbstractContextManager[bool]:
    """Nobody else builds these decks meanwhile; who has to wait for somebody is told."""
    from deckgen.app import build

    return build.alone(options, waits)


def waits(lock: Path) -> None:
    """Another build of a deck comes first."""
    say(f"deckgen: {lock.as_posix()}: waiting for another build of this deck")


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing elsewhere: `step(done, total)`."""
    if quiet or not streams.is_terminal():
        yield lambda done, total: None
        return
    # rich takes 60 ms to import, and pipes and CI never see a bar
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("running snippets"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
