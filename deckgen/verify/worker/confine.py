"""Confinement: the layers around a session, made ready in the zygote, entered by each child, tested at start.

It protects the machine from a document, not the truth of a document that wants to lie about itself.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any, Dict, List, Optional, Sequence

from . import namespaces
from .landlock import Landlock, abi
from .root import OWN_FOLDERS, Root
from .seccomp import Rules, Seccomp

PR_SET_DUMPABLE = 4
CAPABILITY_VERSION_3 = 0x20080522


_LIBC: Any = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
_CAPSET: Any = _LIBC.capset if _LIBC is not None else None
_PRCTL: Any = _LIBC.prctl if _LIBC is not None else None
_HEADER = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
_NONE = (ctypes.c_uint32 * 6)()


class Confinement:
    """The layers that this machine offers."""

    def __init__(self, wanted: bool, root: Optional[Root]) -> None:
        """`root`: the root of its own that this process has entered; None where namespaces are not allowed."""
        self.root = root
        self.landlock: Optional[Landlock] = None
        self.seccomp: Optional[Seccomp] = None
        self.with_loopback: Optional[Seccomp] = None
        """The filter of a session that has a network of its own."""
        if wanted:
            version = abi()
            self.landlock = Landlock(version) if version else None
            self.filter_calls()

    def filter_calls(self) -> None:
        """Make the filters that fit the other layers."""
        if Seccomp.is_there():
            version = self.landlock.version if self.landlock else 0
            own_root = self.root is not None
            rules = Rules(signals_are_guarded=version >= 6, own_root=own_root)
            self.seccomp = Seccomp(rules)
            self.with_loopback = Seccomp(rules._replace(loopback=True)) if own_root else None

    def separate(self, loopback: bool) -> None:
        """In the child, before its folder is made: folders in memory that nobody else sees."""
        if self.root is not None:
            namespaces.enter_session(self.root, loopback)

    def ready(self, folder: str, loopback: bool = False) -> int:
        """A set of Landlock rules for this folder; -1 where there is no Landlock."""
        folders: Sequence[str] = OWN_FOLDERS if self.root is not None else (folder,)
        return self.landlock.ruleset(folders, loopback and self.root is not None) if self.landlock else -1

    def enter(self, ruleset: int, loopback: bool = False) -> None:
        """In the child: from here on it has only its own folders, and cannot go back."""
        drop_capabilities()
        if self.landlock:
            self.landlock.restrict(ruleset)
            _set_dumpable()  # only so that it can look at itself: Landlock keeps its siblings out
        calls = (self.with_loopback if loopback else None) or self.seccomp
        if calls:
            calls.restrict()

    def dismiss(self, ruleset: int) -> None:
        if ruleset >= 0:
            os.close(ruleset)

    def probe(self) -> None:
        """Enter in a process of its own; layers that the kernel refuses after all are taken out."""
        if self.landlock is not None and not _survives(self._restrict_files):
            self.landlock = None
            self.filter_calls()
        if self.seccomp is not None and not _survives(self.seccomp.restrict):
            self.seccomp = self.with_loopback = None

    def _restrict_files(self) -> None:
        if self.landlock is not None:
            self.landlock.restrict(self.ready("/"))

    def layers(self) -> List[str]:
        found = [f"landlock{self.landlock.version}"] if self.landlock else []
        found += ["seccomp"] if self.seccomp else []
        found += ["namespaces"] if self.root is not None else []
        return [*found, "rlimits"]


def _survives(act: Any) -> bool:
    pid = os.fork()
    if pid == 0:
        try:
            act()
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


def report(confinement: Confinement, leaks: List[str]) -> Dict[str, Any]:
    """The level in force, for every report; forbidden acts that went through are named."""
    level = "+".join(confinement.layers())
    if leaks:
        level += f" (open: {', '.join(leaks)})"
    complete = confinement.landlock is not None and confinement.seccomp is not None and not leaks
    return {"sandbox": level, "complete": complete}
