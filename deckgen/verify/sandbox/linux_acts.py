"""Acts that only Linux has a word for, or a way to."""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
import sys
from functools import partial
from typing import Any, List

from . import kernel
from .forbidden import DATAGRAM, SHARED_MEMORY, STREAM, Act, ForbiddenThings, Identity, identity, insist
from .limits import TOTAL

if sys.platform != "linux":
    raise ImportError("these acts are Linux's")
import fcntl
import resource

SETTING = "/proc/sys/vm/overcommit_memory"
PTRACE_SEIZE, PR_GET_NO_NEW_PRIVS, IPC_RMID = 0x4206, 39, 0


def linux_acts(outside: ForbiddenThings, parent: int, own: str) -> List[Act]:
    """Those that change the attempting process come last. `parent`: its number; `own`: a file of ours."""
    secret = outside.secret
    libc: Any = ctypes.CDLL(None, use_errno=True)
    stream, datagram = (os.path.join(outside.folder, name) for name in (STREAM, DATAGRAM))
    private, core = kernel.RECURSIVE | kernel.PRIVATE, resource.RLIMIT_CORE
    limit = resource.prlimit
    return [
        *(("change an attribute outside", partial(_change_attribute, path)) for path in (secret, own)),
        ("connect to a socket with a path", lambda: socket.socket(socket.AF_UNIX).connect(stream)),
        ("send to a socket with a path", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", datagram)),
        ("send over a pair to a socket with a path", lambda: _send_over_pair(datagram)),
        ("read the parent's environment", lambda: open(f"/proc/{parent}/environ", "rb").read()),
        ("change the parent's limits", lambda: limit(parent, core, limit(parent, core))),
        ("slow the parent down", lambda: os.sched_setaffinity(parent, os.sched_getaffinity(parent))),
        ("trace the parent", lambda: insist(libc.ptrace(PTRACE_SEIZE, parent, 0, 0) == 0)),
        ("use the machine's shared memory", lambda: _use_shared_memory(outside.shared_memory)),
        ("leave shared memory behind", lambda: _leave_shared_memory(libc)),
        ("take memory without bound", lambda: mmap.mmap(-1, TOTAL + (1 << 30), flags=mmap.MAP_PRIVATE)),
        ("take memory that counts for nobody", lambda: os.close(os.memfd_create("self-test"))),
        ("take memory that counts for nobody", lambda: mmap.mmap(-1, mmap.PAGESIZE).close()),
        ("have others wait for a file", lambda: _take_lease(own)),
        ("take what is counted for the user", lambda: insist(libc.inotify_init1(0) >= 0)),
        ("write the kernel's settings", lambda: os.close(os.open(SETTING, os.O_WRONLY))),
        ("gain powers by a program", lambda: insist(libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)),
        ("use powers of root", lambda: os.chroot("/")),
        ("mount a file system", lambda: kernel.mount("none", "/", "", private)),
        ("make a namespace", lambda: kernel.unshare(kernel.NEWUSER)),
        ("leave the process group", lambda: _leave_group(libc)),
    ]  # fmt: skip


def _change_attribute(path: str) -> None:
    os.setxattr(path, "user.deckgen", b"1")
    os.removexattr(path, "user.deckgen")


def _send_over_pair(path: str) -> None:
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        one.sendmsg([b"x"], [], 0, path)


def _use_shared_memory(machines: Identity) -> None:
    """Only if it is the machine's: each session has its own where there are namespaces."""
    insist(machines is not None and identity(SHARED_MEMORY) == machines)
    path = f"{SHARED_MEMORY}/deckgen-self-test-{os.getpid()}"
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.unlink(path)


def _take_lease(path: str) -> None:
    with open(path, "rb") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def _leave_shared_memory(libc: Any) -> None:
    made = libc.shmget(0, ctypes.c_size_t(4096), 0o1600)
    insist(made >= 0)
    libc.shmctl(made, IPC_RMID, None)


def _leave_group(libc: Any) -> None:
    """In a child, since the leader of a group cannot leave it."""

    def leave() -> None:
        libc.setsid()
        insist(os.getpgid(0) == os.getpid())

    insist(kernel.succeeds(leave))
