"""The supervisor of a spawned session, where a process can be forked before it has imported torch: Linux and macOS.

It runs no code of the session's: it waits outside, and kills every process of the session when the session ends, when deckgen
asks for its end, or when deckgen itself has gone.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
from typing import Any, List

from ..sandbox import processes

if sys.platform == "win32":
    raise ImportError("nothing forks on Windows: there a job holds the processes of a session (`job`)")
if sys.platform == "linux":
    from ..sandbox import kernel

LOOK = 0.2
"""Seconds between two looks at whether deckgen is still there."""


def split(root: str) -> None:
    """Returns in the process that is to run the session; its supervisor never returns."""
    deckgen = os.getppid()
    if sys.platform == "linux":
        kernel.prctl(kernel.CHILD_SUBREAPER, 1)
    pid = os.fork()
    if pid:
        os.closerange(0, 3)  # the pipes to deckgen are the session's own, so that their end is seen
        _supervise(pid, deckgen, root)
    os.setsid()
    if sys.platform == "linux":
        kernel.prctl(kernel.PARENT_DEATH_SIGNAL, 9)


def _supervise(pid: int, deckgen: int, root: str) -> None:
    wakeup, bell = os.pipe()
    for descriptor in (wakeup, bell):
        os.set_blocking(descriptor, False)
    asked: List[Any] = []
    signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    ended, status = os.waitpid(pid, os.WNOHANG)
    while not ended and not asked and os.getppid() == deckgen:
        select.select([wakeup], [], [], LOOK)
        with contextlib.suppress(BlockingIOError):
            os.read(wakeup, 4096)
        ended, status = os.waitpid(pid, os.WNOHANG)
    processes.kill_session(pid)
    if not ended:
        status = os.waitpid(pid, 0)[1]
    processes.kill_strays(())
    if os.getppid() != deckgen:
        shutil.rmtree(root, ignore_errors=True)
    if os.WIFSIGNALED(status):  # leave as the session left
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError, ValueError):  # SIGKILL cannot be set
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 70)
