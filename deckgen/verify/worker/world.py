"""The world of a worker: the folder for its sessions, a root of its own where the system allows it, and what was proven of it."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Tuple

from . import namespaces
from .confine import Confinement, report
from .root import Root
from .self_test import Outside, self_test


class World:
    """Entered before torch is imported."""

    def __init__(self, folder: str, sandbox: bool) -> None:
        """`folder`: deckgen's temporary folder on the machine. Returns in another process where namespaces are allowed."""
        self.folder = folder
        """Where sessions have their folders."""
        self.root: Optional[Root] = None
        self._sandbox = sandbox
        self._outside = Outside(folder) if sandbox and os.name == "posix" else None
        if sandbox and namespaces.works(folder):
            self.root = namespaces.enter(folder, *([self._outside.folder] if self._outside else []))
            self.folder = self.root.folder

    def guarded(self, tested: bool = True) -> Tuple[Confinement, Dict[str, Any]]:
        """The layers, and the level that reports name; `tested`: forbidden acts are attempted."""
        guard = Confinement(self._sandbox, self.root)
        guard.probe()
        if not self._sandbox:
            return guard, {"sandbox": "off", "complete": False}
        leaks = self_test(guard, self._outside, self.folder) if tested and self._outside else []
        return guard, report(guard, leaks)
