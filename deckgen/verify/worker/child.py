"""The child that a zygote forks for one session: confine first, then run."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from typing import Any, Dict

from . import processes
from .confine import Confinement
from .session import Reporter, Session

Json = Dict[str, Any]

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MARGIN = 1 << 17
MAPPED = [0]
"""Bytes of address space that the zygote itself has mapped."""


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


def run_child(talk: int, log: int, folder: str, guard: Confinement) -> None:
    """Run the request that comes on `talk`, write its frames to `log`, leave the process; never returns."""
    os.setsid()
    processes.die_with_parent()
    request = read_request(talk)
    os.close(talk)
    files = {"stdout": fixed_file(1, request), "stderr": fixed_file(2, request)}
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    enter_folder(folder)
    set_limits(request.get("limits", {}))
    guard.enter(folder)
    processes.close_all(guard.descriptors)
    answer(log, request, files)


def answer(descriptor: int, request: Json, files: Dict[str, int]) -> None:
    """Run a request, its frames going to this descriptor, and leave the process."""
    send = Reporter(descriptor, request["token"])
    try:
        run_request(request, send, files)
    except BaseException:
        send({"broken": traceback.format_exc()[-4000:]})
    os._exit(0)


def run_request(request: Json, send: Any, files: Dict[str, int]) -> None:
    if request["kind"] == "introspect":
        from .introspect import introspect

        send({"introspected": introspect(request["request"])})
    else:
        Session(request, send, files).run()


def fixed_file(descriptor: int, request: Json) -> int:
    """Make a standard descriptor a file in memory that cannot grow: floods meet its end."""
    size = request["output_limit"] + MARGIN
    memory = os.memfd_create("output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, size)
    seal(memory)
    os.dup2(memory, descriptor)
    os.close(memory)
    return descriptor


def seal(memory: int) -> None:
    import fcntl

    fcntl.fcntl(memory, 1033, 1 | 2 | 4)  # F_ADD_SEALS: SEAL | SHRINK | GROW


def enter_folder(folder: str) -> None:
    """A working folder and a home of its own, both empty; everything temporary goes to the home."""
    work, home = os.path.join(folder, "work"), os.path.join(folder, "home")
    for path in (folder, work, home):
        os.mkdir(path, 0o700)
    os.chdir(work)
    os.environ.update(HOME=home, TMPDIR=home, XDG_CACHE_HOME=home)


def set_limits(limits: Json) -> None:
    """rlimits by name: `{"FSIZE": bytes, ...}`; `AS` is counted from what the process has mapped already."""
    for name, amount in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None) if resource else None
        if kind is None:
            continue
        wanted = amount + (MAPPED[0] if name == "AS" else 0)
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):  # macOS refuses some
            resource.setrlimit(kind, (wanted, wanted))


def measure() -> None:
    """Note how much is mapped before any session: once in the zygote, not in every child."""
    if not sys.platform.startswith("linux"):
        return
    with open("/proc/self/statm", encoding="ascii") as statm:
        MAPPED[0] = int(statm.read().split()[0]) * resource.getpagesize()
