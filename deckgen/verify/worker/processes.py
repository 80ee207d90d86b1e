"""Processes of sessions: how they are bound to us, how descriptors reach them, how none is left over."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import struct
import sys
from typing import Any, Container, Dict, Iterable, List, Tuple

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
KILLED = int(getattr(signal, "SIGKILL", 9))
BROUGHT = struct.Struct("=3i")
"""Descriptors that come with a session: its request, the file for its frames, its lifeline."""
ROOM = socket.CMSG_SPACE(BROUGHT.size) if hasattr(socket, "CMSG_SPACE") else 0


def _kill_by_exception(pid: int, number: int) -> int:
    try:
        os.kill(pid, number)
    except OSError:
        return -1
    return 0


_LIBC: Any = ctypes.CDLL(None) if sys.platform == "linux" else None
"""Made once: making it in every child costs a third of a millisecond."""
_PRCTL: Any = _LIBC.prctl if _LIBC is not None else lambda *_: 0
_KILL: Any = _LIBC.kill if _LIBC is not None else _kill_by_exception
"""`kill` that tells by its result: an exception would cost more than all the rest of a burial."""
_FORK: Any = ctypes.PyDLL(None).fork if sys.platform == "linux" else None


def become_subreaper() -> None:
    """Orphans of sessions become our children, so that we can find and end them."""
    _PRCTL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    _PRCTL(PR_SET_PDEATHSIG, KILLED, 0, 0, 0)


def receive_descriptors(sock: socket.socket) -> Tuple[bytes, Tuple[int, ...]]:
    """A message and the descriptors that come with it; none if it ends or brings something else."""
    message, ancillary, _flags, _address = sock.recvmsg(16, ROOM)
    for _level, _kind, data in ancillary:
        if message and len(data) == BROUGHT.size:
            return message, BROUGHT.unpack(data)
    return b"", ()


def open_descriptors() -> List[int]:
    """Without the one that the listing itself needs."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            os.fstat(int(name))
            found.append(int(name))
    return found


def has_one_thread() -> bool:
    return _FORK is not None and len(os.listdir("/proc/self/task")) == 1


def fork() -> int:
    """`os.fork` without what Python then does in the child: it renews locks and thread states and calls the handlers of
    every module that registered one, 250 pages of memory to copy. A process with one thread, which holds no lock while
    it forks, needs none of it; generators are seeded anyway. The C library's own handlers run.
    """
    pid = int(_FORK())
    if pid < 0:
        raise OSError("fork: no more processes")
    return pid


def kill_session(leader: int) -> None:
    """Kill the process group of a session, which bears its leader's number; the leader too, before it has made one."""
    if _KILL(-leader, KILLED) != 0:
        _KILL(leader, KILLED)


def kill_followers(leader: int) -> None:
    """Kill what a session has left behind; its leader is gone, and its number may be another's by now."""
    _KILL(-leader, KILLED)


def members(leaders: Iterable[int]) -> Dict[int, List[int]]:
    """The processes of each session, by its leader."""
    found: Dict[int, List[int]] = {leader: [] for leader in leaders}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                group = os.getpgid(int(name))
                if group in found:
                    found[group].append(int(name))
    return found


class Children:
    """Direct children of this process, adopted orphans included."""

    def __init__(self) -> None:
        self._listing = -1
        with contextlib.suppress(OSError):  # not every kernel tells
            self._listing = os.open("/proc/self/task/%d/children" % os.getpid(), os.O_RDONLY | os.O_CLOEXEC)

    def now(self) -> List[int]:
        return [int(word) for word in os.pread(self._listing, 1 << 20, 0).split()] if self._listing >= 0 else []

    def kill_strays(self, living: Container[int]) -> None:
        """End orphans that belong to no living session (daemons that left their process group).

        Killing one may orphan others, hence the repetition; its bound is only for a kernel that lies.
        """
        for _ in range(1000):
            strays = [pid for pid in self.now() if pid not in living and session_of(pid) not in living]
            if not strays:
                return
            for pid in strays:
                _KILL(pid, KILLED)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0
