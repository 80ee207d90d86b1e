"""What is told while another program is waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONG = 3.0
"""Seconds after which somebody wonders."""
Tell = Callable[[str], object]
_tell: ContextVar[Tell | None] = ContextVar("_tell", default=None)


@contextmanager
def waits_told_to(tell: Tell) -> Iterator[None]:
    """Meanwhile `tell` is called, from another thread, with what takes long."""
    token = _tell.set(tell)
    try:
        yield
    finally:
        _tell.reset(token)


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Tells of what is waited for, if that takes long."""
    tell = _tell.get()
    if tell is None:
        yield
        return
    timer = threading.Timer(LONG, tell, [f"waiting for {what}"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
