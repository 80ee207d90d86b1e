"""Limits of a session's process, which the kernel keeps."""

from __future__ import annotations

import sys
from typing import Any, Dict, Tuple

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
