"""Calls to Linux that Python has no function for. Those that can fail raise OSError with what they were for."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from typing import Any, Callable

if sys.platform != "linux":
    raise ImportError("the numbers of these calls are Linux's")

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
NOSUID, NODEV, NOEXEC, BIND, RECURSIVE, PRIVATE = 2, 4, 8, 0x1000, 0x4000, 1 << 18
READ_ONLY = 1
"""Of a mount's attributes; NOSUID, NODEV and NOEXEC have the same numbers there."""
DETACH = 2
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
MOUNT_SETATTR = 442
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
PARENT_DEATH_SIGNAL, DUMPABLE, CHILD_SUBREAPER, NO_NEW_PRIVILEGES = 1, 4, 36, 38

LIBC: Any = ctypes.CDLL(None, use_errno=True)


def prctl(option: int, value: int) -> None:
    """An operation on this process."""
    LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def insist(result: int, purpose: str) -> int:
    """The result of a call; raises OSError if it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), purpose)
    return result


def succeeds(act: Callable[[], Any]) -> bool:
    """True if an act succeeds, tried in a process of its own."""
    pid = os.fork()
    if pid == 0:
        try:
            act()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def system_call(purpose: str, number: int, *arguments: Any) -> int:
    """The C library's `syscall`; whole numbers are passed as long ones."""
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return insist(int(LIBC.syscall(ctypes.c_long(number), *given)), purpose)


def unshare(flags: int) -> None:
    """Namespaces of our own from here on."""
    insist(LIBC.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system of this kind; with BIND, a folder or file at a second place."""
    paths = os.fsencode(source), os.fsencode(target)
    insist(LIBC.mount(*paths, kind.encode() or None, ctypes.c_ulong(flags), data.encode() or None), f"mount {target}")


def restrict_mount(path: str, attributes: int, recursively: bool = True) -> None:
    """Add attributes to a mount and the mounts below it (Linux 5.12)."""
    wanted = struct.pack("=4Q", attributes, 0, 0, 0)
    flags = AT_RECURSIVE if recursively else 0
    system_call(f"mount_setattr {path}", MOUNT_SETATTR, AT_FDCWD, os.fsencode(path), flags, wanted, len(wanted))


def pivot_root(path: str) -> None:
    """Make this mount the root; nothing of the old one can be reached any more."""
    os.chdir(path)
    system_call("pivot_root", PIVOT_ROOT[os.uname().machine], b".", b".")
    insist(LIBC.umount2(b".", DETACH), "umount the old root")
    os.chdir("/")
