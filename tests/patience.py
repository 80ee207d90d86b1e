"""What a test may say of effort: how many calls some work takes, which no neighbour moves; and that it ends at all."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 60.0
"""Seconds of processor time: many times what anything here takes, and far below what a quadratic pattern would."""


@contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    """Fails what is inside once it has used so many seconds of processor time, instead of running for ever.

    No measure of speed (those are in `bench/`). Where there is no such timer (Windows), patience has no end.
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


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, Python's and C's: the same number on any machine, however busy."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
