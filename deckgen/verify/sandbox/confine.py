"""Confinement: the layers around a session, made ready in the zygote, entered by each child, tested at start.

It protects the machine from a document, not the truth of a document that wants to lie about itself.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, Optional, Tuple

from . import kernel, root
from .landlock import Landlock, abi
from .seccomp import Rules, Seccomp
from .self_test import ForbiddenThings, self_test

CAPABILITY_VERSION_3 = 0x20080522


class Confinement:
    """The layers that this machine offers."""

    def __init__(self, wanted: bool, own: Optional[root.Root]) -> None:
        """`own`: the root that this process has entered; None where namespaces are not allowed."""
        self.root = own
        version = abi() if wanted else 0
        self.landlock = Landlock(version) if version else None
        if self.landlock is not None and not kernel.succeeds(lambda: self._restrict_files("/")):
            self.landlock = None  # the kernel refuses it after all
        self.seccomp: Dict[bool, Seccomp] = {}
        """By whether a session has a network of its own."""
        if wanted and Seccomp.is_there():
            signals_are_guarded = self.landlock is not None and self.landlock.version >= 6
            for loopback in (False, True):
                own_network = loopback and own is not None
                self.seccomp[loopback] = Seccomp(Rules(signals_are_guarded, own is not None, own_network))
            if not kernel.succeeds(self.seccomp[False].restrict):
                self.seccomp.clear()

    def separate(self, loopback: bool) -> None:
        """In the child, before its folder is made: folders in memory that nobody else sees."""
        if self.root is not None:
            root.enter_session(self.root, loopback)

    def enter(self, folder: str, loopback: bool = False) -> None:
        """In the child: from here on it has only its own folders, and cannot go back."""
        drop_capabilities()
        self._restrict_files(folder, loopback)
        if self.seccomp:
            self.seccomp[loopback].restrict()

    def _restrict_files(self, folder: str, loopback: bool = False) -> None:
        if self.landlock is not None:
            own = root.OWN_FOLDERS if self.root is not None else (folder,)
            self.landlock.restrict(own, loopback and self.root is not None)
            kernel.prctl(kernel.DUMPABLE, 1)  # only so that it can look at itself: Landlock keeps its siblings out

    def layers(self) -> List[str]:
        found = [f"landlock{self.landlock.version}"] if self.landlock else []
        found += ["seccomp"] if self.seccomp else []
        found += ["namespaces"] if self.root is not None else []
        return [*found, "rlimits"]


def drop_capabilities() -> None:
    """Root without the powers of root; no change for anybody else."""
    if kernel.LIBC is not None:
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        kernel.LIBC.capset(header, (ctypes.c_uint32 * 6)())


class World:
    """What surrounds all sessions of a worker; entered before torch is imported."""

    def __init__(self, folder: str, sandbox: bool) -> None:
        """`folder`: deckgen's temporary folder on the machine. Returns in another process where namespaces are allowed."""
        self.folder = folder
        """Where sessions have their folders."""
        self.root: Optional[root.Root] = None
        self._sandbox = sandbox
        self._outside = ForbiddenThings(folder) if sandbox and os.name == "posix" else None
        if sandbox and root.works(folder):
            self.root = root.enter(folder, *([self._outside.folder] if self._outside else []))
            self.folder = self.root.folder

    def guarded(self, tested: bool = True) -> Tuple[Confinement, Dict[str, Any]]:
        """The layers, and the level that every report names; `tested`: forbidden acts are attempted.

        The level names each act that went through. It is complete if none did.
        """
        guard = Confinement(self._sandbox, self.root)
        if not self._sandbox:
            return guard, {"sandbox": "off", "complete": False}
        leaks = self_test(guard, self._outside, self.folder) if tested and self._outside else []
        level = "+".join(guard.layers()) + (f" (open: {', '.join(leaks)})" if leaks else "")
        complete = guard.landlock is not None and bool(guard.seccomp) and not leaks
        return guard, {"sandbox": level, "complete": complete}
