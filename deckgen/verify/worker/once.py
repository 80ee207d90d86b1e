"""A worker for one session: where a process cannot be forked safely (Windows, macOS, a real GPU).

Its supervisor is the process as it was before torch. It runs no code of the session's: it waits outside, and kills every process
of the session when the session ends, when deckgen asks for its end, or when deckgen itself has gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import sys
import threading
from typing import Any, Dict, List

from ..sandbox import kernel, processes
from ..sandbox.confine import World
from . import Json, import_torch

LOOK = 0.2
"""Seconds between two looks at whether deckgen is still there."""

if sys.platform == "win32":  # os.dup hands over text mode there
    import msvcrt

    for _standard in (0, 1):
        msvcrt.setmode(_standard, os.O_BINARY)


def serve(settings: Json) -> None:
    """Import torch, say so, wait for one request on standard input, answer it on standard output, and leave."""
    if hasattr(os, "fork"):
        split(settings["root"])
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    world = World(settings["root"], settings["sandbox"])
    hello = import_torch(settings["preload"])
    if "error" in hello:
        os.write(target, json.dumps(hello).encode("ascii") + b"\n")
        os._exit(1)
    from . import child, session

    guard, verdict = world.guarded(tested=settings["self_test"])
    if settings["sandbox"]:
        kernel.prctl(kernel.DUMPABLE, 0)
    os.write(target, json.dumps({**hello, **verdict}).encode("ascii") + b"\n")

    processes.measure()
    request = read_request(source)
    if hasattr(os, "fork"):
        os.close(source)  # a snippet shall not read from it
    else:
        follow(source)
    files: Dict[str, int] = {}
    for number, name in ((1, "stdout"), (2, "stderr")):  # its size is checked after each statement
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        os.dup2(os.open(os.path.join(world.folder, name), flags, 0o600), number)
        files[name] = number
    child.confine(request, os.path.join(world.folder, "session"), guard)
    child.answer(target, request, files, session.Session())


def read_request(descriptor: int) -> Json:
    """One JSON text, its length in the first line; without one the process leaves."""
    with open(descriptor, "rb", closefd=False) as source:
        head = source.readline()
        body = source.read(int(head or 0))
    if not head or len(body) < int(head):
        os._exit(0)
    request: Json = json.loads(body)
    return request


# The supervisor


def split(root: str) -> None:
    """Returns in the process that is to run the session; its supervisor never returns."""
    deckgen = os.getppid()
    kernel.prctl(kernel.CHILD_SUBREAPER, 1)
    pid = os.fork()
    if pid:
        os.closerange(0, 3)  # the pipes to deckgen are the session's own, so that their end is seen
        _supervise(pid, deckgen, root)
    os.setsid()
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


def follow(descriptor: int) -> None:
    """Where there is no fork: leave when deckgen has closed its end, which it does at the latest when it dies."""

    def watch() -> None:
        while os.read(descriptor, 1):
            pass
        os._exit(70)

    threading.Thread(target=watch, daemon=True).start()
