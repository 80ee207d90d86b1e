"""The processes of this machine, as /proc shows them."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

GUARD = 900
"""Seconds until a test gives up on what has not come: no measure of anything, on however busy a machine."""


def as_from_a_terminal() -> None:
    """Whoever runs the tests in the background ignores signals that a person at a terminal sends; for `preexec_fn`."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def processes(text: str) -> list[int]:
    """Numbers of other processes whose command line holds a text."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if text in line and folder.name != str(os.getpid()):
            found.append(int(folder.name))
    return found


def children(of: int, text: str) -> list[int]:
    """Those of them that this process has started."""
    found = []
    for pid in processes(text):
        try:
            parent = int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == of:
            found.append(pid)
    return found


def eventually(true: Callable[[], bool], seconds: float = GUARD) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return true()
