"""Processes of sessions: how they are bound to us, how descriptors reach them, how none is left over."""

from __future__ import annotations

import array
import contextlib
import ctypes
import os
import signal
import socket
import sys
from typing import Any, Iterable, List, Set, Tuple

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


_LIBC: Any = ctypes.CDLL(None) if sys.platform == "linux" else None
"""Made once: making it in every child costs a third of a millisecond."""


def _prctl(option: int, argument: int) -> None:
    if _LIBC is not None:
        _LIBC.prctl(option, argument, 0, 0, 0)


def become_subreaper() -> None:
    """Orphans of sessions become our children, so that we can find and end them."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def receive_descriptors(sock: socket.socket, count: int) -> Tuple[bytes, List[int]]:
    """A message and the descriptors that came with it (`socket.recv_fds` is newer than Python 3.8)."""
    descriptors = array.array("i")
    message, ancillary, _flags, _address = sock.recvmsg(16, socket.CMSG_SPACE(count * descriptors.itemsize))
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    return message, list(descriptors)


def open_descriptors() -> List[int]:
    """Without the one that the listing itself needs."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            os.fstat(int(name))
            found.append(int(name))
    return found


def close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def kill_session(leader: int) -> None:
    """Kill the process group of a session; the group's name is its leader's number."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(leader, signal.SIGKILL)


def crowds(leaders: Iterable[int], limit: int, usual: int) -> List[int]:
    """Leaders of process groups with more than `limit` members.

    `usual` is the number of processes that were there without any session: while there are few, nobody is counted.
    """
    pids = [name for name in os.listdir("/proc") if name.isdigit()]
    if len(pids) <= usual + limit:
        return []
    counts = dict.fromkeys(leaders, 0)
    for pid in pids:
        with contextlib.suppress(OSError):
            group = os.getpgid(int(pid))
            if group in counts:
                counts[group] += 1
    return [leader for leader, count in counts.items() if count > limit]


def own_children() -> List[int]:
    """Direct children of this process, adopted orphans included; empty where the system does not tell."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid(), encoding="ascii") as listing:
            return [int(word) for word in listing.read().split()]
    except (OSError, ValueError):
        return []


def session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def kill_strays(living: Set[int]) -> None:
    """End orphans that belong to no living session (daemons that left their process group).

    Killing one may orphan others, hence the repetition; its bound is only for a kernel that lies.
    """
    for _ in range(1000):
        strays = [pid for pid in own_children() if pid not in living and session_of(pid) not in living]
        if not strays:
            return
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
