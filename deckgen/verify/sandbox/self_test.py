"""The self-test: every act that the word "complete" stands against is attempted, from where a session would attempt it."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import stat
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, List

from . import processes
from .forbidden import OTHER, Act, ForbiddenThings, Identity, identity, insist
from .limits import TOTAL, measure

if sys.platform == "win32":
    raise ImportError("what attempts all this is forked, which nothing can be on Windows")
if sys.platform == "linux":
    from .linux_acts import linux_acts

if TYPE_CHECKING:
    from .confine import Confinement

PATIENCE = 10.0
"""Seconds that the attempts may take."""


def self_test(confinement: Confinement, outside: ForbiddenThings, folder: str) -> List[str]:
    """Names of forbidden acts that succeed from inside. A process like a session's attempts them.

    `folder`: where sessions have their folders.
    """
    measure()
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind("\0deckgen-%d" % os.getpid() if sys.platform == "linux" else os.path.join(outside.folder, OTHER))
    abstract.listen(1)
    acts = _acts(outside, abstract.getsockname())
    reader, writer = os.pipe()
    gate, opener = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(opener)
        _attempt(confinement, os.path.join(folder, "self-test"), acts, writer, gate)
    os.close(writer)
    os.close(gate)
    done = b""
    """One letter for each act."""
    while len(done) < len(acts) and select.select([reader], [], [], PATIENCE)[0]:
        part = os.read(reader, len(acts))
        if not part:
            break
        done += part
    weighed = sys.platform != "linux" or processes.memory(pid) > 0
    os.close(opener)
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reader)
    abstract.close()
    outside.close()
    shutil.rmtree(os.path.join(folder, "self-test"), ignore_errors=True)
    if len(done) < len(acts):
        return ["the self-test did not finish"]
    leaks = [name for (name, _), success in zip(acts, done) if success == ord("y")]  # noqa: B905 (Python 3.8)
    return list(dict.fromkeys(leaks if weighed else [*leaks, "take memory in many processes"]))


def _attempt(confinement: Confinement, folder: str, acts: List[Act], writer: int, gate: int) -> None:
    """In the process that attempts; it stays until it has been weighed."""
    os.setsid()
    confinement.separate(loopback=False)
    os.makedirs(folder)
    confinement.limit({"AS": TOTAL, "FSIZE": 1 << 28})
    confinement.enter(folder)
    for _, act in acts:
        try:
            act()
            os.write(writer, b"y")
        except BaseException:
            os.write(writer, b"n")
    os.read(gate, 1)
    os._exit(0)


def _acts(outside: ForbiddenThings, abstract: Any) -> List[Act]:
    """Name and attempt; an attempt that is refused raises. Those that change the attempting process come last."""
    parent, secret, own = os.getpid(), outside.secret, os.path.abspath(__file__)
    acts: List[Act] = [
        ("read outside", lambda: os.close(os.open(secret, os.O_RDONLY))),
        ("write outside", lambda: os.close(os.open(secret + ".new", os.O_CREAT | os.O_WRONLY))),
        ("list the home folder", lambda: _list(os.path.expanduser("~"), outside.home)),
        ("open a network socket", lambda: socket.socket(socket.AF_INET)),
        ("connect to an abstract socket", lambda: socket.socket(socket.AF_UNIX).connect(abstract)),
        ("signal the parent", lambda: os.kill(parent, 0)),
    ]
    for path in (secret, own):
        acts += [
            ("change a mode outside", partial(_change_mode, path)),
            ("change a time outside", partial(_change_time, path)),
        ]
    if sys.platform == "linux":
        acts += linux_acts(outside, parent, own)
    return acts


def _change_mode(path: str) -> None:
    os.chmod(path, stat.S_IMODE(os.stat(path).st_mode))


def _change_time(path: str) -> None:
    found = os.stat(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def _list(folder: str, machines: Identity) -> None:
    """Only if it is the machine's: a root of its own has an empty one, or one with the way to Python in it."""
    os.listdir(folder)
    insist(machines is not None and identity(folder) == machines)
