"""What the system itself limits a session to: a process by rlimits (Linux, macOS), all of its processes by a job (Windows)."""

from __future__ import annotations

import contextlib
import sys
from typing import Dict, List, Optional, Tuple

if sys.platform == "win32":
    from . import job

    KINDS: Dict[str, int] = {}
else:
    import resource

    KINDS = {name[7:]: getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}

TOTAL = 4 << 30
"""Bytes of memory that all processes of one session may have together, shared memory included."""
CROWD = 64
"""Processes that one session may have."""
_BEFORE = [0]
"""Bytes that a session has mapped when it begins."""


def kept_by() -> List[str]:
    """What keeps them here, as reports name it."""
    if sys.platform == "win32":
        return ["job"] if job.is_entered() else []
    return ["rlimits"]


def measure() -> None:
    """Note how much is mapped: once in the zygote, not in every child."""
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as statm:
            _BEFORE[0] = int(statm.read().split()[0]) * resource.getpagesize()


def set_limits(limits: Dict[str, int]) -> None:
    """Limits by the names of rlimits: `{"FSIZE": bytes, ...}`; `AS` counts from what the process has mapped already. A job
    knows this one alone.

    Of processor time there is a second more until the end, for SIGXCPU to come first: it says why, as SIGKILL does not.
    """
    if sys.platform == "win32":
        if "AS" in limits:
            job.bound_memory(limits["AS"])
    else:
        for name in KINDS.keys() & limits.keys():
            hard = resource.getrlimit(KINDS[name])[1]
            most = float("inf") if hard == resource.RLIM_INFINITY else hard
            wanted = limits[name] + (_BEFORE[0] if name == "AS" else 0)
            with contextlib.suppress(OSError, ValueError):  # macOS refuses some
                resource.setrlimit(KINDS[name], (int(min(wanted, most)), int(min(wanted + (name == "CPU"), most))))


def in_force() -> Tuple[Tuple[int, int], ...]:
    """All rlimits of this process, to see whether somebody has changed them."""
    if sys.platform != "win32":
        return tuple(map(resource.getrlimit, KINDS.values()))
    return ()


def delay_of(task: str = "/proc/self") -> Optional[float]:
    """Seconds for which a thread was ready to run while others ran, given its folder in /proc, or our first one; None where that
    is not told."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(task + "/schedstat", encoding="ascii") as file:
        return int(file.read().split()[1]) / 1e9
    return None
