"""The child that a zygote forks for one session: confine first, then run."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import traceback
from typing import Any, Dict

from . import processes
from .confine import Confinement
from .folder import enter_folder
from .limits import set_limits
from .reporter import Reporter
from .session import Session

Json = Dict[str, Any]

MARGIN = 1 << 17
LOG = 3
"""Where a session finds the descriptor for its frames; the only one besides the standard three."""
DECODER: Any = json.JSONDecoder()
MEMORY_FLAGS = getattr(os, "MFD_CLOEXEC", 0) | getattr(os, "MFD_ALLOW_SEALING", 0)
ADD_SEALS, SEALS = 1033, 1 | 2 | 4
"""`F_ADD_SEALS`; no more seals, no shrinking, no growing."""
_FCNTL: Any = ctypes.CDLL(None).fcntl if sys.platform.startswith("linux") else None


def read_request(descriptor: int) -> Json:
    """One JSON text, its length in the first line."""
    head = b""
    while not head.endswith(b"\n"):
        byte = os.read(descriptor, 1)
        if not byte:
            os._exit(0)
        head += byte
    left, parts = int(head), []
    while left:
        part = os.read(descriptor, min(left, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        left -= len(part)
    request: Json = json.loads(b"".join(parts))
    return request


def run_child(request_file: int, log: int, last: int, folder: str, guard: Confinement, session: Session) -> None:
    """Run a request, write its frames to `log`, leave the process; never returns.

    Every object that is touched here is a page of memory to copy, two microseconds each; hence so plain. The request, which
    holds the key of the frames, is out of reach before the first snippet runs.
    """
    os.setsid()
    processes.die_with_parent()
    request = look_at(request_file)
    loopback = request.get("loopback", False)
    guard.separate(loopback)
    prepare(request, folder)
    guard.enter(guard.ready(folder, loopback), loopback)
    os.dup2(log, LOG, inheritable=False)
    os.closerange(LOG + 1, last + 1)
    answer(LOG, request, {"stdout": 1, "stderr": 2}, session)


def look_at(request_file: int) -> Json:
    """The request in a file in memory that is read from its beginning."""
    request: Json = DECODER.scan_once(
        os.pread(request_file, os.lseek(request_file, 0, os.SEEK_END), 0).decode("ascii"), 0
    )[0]
    return request


def prepare(request: Json, folder: str) -> None:
    """What can be undone, and so be rehearsed: files, folder, limits."""
    size = request["output_limit"] + MARGIN
    fixed_file(1, size)
    fixed_file(2, size)
    enter_folder(folder)
    set_limits(request["limits"])


def answer(descriptor: int, request: Json, files: Dict[str, int], session: Session) -> None:
    """Run a request, its frames going to this descriptor, and leave the process."""
    send = Reporter(descriptor, request.pop("key"))
    try:
        run_request(request, send, files, session)
    except BaseException:
        send({"broken": traceback.format_exc()[-4000:]})
    os._exit(0)


def run_request(request: Json, send: Any, files: Dict[str, int], session: Session) -> None:
    if request["kind"] == "introspect":
        from .introspect import introspect

        send({"introspected": introspect(request["request"])})
    else:
        session.run(request, send, files)


def fixed_file(descriptor: int, size: int) -> None:
    """Make a standard descriptor a file in memory that cannot grow: floods meet its end."""
    memory = os.memfd_create("output", MEMORY_FLAGS)
    os.ftruncate(memory, size)
    _FCNTL(memory, ADD_SEALS, SEALS)
    os.dup2(memory, descriptor)
    os.close(memory)
