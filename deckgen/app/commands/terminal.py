"""What commands say to the person at the terminal, beside their output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import deckgen
from deckgen import streams
from deckgen.text.harmless import Harmless, lines


def say(text: str) -> None:
    """A line to the person, not into the pipe."""
    streams.err(lines([text]))


def show(*texts: str) -> None:
    """Lines of output."""
    streams.out(lines(texts))


def end(output: deckgen.RunOutput) -> NoReturn:
    """Says what a run says, and leaves with its exit status."""
    streams.err(output.err)
    streams.out(output.out)
    raise SystemExit(output.exit_code)


def introduce(options: deckgen.Options) -> None:
    """The notice before the code of a place is run for the first time."""
    notice = deckgen.first_run_notice(options)
    if notice:
        say(f"deckgen: {notice}")


def warned(results: deckgen.Results) -> Harmless:
    """Sources that were left out, and what should be known besides."""
    found = []
    for error in results.unreadable:
        found += [f"deckgen: {error}", *([f"  hint: {error.hint}"] if error.hint else [])]
    return lines([*found, *(f"deckgen: {warning}" for warning in results.warnings)])


def waiting(lock: Path) -> None:
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
