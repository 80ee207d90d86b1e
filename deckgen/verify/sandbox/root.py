"""A world of its own: namespaces for files, processes, network and users, with a root made of what a session may read.

Entered once, before torch. Inside, no process, socket or file of the machine can be named but what a session may read. Each
session then gets folders in memory of its own, and a network of its own if it asks for the loopback. When the zygote ends,
the kernel ends what is left.

System, Python and packages are bound read-only; `/tmp` and `/dev/shm` are in memory and bounded; no home, no socket with
a path, no shared memory of others is there at all.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import stat
import struct
import sys
from typing import Iterable, Iterator, List, Tuple

from . import kernel
from .landlock import WRITABLE, devices, python_folders, readable

if sys.platform != "linux":
    raise ImportError("namespaces are Linux's")
import fcntl

PLACE = "root"
"""Folder on the machine on which the new root is mounted, below deckgen's temporary folder."""
TEMPORARY, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 (a session's own, in memory)
OWN_FOLDERS = (TEMPORARY, SHARED_MEMORY)
KEPT = "/.kept"
"""Where what Python needs below `/tmp` is bound a second time, for sessions that hide it by a `/tmp` of their own."""
FRAME = "mode=755,size=16m,nr_inodes=8k"
ROOM = {TEMPORARY: "size=1g,nr_inodes=100k,mode=700", SHARED_MEMORY: "size=1g,nr_inodes=10k,mode=700"}
"""What a session may keep in files in memory: a GiB for its folders, a GiB to share tensors between its processes."""
SMALL = 1 << 20
"""Bytes of a file in /etc that is copied instead of bound: a session copies the list of mounts."""
LINKS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1",
         "/dev/stderr": "/proc/self/fd/2", "/var/run": "/run", "/var/tmp": TEMPORARY}  # fmt: skip  # noqa: S108 (our own)
MOST_LINKS = 40
HIDDEN = ("kallsyms", "kcore", "keys", "key-users", "kpagecgroup", "kpagecount", "kpageflags", "pagetypeinfo",
          "slabinfo", "timer_list", "vmallocinfo")  # fmt: skip
"""Of /proc: what the kernel tells of the whole machine."""
OF_PACKAGES = ("site-packages", "dist-packages")
"""Folders that an installer fills, with nothing that somebody listens on."""
MOST_ENTRIES = 50_000
"""Files and folders that are looked through in a folder of Python's."""

WORLD = kernel.NEWUSER | kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1
INTERFACE = struct.Struct("=16sh14x")


class Root:
    """The root that sessions of one zygote see."""

    def __init__(self, folder: str) -> None:
        """`folder`: deckgen's temporary folder on the machine; below the new `/tmp` one of the same name is made."""
        self.place = os.path.join(folder, PLACE)
        self.folder = os.path.join(TEMPORARY, os.path.basename(folder))
        self.kept: List[Tuple[str, str]] = []
        """(where it is kept, where it belongs): folders below `/tmp` that Python needs."""

    def enter(self) -> None:
        """Build it and move into it; in a namespace for mounts. Raises OSError where the system does not let us."""
        kernel.mount("none", "/", "", kernel.RECURSIVE | kernel.PRIVATE)
        kernel.mount("tmpfs", self.place, "tmpfs", kernel.NOSUID | kernel.NODEV, FRAME)
        self._furnish()
        os.makedirs(self.place + "/proc")
        kernel.mount("proc", self.place + "/proc", "proc", kernel.NOSUID | kernel.NODEV | kernel.NOEXEC)
        kernel.restrict_mount(self.place + "/proc", kernel.READ_ONLY)
        for name in HIDDEN:
            if os.path.isfile(f"{self.place}/proc/{name}"):
                _cover(f"{self.place}/proc/{name}")
        for path in (*OWN_FOLDERS, "/run", "/var"):
            os.makedirs(self.place + path, exist_ok=True)
        for path, target in LINKS.items():
            os.symlink(target, self.place + path)
        kernel.restrict_mount(self.place, kernel.READ_ONLY, recursively=False)
        kernel.pivot_root(self.place)
        self.renew_own_folders()

    def renew_own_folders(self) -> None:
        """Empty folders in memory, which nobody else sees: for the zygote, then for each session anew."""
        for path in OWN_FOLDERS:
            kernel.mount("tmpfs", path, "tmpfs", kernel.NOSUID | kernel.NODEV, ROOM[path])
        os.mkdir(self.folder, 0o700)
        for kept, path in self.kept:
            _make_place(path, os.path.isdir(kept))
            kernel.mount(kept, path, "", kernel.BIND | kernel.RECURSIVE)

    def _furnish(self) -> None:
        """Bind what a session may read; where the way to it is a symbolic link on the machine, it is one here, too."""
        wanted = {*readable(), *WRITABLE, *devices(), *needed_by_python()}
        shown: List[str] = []
        for path in sorted({os.path.realpath(path) for path in wanted}):
            if os.path.exists(path) and path != "/proc" and not _is_below(path, shown):
                self._show(path)
                shown.append(path)
        for link, target in sorted({pair for path in wanted for pair in _links_on_the_way(path)}):
            if not _is_below(link, shown):
                os.makedirs(os.path.dirname(self.place + link), exist_ok=True)
                os.symlink(target, self.place + link)

    def _show(self, path: str) -> None:
        if _is_below(TEMPORARY, [path]):
            raise OSError(f"{path} holds both Python's packages and everybody's temporary files")
        place = path
        if _is_below(path, [TEMPORARY]):
            place = f"{KEPT}/{len(self.kept)}"
            self.kept.append((place, path))
        place = self.place + place
        _make_place(place, os.path.isdir(path))
        if path.startswith("/etc/") and os.path.isfile(path) and os.path.getsize(path) <= SMALL:
            _copy(path, place)
            return
        kernel.mount(path, place, "", kernel.BIND | kernel.RECURSIVE)
        attributes = kernel.READ_ONLY | kernel.NOSUID
        kernel.restrict_mount(place, attributes if path.startswith("/dev/") else attributes | kernel.NODEV)
        if not _is_below(path, ("/usr", "/dev", "/sys", "/etc")):
            for way in _ways_out(path):
                _cover(place + way[len(path) :])


