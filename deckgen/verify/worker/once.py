"""A worker for one session: where a process cannot be forked safely (Windows, macOS, a real GPU).

What becomes of its processes is seen to by its supervisor (`supervisor`), or on Windows by a job (`sandbox/job.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from typing import Dict, NoReturn, Optional

from ..sandbox.limits import measure
from ..sandbox.world import World
from . import Json, import_torch

if sys.platform == "linux":
    from ..sandbox import kernel
if sys.platform == "win32":
    import msvcrt
else:
    from .supervisor import split


def serve(settings: Json) -> None:
    """Import torch, say so, wait for one request on standard input, answer it on standard output, and leave."""
    if sys.platform == "win32":
        for descriptor in (0, 1):  # os.dup hands over text mode
            msvcrt.setmode(descriptor, os.O_BINARY)
        # a crash shall end the process, not open a window that waits for somebody
        msvcrt.SetErrorMode(msvcrt.SEM_FAILCRITICALERRORS | msvcrt.SEM_NOGPFAULTERRORBOX)
    else:
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
    from . import answer, session

    guard, verdict = world.guarded(tested=settings["self_test"])
    if sys.platform == "linux" and settings["sandbox"]:
        kernel.prctl(kernel.DUMPABLE, 0)
    os.write(target, json.dumps({**hello, **verdict}).encode("ascii") + b"\n")

    measure()
    request = read_request(source) or leave(0, settings["root"])
    if sys.platform == "win32":
        follow(source, settings["root"])
    else:
        os.close(source)  # a snippet shall not read from it
    files: Dict[str, int] = {}
    for number, name in ((1, "stdout"), (2, "stderr")):  # its size is checked after each statement
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        os.dup2(os.open(os.path.join(world.folder, name), flags, 0o600), number)
        files[name] = number
    answer.confine(request, os.path.join(world.folder, "session"), guard)
    answer.answer(target, request, files, session.Session())


def read_request(descriptor: int) -> Optional[Json]:
    """One JSON text, its length in the first line; None if deckgen has gone before it sent one."""
    with open(descriptor, "rb", closefd=False) as source:
        head = source.readline()
        body = source.read(int(head or 0))
    if not head or len(body) < int(head):
        return None
    request: Json = json.loads(body)
    return request


def follow(descriptor: int, root: str) -> None:
    """Where no supervisor does: leave when deckgen has closed its end, which it does at the latest when it dies."""

    def watch() -> None:
        while os.read(descriptor, 1):
            pass
        leave(70, root)

    threading.Thread(target=watch, daemon=True).start()


def leave(status: int, root: str) -> NoReturn:
    """End this process; where no supervisor removes its folder, it does so itself, as far as the system lets it."""
    if sys.platform == "win32":  # which removes no file that is open, nor a folder that somebody is in
        os.chdir(os.path.dirname(root))
        os.closerange(1, 3)
        shutil.rmtree(root, ignore_errors=True)
    os._exit(status)
