"""Confinement: the layers around a session, made ready in the zygote, entered by each child, tested at start.

It protects the machine from a document, not the truth of a document that wants to lie about itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from .landlock import Landlock, abi
from .seccomp import Seccomp

PR_SET_DUMPABLE = 4
CAPABILITY_VERSION_3 = 0x20080522


_LIBC: Any = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
_CAPSET: Any = _LIBC.capset if _LIBC is not None else None
_PRCTL: Any = _LIBC.prctl if _LIBC is not None else None
_HEADER = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
_NONE = (ctypes.c_uint32 * 6)()


class Confinement:
    """The layers that this machine offers."""

    def __init__(self, wanted: bool, namespaces: bool) -> None:
        self.namespaces = namespaces
        self.landlock: Optional[Landlock] = None
        self.seccomp: Optional[Seccomp] = None
        if wanted:
            version = abi()
            self.landlock = Landlock(version) if version else None
            unguarded = not namespaces and version < 6
            self.seccomp = Seccomp(signalling=unguarded) if Seccomp.is_there() else None

    def ready(self, folder: str) -> int:
        """A set of Landlock rules for this folder; -1 where there is no Landlock."""
        return self.landlock.ruleset(folder) if self.landlock else -1

    def enter(self, ruleset: int) -> None:
        """In the child: from here on it has only its own folder, and cannot go back."""
        drop_capabilities()
        if self.landlock:
            self.landlock.restrict(ruleset)
            _set_dumpable()  # only so that it can look at itself: Landlock keeps its siblings out
        if self.seccomp:
            self.seccomp.restrict()

    def dismiss(self, ruleset: int) -> None:
        if ruleset >= 0:
            os.close(ruleset)

    def probe(self) -> None:
        """Enter in a process of its own; layers that the kernel refuses after all are taken out."""
        for layer in ("landlock", "seccomp"):
            if getattr(self, layer) is not None and not _survives(getattr(self, layer)):
                setattr(self, layer, None)

    def layers(self) -> List[str]:
        found = [f"landlock{self.landlock.version}"] if self.landlock else []
        found += ["seccomp"] if self.seccomp else []
        found += ["namespaces"] if self.namespaces else []
        return [*found, "rlimits"]


def _survives(layer: Any) -> bool:
    pid = os.fork()
    if pid == 0:
        try:
            layer.restrict(layer.ruleset("/tmp")) if isinstance(layer, Landlock) else layer.restrict()  # noqa: S108
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def _set_dumpable() -> None:
    _PRCTL(PR_SET_DUMPABLE, 1, 0, 0, 0)


def drop_capabilities() -> None:
    """Root without the powers of root; no change for anybody else."""
    if _LIBC is not None:
        _CAPSET(_HEADER, _NONE)


# The self-test


def self_test(confinement: Confinement, root: str) -> List[str]:
    """Names of forbidden acts that succeed from inside. A session's child is what attempts them."""
    canary = os.path.join(root, "canary")
    with open(canary, "w", encoding="ascii") as file:
        file.write("secret")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0deckgen-%d" % os.getpid() if sys.platform.startswith("linux") else canary + ".socket")
    listener.listen(1)
    folder = os.path.join(root, "self-test")
    os.mkdir(folder, 0o700)
    acts = _acts(canary, listener.getsockname())
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _attempt(confinement, folder, acts, writer)
    os.close(writer)
    done = _read_all(reader, pid)
    os.close(reader)
    listener.close()
    for path in (canary, canary + ".new"):
        with contextlib.suppress(OSError):
            os.unlink(path)
    os.rmdir(folder)
    if done is None:
        return ["self-test did not finish"]
    return [name for (name, _), success in zip(acts, done) if success == ord("y")]  # noqa: B905 (Python 3.8)


def _read_all(reader: int, pid: int) -> Optional[bytes]:
    data = b""
    while not data.endswith(b"."):
        if not select.select([reader], [], [], 10)[0]:
            os.kill(pid, signal.SIGKILL)
            break
        part = os.read(reader, 64)
        if not part:
            break
        data += part
    os.waitpid(pid, 0)
    return data[:-1] if data.endswith(b".") else None


def _attempt(confinement: Confinement, folder: str, acts: Any, writer: int) -> None:
    os.setsid()
    confinement.enter(confinement.ready(folder))
    for _, act in acts:
        try:
            act()
            os.write(writer, b"y")
        except BaseException:
            os.write(writer, b"n")
    os.write(writer, b".")
    os._exit(0)


def _acts(canary: str, abstract: Any) -> List[Tuple[str, Callable[[], Any]]]:
    parent = os.getpid()
    home = os.path.expanduser("~")
    return [
        ("read outside", lambda: open(canary).read()),
        ("write outside", lambda: open(canary + ".new", "w").close()),
        ("list the home folder", lambda: os.listdir(home)),
        ("open a network socket", lambda: socket.socket(socket.AF_INET)),
        ("connect to an abstract socket", lambda: socket.socket(socket.AF_UNIX).connect(abstract)),
        ("signal the parent", lambda: os.kill(parent, 0)),
        ("read the parent's environment", lambda: open(f"/proc/{parent}/environ", "rb").read()),
    ]


def report(confinement: Confinement, leaks: List[str]) -> Dict[str, Any]:
    """The level in force, for every report; weak spots that the self-test found are said."""
    level = "+".join(confinement.layers())
    if leaks:
        level += f" (open: {', '.join(leaks)})"
    complete = confinement.landlock is not None and confinement.seccomp is not None and not leaks
    return {"sandbox": level, "complete": complete}
