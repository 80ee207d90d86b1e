"""Namespaces: the zygote's own view of processes, network, mounts and users, entered once before torch.

Inside, no process or socket of the machine can be named; the sessions' folders are a file system in memory
of bounded size; and when the zygote ends, the kernel ends whatever is left.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from typing import Any

from . import processes

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 1 << 18
MNT_DETACH = 2
SOCKET_FOLDERS = ("/run", "/var/run", "/tmp/.X11-unix")  # noqa: S108 (we hide it)
"""Where services listen on sockets with names, which neither Landlock nor seccomp can tell apart."""
SIZE = "size=2g,nr_inodes=200k,mode=700"


def works(root: str) -> bool:
    """Try everything in a process of its own."""
    if not sys.platform.startswith("linux"):
        return False
    pid = os.fork()
    if pid == 0:
        try:
            _unshare()
            inner = os.fork()
            if inner == 0:
                _furnish(root)
                os._exit(0)
            os._exit(os.waitpid(inner, 0)[1] and 1)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def enter(root: str) -> None:
    """Returns in a child that is the first process of its own world; the caller waits for it outside."""
    _unshare()
    pid = os.fork()
    if pid != 0:
        os.closerange(3, 4096)
        _, status = os.waitpid(pid, 0)
        _clear(root)
        os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
    processes.die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _furnish(root)


def _clear(root: str) -> None:
    """Whoever started us may be gone: the folder that the file system was mounted on is removed from here."""
    libc: Any = ctypes.CDLL(None, use_errno=True)
    libc.umount2(root.encode(), MNT_DETACH)
    with contextlib.suppress(OSError):
        os.rmdir(root)


def _unshare() -> None:
    uid, gid = os.getuid(), os.getgid()
    libc: Any = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEWUSER | NEWPID | NEWNET | NEWIPC | NEWNS | NEWUTS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _furnish(root: str) -> None:
    """Mounts: nothing leaks out, processes are ours only, folders for sessions are in memory."""
    _mount("none", "/", None, MS_REC | MS_PRIVATE)
    _mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    needed = [os.path.realpath(path) for path in (root, sys.prefix, sys.base_prefix, __file__, *sys.path) if path]
    for folder in SOCKET_FOLDERS:
        real = os.path.realpath(folder)
        if os.path.isdir(real) and not any(path.startswith(real + os.sep) for path in needed):
            _mount("tmpfs", real, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=1m")
    _mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, SIZE)


def _mount(source: str, target: str, kind: Any, flags: int, data: str = "") -> None:
    libc: Any = ctypes.CDLL(None, use_errno=True)
    result = libc.mount(
        source.encode(), target.encode(), kind.encode() if kind else None, ctypes.c_ulong(flags), data.encode() or None
    )
    if result != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}")
