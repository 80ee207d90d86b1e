"""The child that a zygote forks for one session: confine first, then run."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import traceback
from typing import Any, Dict, Tuple

from . import processes
from .confine import Confinement
from .folder import enter_folder
from .reporter import Reporter
from .session import Session

Json = Dict[str, Any]

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MARGIN = 1 << 17
LOG = 3
"""Where a session finds the descriptor for its frames; the only one besides the standard three."""
DECODER: Any = json.JSONDecoder()
MEMORY_FLAGS = getattr(os, "MFD_CLOEXEC", 0) | getattr(os, "MFD_ALLOW_SEALING", 0)
ADD_SEALS, SEALS = 1033, 1 | 2 | 4
"""`F_ADD_SEALS`; no more seals, no shrinking, no growing."""
_FCNTL: Any = ctypes.CDLL(None).fcntl if sys.platform.startswith("linux") else None
NO_LIMIT = 1 << 62
NAMES = ("AS", "FSIZE", "CORE", "NOFILE", "CPU")
LIMITS: Dict[str, Tuple[int, int, int]] = {}
"""By name: number, what the process uses of it already, the most that may be asked for."""


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


def run_child(log: int, last: int, folder: str, guard: Confinement, session: Session) -> None:
    """Run the request that `log` begins with, write its frames after it, leave the process; never returns.

    Every object that is touched here is a page of memory to copy, two microseconds each; hence so plain.
    """
    os.setsid()
    processes.die_with_parent()
    request = prepare(log, folder)
    guard.enter(guard.ready(folder))
    os.dup2(log, LOG, inheritable=False)
    os.closerange(LOG + 1, last + 1)
    answer(LOG, request, {"stdout": 1, "stderr": 2}, session)


def prepare(log: int, folder: str) -> Json:
    """What can be undone, and so be rehearsed: files, folder, limits. Gives the request."""
    request: Json = DECODER.scan_once(os.pread(log, os.lseek(log, 0, os.SEEK_CUR), 0).decode("ascii"), 0)[0]
    size = request["output_limit"] + MARGIN
    fixed_file(1, size)
    fixed_file(2, size)
    enter_folder(folder)
    set_limits(request["limits"])
    return request


def answer(descriptor: int, request: Json, files: Dict[str, int], session: Session) -> None:
    """Run a request, its frames going to this descriptor, and leave the process."""
    send = Reporter(descriptor, request["token"])
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


def set_limits(limits: Json) -> None:
    """rlimits by name: `{"FSIZE": bytes, ...}`; `AS` is counted from what the process has mapped already."""
    for name, amount in limits.items():
        if name in LIMITS:
            kind, base, hard = LIMITS[name]
            wanted = min(amount + base, hard)
            try:
                resource.setrlimit(kind, (wanted, wanted))
            except (OSError, ValueError):  # macOS refuses some
                continue


def measure() -> None:
    """Note the limits in force and how much is mapped: once in the zygote, not in every child."""
    mapped = 0
    if sys.platform.startswith("linux"):
        with open("/proc/self/statm", encoding="ascii") as statm:
            mapped = int(statm.read().split()[0]) * resource.getpagesize()
    for name in NAMES if resource else ():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            most = NO_LIMIT if hard == resource.RLIM_INFINITY else hard
            LIMITS[name] = kind, mapped if name == "AS" else 0, most
