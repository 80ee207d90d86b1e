"""Namespaces: the zygote's own view of files, processes, network and users, entered once before torch.

Inside, no process, socket or file of the machine can be named but what a session may read. Each session then gets folders
in memory of its own, and a network of its own if it asks for the loopback. When the zygote ends, the kernel ends what is left.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import sys

from . import kernel
from .root import PLACE, Root

WORLD = kernel.NEWUSER | kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1
INTERFACE = struct.Struct("=16sh14x")


def works(folder: str) -> bool:
    """Try everything in a process of its own."""
    if not sys.platform.startswith("linux"):
        return False
    os.makedirs(os.path.join(folder, PLACE), exist_ok=True)
    pid = os.fork()
    if pid == 0:
        try:
            _leave_the_world()
            inner = os.fork()
            if inner == 0:
                root = _enter_root(folder)
                enter_session(root, loopback=True)
                os._exit(0)
            os._exit(os.waitpid(inner, 0)[1] and 1)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def enter(folder: str, *besides: str) -> Root:
    """Returns in a child that is the first process of its own world; the caller waits for it outside.

    `folder`: deckgen's temporary folder, which the caller removes in the end, with what lies `besides`: whoever started
    us may be gone.
    """
    _leave_the_world()
    pid = os.fork()
    if pid != 0:
        os.closerange(3, 4096)
        _, status = os.waitpid(pid, 0)
        for one in (folder, *besides):
            shutil.rmtree(one, ignore_errors=True)
        os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
    kernel.prctl(kernel.PARENT_DEATH_SIGNAL, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return _enter_root(folder)


def enter_session(root: Root, loopback: bool) -> None:
    """In a session's process, before it is confined: folders and a network of its own, which leads nowhere else."""
    kernel.unshare(kernel.NEWNS | kernel.NEWNET)
    root.renew_own_folders()
    if loopback:
        import fcntl  # not on Windows, and most sessions do without

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            wanted = fcntl.ioctl(control, GET_FLAGS, INTERFACE.pack(b"lo", 0))
            fcntl.ioctl(control, SET_FLAGS, INTERFACE.pack(b"lo", INTERFACE.unpack(wanted)[1] | UP))


def _leave_the_world() -> None:
    """The namespace for mounts comes later, so that who stays outside can clear up."""
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(WORLD)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _enter_root(folder: str) -> Root:
    kernel.unshare(kernel.NEWNS)
    root = Root(folder)
    root.enter()
    return root
