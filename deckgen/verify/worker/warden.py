"""The warden of a worker that runs one session: it waits outside, and clears up whatever becomes of the session.

It runs no code of the session's and imports nothing: it is the process as it was before torch. When the session ends, when
deckgen asks for its end, or when deckgen itself has gone, every process of the session is killed.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
import threading
from typing import Any

from . import processes

WATCH = 0.2
"""Seconds between two looks at whether deckgen is still there."""


def split(root: str) -> None:
    """Returns in the process that is to run the session; its warden never returns."""
    if not hasattr(os, "fork"):
        return
    deckgen = os.getppid()
    processes.become_subreaper()
    pid = os.fork()
    if pid:
        os.closerange(0, 3)  # the pipes to deckgen are the session's own, so that their end is seen
        _wait(pid, deckgen, root)
    os.setsid()
    processes.die_with_parent()


def _wait(pid: int, deckgen: int, root: str) -> None:
    wakeup, bell = os.pipe()
    for descriptor in (wakeup, bell):
        os.set_blocking(descriptor, False)
    asked: Any = []
    signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    status = None
    while status is None and not asked and os.getppid() == deckgen:
        ended, code = os.waitpid(pid, os.WNOHANG)
        status = code if ended else None
        if status is None:
            select.select([wakeup], [], [], WATCH)
            with contextlib.suppress(BlockingIOError):
                os.read(wakeup, 4096)
    processes.kill_session(pid)
    if status is None:
        status = os.waitpid(pid, 0)[1]
    processes.Children().kill_strays(())
    if os.getppid() != deckgen:
        shutil.rmtree(root, ignore_errors=True)
    _end_like(status)


def _end_like(status: int) -> None:
    """Leave as the session left."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError, ValueError):  # SIGKILL cannot be set
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 70)


def follow(descriptor: int) -> None:
    """Where there is no fork: leave when deckgen has closed its end, which it does at the latest when it dies."""

    def watch() -> None:
        while os.read(descriptor, 1):
            pass
        os._exit(70)

    threading.Thread(target=watch, daemon=True).start()


if sys.platform == "win32":  # os.dup hands over text mode there
    import msvcrt

    for _standard in (0, 1):
        msvcrt.setmode(_standard, os.O_BINARY)
