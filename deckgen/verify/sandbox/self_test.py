"""The self-test: every act that the word "complete" stands against is attempted, from where a session would attempt it."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import select
import shutil
import signal
import socket
import stat
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple

from . import kernel, processes

if TYPE_CHECKING:
    from .confine import Confinement

Act = Tuple[str, Callable[[], Any]]
Identity = Optional[Tuple[int, int]]

PATIENCE = 10.0
"""Seconds that the attempts may take."""
LONGEST_PATH = 100
"""Bytes of a path that a socket can be bound to, with some room."""
SETTING = "/proc/sys/vm/overcommit_memory"
PTRACE_SEIZE, PR_GET_NO_NEW_PRIVS, IPC_RMID = 0x4206, 39, 0
SHARED_MEMORY = "/dev/shm"  # noqa: S108 (whose it is, is the question)


class ForbiddenThings:
    """Things of this machine that no session may reach: a secret, two sockets. Laid out before the sandbox is entered."""

    def __init__(self, folder: str) -> None:
        """`folder`: deckgen's temporary folder, which somebody else removes in the end."""
        self.folder = os.path.join(folder, "outside")
        if len(os.fsencode(self.folder)) > LONGEST_PATH:
            self.folder = tempfile.mkdtemp(prefix="deckgen-", dir="/tmp")
        os.makedirs(self.folder, exist_ok=True)
        self.secret = os.path.join(self.folder, "secret")
        with open(self.secret, "w", encoding="ascii") as file:
            file.write("secret")
        self.listener = self._bound(socket.SOCK_STREAM, "stream")
        self.listener.listen(1)
        self.receiver = self._bound(socket.SOCK_DGRAM, "datagram")
        self.shared_memory = _identity(SHARED_MEMORY)
        self.home = _identity(os.path.expanduser("~"))

    def _bound(self, kind: int, name: str) -> socket.socket:
        bound = socket.socket(socket.AF_UNIX, kind)
        bound.bind(os.path.join(self.folder, name))
        return bound

    def close(self) -> None:
        """Where the folder can still be seen, it is removed; elsewhere who stays outside does that."""
        self.listener.close()
        self.receiver.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def self_test(confinement: Confinement, outside: ForbiddenThings, folder: str) -> List[str]:
    """Names of forbidden acts that succeed from inside. A process like a session's attempts them.

    `folder`: where sessions have their folders.
    """
    processes.measure()
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind("\0deckgen-%d" % os.getpid() if sys.platform.startswith("linux") else os.path.join(folder, "socket"))
    abstract.listen(1)
    acts = _acts(outside, abstract.getsockname())
    reader, writer = os.pipe()
    gate, opener = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(opener)
        _attempt(confinement, os.path.join(folder, "self-test"), acts, writer, gate)
    os.close(writer)
    os.close(gate)
    done = b""
    """One letter for each act."""
    while len(done) < len(acts) and select.select([reader], [], [], PATIENCE)[0]:
        part = os.read(reader, len(acts))
        if not part:
            break
        done += part
    weighed = not sys.platform.startswith("linux") or processes.memory(pid) > 0
    os.close(opener)
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reader)
    abstract.close()
    outside.close()
    shutil.rmtree(os.path.join(folder, "self-test"), ignore_errors=True)
    if len(done) < len(acts):
        return ["the self-test did not finish"]
    leaks = [name for (name, _), success in zip(acts, done) if success == ord("y")]  # noqa: B905 (Python 3.8)
    return list(dict.fromkeys(leaks if weighed else [*leaks, "take memory in many processes"]))


def _attempt(confinement: Confinement, folder: str, acts: List[Act], writer: int, gate: int) -> None:
    """In the process that attempts; it stays until it has been weighed."""
    os.setsid()
    confinement.separate(loopback=False)
    os.makedirs(folder)
    processes.set_limits({"AS": processes.TOTAL, "FSIZE": 1 << 28})
    confinement.enter(folder)
    for _, act in acts:
        try:
            act()
            os.write(writer, b"y")
        except BaseException:
            os.write(writer, b"n")
    os.read(gate, 1)
    os._exit(0)


