"""Calls to the kernel that Python has no function for: mounts and namespaces. Each raises OSError with what it was for."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from typing import Any

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
NOSUID, NODEV, NOEXEC, BIND, RECURSIVE, PRIVATE = 2, 4, 8, 0x1000, 0x4000, 1 << 18
READ_ONLY = 1
"""Of a mount's attributes; NOSUID, NODEV and NOEXEC have the same numbers there."""
DETACH = 2
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
MOUNT_SETATTR = 442
AT_FDCWD, AT_RECURSIVE = -100, 0x8000

_LIBC: Any = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None


def _insist(result: int, purpose: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), purpose)


def unshare(flags: int) -> None:
    """Namespaces of our own from here on."""
    _insist(_LIBC.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system of this kind; with BIND, a folder or file at a second place."""
    done = _LIBC.mount(
        os.fsencode(source), os.fsencode(target), kind.encode() or None, ctypes.c_ulong(flags), data.encode() or None
    )
    _insist(done, f"mount {target}")


def restrict_mount(path: str, attributes: int, recursively: bool = True) -> None:
    """Add attributes to a mount and the mounts below it (Linux 5.12)."""
    wanted = struct.pack("=4Q", attributes, 0, 0, 0)
    flags = AT_RECURSIVE if recursively else 0
    size = ctypes.c_size_t(len(wanted))
    done = _LIBC.syscall(MOUNT_SETATTR, ctypes.c_int(AT_FDCWD), os.fsencode(path), ctypes.c_uint(flags), wanted, size)
    _insist(done, f"mount_setattr {path}")


def pivot_root(path: str) -> None:
    """Make this mount the root; nothing of the old one can be reached any more."""
    os.chdir(path)
    here = b"."
    _insist(_LIBC.syscall(PIVOT_ROOT[os.uname().machine], here, here), "pivot_root")
    _insist(_LIBC.umount2(here, DETACH), "umount the old root")
    os.chdir("/")
