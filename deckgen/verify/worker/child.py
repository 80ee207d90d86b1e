"""A session's process: its folder and its confinement, then the request, whose frames go to one descriptor."""

from __future__ import annotations

import json
import os
import traceback
from typing import Any, Dict

from ..sandbox import kernel
from ..sandbox.confine import Confinement
from ..sandbox.processes import set_limits
from .reporter import Reporter
from .session import Session

Json = Dict[str, Any]

MARGIN = 1 << 17
LOG = 3
"""Where a session finds the descriptor for its frames; the only one besides the standard three."""
ADD_SEALS, SEALS = 1033, 1 | 2 | 4
"""`F_ADD_SEALS`; no more seals, no shrinking, no growing."""


def run_child(request_file: int, log: int, folder: str, guard: Confinement, session: Session) -> None:
    """Run a request, write its frames to `log`, leave the process; never returns.

    The request, which holds the key of the frames, is out of reach before the first snippet runs.
    """
    os.setsid()
    kernel.prctl(kernel.PARENT_DEATH_SIGNAL, 9)
    size = os.lseek(request_file, 0, os.SEEK_END)
    request = json.loads(os.pread(request_file, size, 0))
    for descriptor in (1, 2):
        fixed_file(descriptor, request["output_limit"] + MARGIN)
    confine(request, folder, guard)
    os.dup2(log, LOG, inheritable=False)
    os.closerange(LOG + 1, 4096)
    answer(LOG, request, {"stdout": 1, "stderr": 2}, session)


def confine(request: Json, folder: str, guard: Confinement) -> None:
    """Folders and limits of its own; from here on there is no way back."""
    loopback = request.get("loopback", False)
    guard.separate(loopback)
    enter_folder(folder)
    set_limits(request["limits"])
    guard.enter(folder, loopback)


def enter_folder(folder: str) -> None:
    """An empty working folder and an empty home; everything temporary goes to the home."""
    for path in (folder, folder + "/work", folder + "/home"):
        os.mkdir(path, 0o700)
    os.chdir(folder + "/work")
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), folder + "/home"))


def fixed_file(descriptor: int, size: int) -> None:
    """Make a standard descriptor a file in memory that cannot grow: a flood stops at its end."""
    import fcntl  # not on Windows, where no zygote runs

    memory = os.memfd_create("output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, size)
    fcntl.fcntl(memory, ADD_SEALS, SEALS)
    os.dup2(memory, descriptor)
    os.close(memory)


def answer(descriptor: int, request: Json, files: Dict[str, int], session: Session) -> None:
    """Run a request, its frames going to this descriptor, and leave the process."""
    send = Reporter(descriptor, request.pop("key"))
    try:
        if request["kind"] == "introspect":
            from .introspect import introspect

            send({"introspected": introspect(request["request"])})
        else:
            session.run(request, send, files)
    except BaseException:
        send({"broken": traceback.format_exc()[-4000:]})
    os._exit(0)
