"""What a run tells while it runs: a bar on a terminal, a line now and then in the log of a CI, nothing elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from deckgen import streams
from deckgen.app.options import Progress, silent
from deckgen.text.harmless import lines

READING, IMPORTING, RUNNING = "reading notes", "importing torch", "running snippets"
INTERVAL = 10.0
"""Seconds between two lines of a log."""


class Stage:
    """How far a run is. It is called as `Progress` says."""

    def __init__(self) -> None:
        self.doing, self.done, self.total = READING, 0, 0

    def __call__(self, done: int, total: int) -> None:
        self.doing = IMPORTING if not done and self.doing == READING else RUNNING
        self.done, self.total = done, total

    def __str__(self) -> str:
        return self.doing + (f", {self.done} of {self.total}" if self.doing == RUNNING else "")


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """What to call while snippets run."""
    if streams.is_terminal():
        with _bar() as progress:
            yield progress
    elif streams.is_log():
        with _log() as progress:
            yield progress
    else:
        yield silent


@contextmanager
def _bar() -> Iterator[Progress]:
    # rich takes 60 ms to import, and pipes and logs never see a bar
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    stage = Stage()
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    console = Console(stderr=True, no_color=not streams.err_has_colour())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(str(stage), total=None)  # without a total it moves to and fro

        def step(done: int, total: int) -> None:
            stage(done, total)
            bar.update(task, description=str(stage), completed=done, total=total if stage.doing == RUNNING else None)

        yield step


@contextmanager
def _log() -> Iterator[Progress]:
    stage, ended, start = Stage(), threading.Event(), time.monotonic()

    def tell() -> None:
        while not ended.wait(INTERVAL):
            streams.err(lines([f"deckgen: {stage} ({time.monotonic() - start:.0f} s)"]))
            streams.flush()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield stage
    finally:
        ended.set()
        teller.join()