def needed_by_python() -> List[str]:
    """Folders that the interpreter finds its packages in, by the names that it uses and by their real ones."""
    named = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(sys.executable), *sys.path]
    return sorted({*python_folders(), *(os.path.abspath(path) for path in named if path not in ("", "/"))})


def _cover(path: str) -> None:
    """Put nothing in the place of a file; it may have gone since it was seen."""
    try:
        kernel.mount(os.devnull, path, "", kernel.BIND)
    except OSError:
        if os.path.lexists(path):
            raise


def _ways_out(folder: str) -> Iterator[str]:
    """Sockets and pipes in a folder, for which a mount that is read-only is no hindrance."""
    seen = 0
    for above, names, files in os.walk(folder):
        names[:] = [name for name in names if name not in OF_PACKAGES]
        seen += len(names) + len(files)
        if seen > MOST_ENTRIES:
            return
        for path in (os.path.join(above, name) for name in files):
            with contextlib.suppress(OSError):  # it has gone meanwhile
                mode = os.lstat(path).st_mode
                if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
                    yield path


def _links_on_the_way(path: str) -> Iterator[Tuple[str, str]]:
    """(where it is, what it says) of each symbolic link that leads to a path; where it is has no link above it."""
    real, left, seen = "/", path.strip("/").split("/"), 0
    while left:
        part = left.pop(0)
        if part in ("", "."):
            continue
        if part == "..":
            real = os.path.dirname(real)
            continue
        here = os.path.join(real, part)
        if not os.path.islink(here) or seen > MOST_LINKS:
            real = here
            continue
        seen += 1
        target = os.readlink(here)
        yield here, target
        real = "/" if target.startswith("/") else real
        left = [*target.strip("/").split("/"), *left]


def _is_below(path: str, folders: Iterable[str]) -> bool:
    """True if one of the folders is this path or a folder above it."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _make_place(path: str, is_folder: bool) -> None:
    """What something can be mounted on."""
    os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _copy(path: str, place: str) -> None:
    with open(path, "rb") as source, open(place, "wb") as copy:
        copy.write(source.read(SMALL))
    os.chmod(place, 0o444)


# Namespaces


def works(folder: str) -> bool:
    """Try everything in a process of its own."""
    os.makedirs(os.path.join(folder, PLACE), exist_ok=True)

    def enter_everything() -> None:
        _leave_the_world()
        if not kernel.succeeds(lambda: enter_session(_enter_root(folder), loopback=True)):
            raise OSError("no root of its own")

    return kernel.succeeds(enter_everything)


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
