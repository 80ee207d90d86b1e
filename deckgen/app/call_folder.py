"""The folder of a call to the MCP server, and the end of its run: both also if the server is killed, and cannot clear up."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

if sys.platform == "linux":
    from deckgen.verify.sandbox import kernel

_PREFIX = "deckgen-mcp-"
_me: Callable[[], int] = getattr(os, "geteuid", lambda: 0)
"""Who we are; on Windows everything belongs to 0."""
_JUST_MADE = 1.0
"""Seconds for which a folder may have no lock yet."""


@contextmanager
def call_folder() -> Iterator[Path]:
    """A folder that is gone at the end. Its server holds a lock in it, which goes with the server's process."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder, FileLock(_lock(folder)):
        yield Path(folder)


def remove_left_folders() -> None:
    """Removes the folders of servers that were killed during a call."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError, Timeout):
            status = folder.lstat()
            if status.st_uid == _me() and time.time() - status.st_mtime > _JUST_MADE:
                with FileLock(_lock(folder), timeout=0):
                    shutil.rmtree(folder, ignore_errors=True)


def _lock(folder: str | Path) -> Path:
    return Path(folder, ".lock")


def ends_with_its_parent() -> Callable[[], None] | None:
    """What a process that is being started does first, so that it is asked to end when its parent has; None where no system can."""
    if sys.platform == "linux":
        parent = os.getpid()

        def heed() -> None:
            kernel.prctl(kernel.PARENT_DEATH_SIGNAL, signal.SIGTERM)
            if os.getppid() != parent:  # it has ended already
                os._exit(1)

        return heed
    return None
