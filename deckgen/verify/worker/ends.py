"""How a process ended, by the number that the system gives."""

from __future__ import annotations

import signal
from typing import Any, Dict

CRASHES = {
    0xC0000005: "SIGSEGV",  # access violation
    0xC00000FD: "SIGSEGV",  # stack overflow
    0xC000001D: "SIGILL",  # illegal instruction
    0xC0000094: "SIGFPE",  # integer division by zero
    0xC0000374: "SIGABRT",  # heap corruption
    0xC0000409: "SIGABRT",  # fail fast
}
"""Exit statuses of Windows, which has no signals, by the signal that tells the same elsewhere."""
FIRST_CRASH = 0xC0000000
"""Statuses from here on are the system's errors (`NTSTATUS`)."""


def signal_name(number: int) -> str:
    """`SIGSEGV`; `SIG40` for one of the numbers that have no name of their own.

    >>> signal_name(9), signal_name(40)
    ('SIGKILL', 'SIG40')
    """
    names = {one.value: one.name for one in signal.Signals}
    return names.get(number, f"SIG{number}")


def end_of(code: int) -> Dict[str, Any]:
    """What ended a process, given the `returncode` that `subprocess` has for it.

    >>> end_of(3), end_of(-6), end_of(0xC0000005), end_of(0xC0000135)
    ({'exit': 3}, {'signal': 'SIGABRT'}, {'signal': 'SIGSEGV'}, {'signal': '0xC0000135'})
    """
    if code < 0:
        return {"signal": signal_name(-code)}
    return {"signal": CRASHES.get(code, f"0x{code:08X}")} if code >= FIRST_CRASH else {"exit": code}
