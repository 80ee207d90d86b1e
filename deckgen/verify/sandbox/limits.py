"""Limits of a session's process, which the kernel keeps."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Dict, Tuple

resource: Any = None
with contextlib.suppress(ImportError):  # Windows
    import resource

TOTAL = 4 << 30
"""Bytes of memory that all processes of one session may have together, shared memory included."""
KINDS: Dict[str, int] = {name[7:]: getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}
_BEFORE = [0]
"""Bytes that a session has mapped when it begins."""


def measure() -> None:
    """Note how much is mapped: once in the zygote, not in every child."""
    if sys.platform.startswith("linux"):
        with open("/proc/self/statm", encoding="ascii") as statm:
            _BEFORE[0] = int(statm.read().split()[0]) * resource.getpagesize()


def set_limits(limits: Dict[str, int]) -> None:
    """rlimits by name: `{"FSIZE": bytes, ...}`; `AS` counts from what the process has mapped already."""
    for name, amount in limits.items():
        if name in KINDS:
            hard = resource.getrlimit(KINDS[name])[1]
            wanted = amount + (_BEFORE[0] if name == "AS" else 0)
            wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            with contextlib.suppress(OSError, ValueError):  # macOS refuses some
                resource.setrlimit(KINDS[name], (wanted, wanted))


def in_force() -> Tuple[Tuple[int, int], ...]:
    """All limits of this process, to see whether somebody has changed them."""
    return tuple(map(resource.getrlimit, KINDS.values()))
