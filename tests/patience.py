"""Patience: a test of something that must end ends itself, whatever else the machine is doing."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Fails what is inside once it has used so many seconds of processor time.

    No measure of speed (those are in `bench/`): the limit is far above what the work takes, and far below
    what a quadratic one would. Where there is no such timer (Windows), patience has no end.
    """
    if not hasattr(signal, "ITIMER_VIRTUAL"):
        yield
        return

    def over(*_: Any) -> None:
        raise AssertionError(f"not done after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
