"""Limits of a session's process, and what a session weighs in all its processes together."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Dict, Iterable, Tuple

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

NO_LIMIT = 1 << 62
NAMES = ("AS", "FSIZE", "CORE", "NOFILE", "CPU")
LIMITS: Dict[str, Tuple[int, int, int]] = {}
"""By name: number, what the process uses of it already, the most that may be asked for."""
TOTAL = 4 << 30
"""Bytes of memory that all processes of one session may have together, shared memory included."""
KINDS = sorted(getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")) if resource else []


def set_limits(limits: Dict[str, Any]) -> None:
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


def in_force() -> Tuple[Tuple[int, int], ...]:
    """All limits of this process, to see whether somebody has changed them."""
    return tuple(resource.getrlimit(kind) for kind in KINDS)


def exceeds(processes: Iterable[int], total: int, inherited: int) -> bool:
    """True if these processes have more memory than `total` bytes; each has inherited so many bytes of the zygote's.

    What they share counts once. That takes the kernel milliseconds to say, and longer while they fork, so a sum that is too
    high is looked at first.
    """
    pids = list(processes)
    grown = {pid: max(resident(pid) - inherited, 0) for pid in pids}
    return sum(grown.values()) > total and sum(weigh(pid) or grown[pid] for pid in pids) > total


def resident(pid: int) -> int:
    """Bytes of a process, all of what it shares among them; 0 if it has gone."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()
    return 0


def weigh(pid: int) -> int:
    """Bytes of a process, its share of what several have; 0 if it has gone, or if the system does not tell."""
    with (
        contextlib.suppress(OSError, ValueError, IndexError),
        open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as rollup,
    ):
        for line in rollup:
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