def _acts(outside: ForbiddenThings, abstract: Any) -> List[Act]:
    """Name and attempt; an attempt that is refused raises. Those that change the attempting process come last."""
    parent, secret, own = os.getpid(), outside.secret, os.path.abspath(__file__)
    acts: List[Act] = [
        ("read outside", lambda: os.close(os.open(secret, os.O_RDONLY))),
        ("write outside", lambda: os.close(os.open(secret + ".new", os.O_CREAT | os.O_WRONLY))),
        ("list the home folder", lambda: _list(os.path.expanduser("~"), outside.home)),
        ("open a network socket", lambda: socket.socket(socket.AF_INET)),
        ("connect to an abstract socket", lambda: socket.socket(socket.AF_UNIX).connect(abstract)),
        ("signal the parent", lambda: os.kill(parent, 0)),
    ]
    for path in (secret, own):
        acts += [
            ("change a mode outside", partial(_change_mode, path)),
            ("change a time outside", partial(_change_time, path)),
        ]
    if not sys.platform.startswith("linux"):
        return acts
    libc: Any = ctypes.CDLL(None, use_errno=True)
    stream, datagram = (os.path.join(outside.folder, name) for name in ("stream", "datagram"))
    private, core = kernel.RECURSIVE | kernel.PRIVATE, processes.resource.RLIMIT_CORE
    limit = processes.resource.prlimit
    return [
        *acts,
        *(("change an attribute outside", partial(_change_attribute, path)) for path in (secret, own)),
        ("connect to a socket with a path", lambda: socket.socket(socket.AF_UNIX).connect(stream)),
        ("send to a socket with a path", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", datagram)),
        ("send over a pair to a socket with a path", lambda: _send_over_pair(datagram)),
        ("read the parent's environment", lambda: open(f"/proc/{parent}/environ", "rb").read()),
        ("change the parent's limits", lambda: limit(parent, core, limit(parent, core))),
        ("slow the parent down", lambda: os.sched_setaffinity(parent, os.sched_getaffinity(parent))),
        ("trace the parent", lambda: _insist(libc.ptrace(PTRACE_SEIZE, parent, 0, 0) == 0)),
        ("use the machine's shared memory", lambda: _use_shared_memory(outside.shared_memory)),
        ("leave shared memory behind", lambda: _leave_shared_memory(libc)),
        ("take memory without bound", lambda: mmap.mmap(-1, processes.TOTAL + (1 << 30), flags=mmap.MAP_PRIVATE)),
        ("take memory that counts for nobody", lambda: os.close(os.memfd_create("self-test"))),
        ("take memory that counts for nobody", lambda: mmap.mmap(-1, mmap.PAGESIZE).close()),
        ("have others wait for a file", lambda: _take_lease(own)),
        ("take what is counted for the user", lambda: _insist(libc.inotify_init1(0) >= 0)),
        ("write the kernel's settings", lambda: os.close(os.open(SETTING, os.O_WRONLY))),
        ("gain powers by a program", lambda: _insist(libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)),
        ("use powers of root", lambda: os.chroot("/")),
        ("mount a file system", lambda: kernel.mount("none", "/", "", private)),
        ("make a namespace", lambda: kernel.unshare(kernel.NEWUSER)),
        ("leave the process group", lambda: _leave_group(libc)),
    ]  # fmt: skip


def _insist(succeeded: bool) -> None:
    if not succeeded:
        raise PermissionError("refused, or not the machine's")


def _change_mode(path: str) -> None:
    os.chmod(path, stat.S_IMODE(os.stat(path).st_mode))


def _change_time(path: str) -> None:
    found = os.stat(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def _change_attribute(path: str) -> None:
    os.setxattr(path, "user.deckgen", b"1")
    os.removexattr(path, "user.deckgen")


def _send_over_pair(path: str) -> None:
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        one.sendmsg([b"x"], [], 0, path)


def _list(folder: str, machines: Identity) -> None:
    """Only if it is the machine's: a root of its own has an empty one, or one with the way to Python in it."""
    os.listdir(folder)
    _insist(machines is not None and _identity(folder) == machines)


def _use_shared_memory(machines: Identity) -> None:
    """Only if it is the machine's: each session has its own where there are namespaces."""
    _insist(machines is not None and _identity(SHARED_MEMORY) == machines)
    path = f"{SHARED_MEMORY}/deckgen-self-test-{os.getpid()}"
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.unlink(path)


def _take_lease(path: str) -> None:
    import fcntl  # not on Windows

    with open(path, "rb") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def _leave_shared_memory(libc: Any) -> None:
    made = libc.shmget(0, ctypes.c_size_t(4096), 0o1600)
    _insist(made >= 0)
    libc.shmctl(made, IPC_RMID, None)


def _leave_group(libc: Any) -> None:
    """In a child, since the leader of a group cannot leave it."""

    def leave() -> None:
        libc.setsid()
        _insist(os.getpgid(0) == os.getpid())

    _insist(kernel.succeeds(leave))


def _identity(path: str) -> Identity:
    """Numbers of a folder and of its file system; None if there is no such folder."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
