"""The processes of sessions: counted and weighed while they run, ended when their session is over.

Limits of the kernel (`limits`) count one process, or do not bind root.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Collection, Container, Dict, Iterable, Iterator, List, Optional, Tuple

from .limits import CROWD, TOTAL, delay_of

if sys.platform == "win32":
    raise ImportError("groups of processes are POSIX's: on Windows a job holds them (`job`)")

THREADS = 1024
"""Threads that all its processes may have together."""
SHORT = 0.03
"""Share of the machine's memory that is left when a session has to go: some of what it takes counts for no process."""


# Ending them


def kill_session(leader: int) -> None:
    """Kill the process group of a session, which bears its leader's number; the leader too, before it has made one."""
    if not kill_followers(leader):
        with contextlib.suppress(OSError):
            os.kill(leader, signal.SIGKILL)


def kill_followers(leader: int) -> bool:
    """Kill what is in a session's group: of one whose leader is gone, whose number may be another's by now. True if there was."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except OSError:
        return False
    return True


def kill_strays(living: Container[int]) -> None:
    """End orphans that belong to no living session (daemons that left their process group).

    Killing one may orphan others, hence the repetition; its bound is only for a kernel that lies.
    """
    for _ in range(1000):
        strays = [pid for pid in _children() if pid not in living and _session_of(pid) not in living]
        if not strays:
            return
        for pid in strays:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _children() -> List[int]:
    """Direct children of this process, adopted orphans included; none where the kernel does not tell."""
    with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as listing:
        return [int(word) for word in listing.read().split()]
    return []


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def delay(leader: int) -> Optional[float]:
    """Seconds for which the living processes of a session were ready to run while others ran; None where that is not told."""
    tasks = [f"/proc/{pid}/task/{task}" for pid in _members([leader])[leader] for task in _names(f"/proc/{pid}/task")]
    found = [seconds for seconds in map(delay_of, tasks) if seconds is not None]
    return sum(found) if found else None


# Weighing them


class Watch:
    """Sees which sessions take too much."""

    def __init__(self) -> None:
        self.inherited = memory(os.getpid())
        """Bytes that each fork begins with."""
        self.stacks = (_start_of_stack(os.getpid()), 0)
        """Of a fork; a program that a session started has another one."""

    def offenders(self, leaders: Collection[int]) -> Iterator[Tuple[int, str]]:
        """(leader, reason) of each session that must end: `too-many-processes`, `too-much-memory`."""
        sessions = _members(leaders)
        for leader, pids in sessions.items():
            reason = self._offence(pids)
            if reason:
                yield leader, reason
        found = _fields("/proc/meminfo", "MemTotal", "MemAvailable")
        if found.get("MemAvailable", 1) < SHORT * found.get("MemTotal", 0):
            most = max(sessions, key=lambda one: (len(sessions[one]), sum(map(memory, sessions[one]))))
            yield most, "too-much-memory"

    def _offence(self, pids: List[int]) -> Optional[str]:
        """What processes share counts once. The kernel needs milliseconds to say how much, and longer while they fork, so
        a sum that is too high is looked at first."""
        threads = sum(_fields(f"/proc/{pid}/status", "Threads").get("Threads", 0) for pid in pids)
        if len(pids) > CROWD or threads > THREADS:
            return "too-many-processes"
        grown = {
            pid: max(memory(pid) - (self.inherited if _start_of_stack(pid) in self.stacks else 0), 0) for pid in pids
        }
        if sum(grown.values()) > TOTAL and sum(_share(pid) or grown[pid] for pid in pids) > TOTAL:
            return "too-much-memory"
        return None


def memory(pid: int) -> int:
    """Bytes of a process in memory and in the swap, all of what it shares among them; 0 if it has gone."""
    return sum(_fields(f"/proc/{pid}/status", "VmRSS", "VmSwap").values()) * 1024


def _share(pid: int) -> int:
    """Bytes of a process, of what several have its share; 0 if it has gone, or if the system does not tell."""
    return sum(_fields(f"/proc/{pid}/smaps_rollup", "Pss", "SwapPss").values()) * 1024


def _start_of_stack(pid: int) -> int:
    """Its address; 0 if the process has gone, or if the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[25])
    return 0


def _members(leaders: Iterable[int]) -> Dict[int, List[int]]:
    """The processes of each session, by its leader."""
    found: Dict[int, List[int]] = {leader: [] for leader in leaders}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            group = os.getpgid(int(name))
            if group in found:
                found[group].append(int(name))
    return found


def _names(folder: str) -> List[str]:
    with contextlib.suppress(OSError):
        return os.listdir(folder)
    return []


def _fields(path: str, *names: str) -> Dict[str, int]:
    """Numbers by name, of a file of lines `name: number ...`; without those that it does not have."""
    found = {}
    with contextlib.suppress(OSError, ValueError), open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            name, colon, rest = line.partition(":")
            if colon and name in names:
                found[name] = int(rest.split()[0])
    return found
