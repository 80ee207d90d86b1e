"""The watch over sessions: processes, threads and memory that limits of the kernel count for one process, or not for root."""

from __future__ import annotations

import contextlib
import os
from typing import Dict, Iterable, List, NamedTuple, Optional

from .limits import TOTAL

CROWD = 64
"""Processes that one session may have."""
THREADS = 1024
"""Threads that all its processes may have together."""
SHORT = 0.03
"""Share of the machine's memory that is left when a session has to go: some of what it takes counts for no process."""


class Usage(NamedTuple):
    """What one process has."""

    threads: int
    memory: int
    """Bytes in memory and in the swap, all of what it shares among them."""


NOTHING = Usage(0, 0)


def offence(processes: Iterable[int], inherited: int) -> Optional[str]:
    """Why a session with these processes must end: `too-many-processes`, `too-much-memory`; None if it may go on.

    `inherited`: bytes that each process has of the zygote's. What processes share counts once; that takes the kernel
    milliseconds to say, and longer while they fork, so a sum that is too high is looked at first.
    """
    pids = list(processes)
    if len(pids) > CROWD:
        return "too-many-processes"
    found = {pid: usage(pid) for pid in pids}
    if sum(one.threads for one in found.values()) > THREADS:
        return "too-many-processes"
    stacks = (_start_of_stack(os.getpid()), 0)  # of a fork; a program that a session started has another one
    grown = {
        pid: max(one.memory - (inherited if _start_of_stack(pid) in stacks else 0), 0) for pid, one in found.items()
    }
    if sum(grown.values()) > TOTAL and sum(_share(pid) or grown[pid] for pid in pids) > TOTAL:
        return "too-much-memory"
    return None


def usage(pid: int) -> Usage:
    """Of a process; nothing if it has gone."""
    found = _fields(f"/proc/{pid}/status", ("Threads", "VmRSS", "VmSwap"))
    return Usage(found.get("Threads", 0), (found.get("VmRSS", 0) + found.get("VmSwap", 0)) * 1024) if found else NOTHING


def _start_of_stack(pid: int) -> int:
    """Its address; 0 if the process has gone, or if the system does not tell."""
    with (
        contextlib.suppress(OSError, ValueError, IndexError),
        open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file,
    ):
        return int(file.read().rpartition(")")[2].split()[25])
    return 0


def _share(pid: int) -> int:
    """Bytes of a process, of what several have its share; 0 if it has gone, or if the system does not tell."""
    return sum(_fields(f"/proc/{pid}/smaps_rollup", ("Pss", "SwapPss")).values()) * 1024


def is_short() -> bool:
    """True if the machine itself has hardly any memory left."""
    found = _fields("/proc/meminfo", ("MemTotal", "MemAvailable"))
    return found.get("MemAvailable", 1) < SHORT * found.get("MemTotal", 0)


def largest(sessions: Dict[int, List[int]]) -> int:
    """The leader of the session with the most processes; of several, with the most memory."""
    return max(sessions, key=lambda leader: (len(sessions[leader]), sum(usage(pid).memory for pid in sessions[leader])))


def _fields(path: str, names: Iterable[str]) -> Dict[str, int]:
    """Numbers by name, of a file of lines `name: number ...`; without those that are not told."""
    wanted, found = {*names}, {}
    with contextlib.suppress(OSError, ValueError), open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            name, colon, rest = line.partition(":")
            if colon and name in wanted:
                found[name] = int(rest.split()[0])
    return found
