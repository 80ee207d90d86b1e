"""A job of Windows: holds this process and all that it starts, bounds how many they are and what memory they take together, and
ends what is left of them when this process has ended.

What is forbidden elsewhere (files, the network, other processes) is not forbidden by it.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, List

if sys.platform != "win32":
    raise ImportError("jobs are Windows's")

EXTENDED_LIMITS = 9
"""`JobObjectExtendedLimitInformation`."""
ACTIVE_PROCESS, JOB_MEMORY, DIE_ON_UNHANDLED_EXCEPTION, KILL_ON_JOB_CLOSE = 0x8, 0x200, 0x400, 0x2000


class Limits(ctypes.Structure):
    """`JOBOBJECT_EXTENDED_LIMIT_INFORMATION`, its inner structures written out."""

    _fields_ = [
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("input_and_output", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_of_a_process", ctypes.c_size_t),
        ("peak", ctypes.c_size_t),
    ]


_entered: List[int] = []
"""The handle, which lives as long as this process: no child inherits it."""


def _call(name: str, *arguments: Any) -> int:
    """A function of the kernel's; 0 if it failed. Handles are as wide as pointers."""
    function = getattr(ctypes.WinDLL("kernel32"), name)
    function.restype = ctypes.c_void_p if name in ("CreateJobObjectW", "GetCurrentProcess") else ctypes.c_int
    return int(function(*arguments) or 0)


def _set(job: int, limits: Limits) -> bool:
    size = ctypes.c_uint32(ctypes.sizeof(limits))
    return bool(_call("SetInformationJobObject", ctypes.c_void_p(job), EXTENDED_LIMITS, ctypes.byref(limits), size))


def enter(processes: int) -> None:
    """Once, before anything is started; `processes`: so many may live at once. Where the system refuses, all goes on without a
    job, and reports say so."""
    flags = ACTIVE_PROCESS | DIE_ON_UNHANDLED_EXCEPTION | KILL_ON_JOB_CLOSE
    job = _call("CreateJobObjectW", None, None)
    ours = ctypes.c_void_p(_call("GetCurrentProcess"))
    if (
        job
        and _set(job, Limits(flags=flags, processes=processes))
        and _call("AssignProcessToJobObject", ctypes.c_void_p(job), ours)
    ):
        _entered.append(job)


def is_entered() -> bool:
    """True if this process is in a job of its own."""
    return bool(_entered)


def bound_memory(size: int) -> None:
    """So many bytes for all of its processes together, on top of what they have taken by now."""
    for job in _entered:
        limits = Limits()
        room = ctypes.c_uint32(ctypes.sizeof(limits))
        if _call("QueryInformationJobObject", ctypes.c_void_p(job), EXTENDED_LIMITS, ctypes.byref(limits), room, None):
            limits.flags |= JOB_MEMORY
            limits.job_memory = limits.peak + size
            _set(job, limits)
