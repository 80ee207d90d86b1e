"""The layers that Linux has against what is forbidden: each that this machine offers."""

from __future__ import annotations

import ctypes
import sys
from typing import Dict, List, Optional

from . import kernel, root
from .confine import Confinement
from .landlock import Landlock, abi
from .limits import kept_by
from .seccomp import Rules, Seccomp

if sys.platform != "linux":
    raise ImportError("these layers are Linux's")

CAPABILITY_VERSION_3 = 0x20080522


class Layers(Confinement):
    """Landlock, seccomp and namespaces, made ready before a session."""

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
        self.is_whole = self.landlock is not None and bool(self.seccomp)

    def separate(self, loopback: bool) -> None:
        if self.root is not None:
            root.enter_session(self.root, loopback)

    def enter(self, folder: str, loopback: bool = False) -> None:
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
        return [*found, *kept_by()]


def drop_capabilities() -> None:
    """Root without the powers of root; no change for anybody else."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    kernel.LIBC.capset(header, (ctypes.c_uint32 * 6)())
