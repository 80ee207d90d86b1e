"""The world of a worker's sessions: made before torch is imported, with its confinement, which is tested at start."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from .confine import Confinement
from .limits import CROWD

if sys.platform == "linux":
    from . import root
    from .layers import Layers
if sys.platform == "win32":
    from . import job
else:
    from .forbidden import ForbiddenThings
    from .self_test import self_test

if TYPE_CHECKING:
    from .root import Root

ON_WINDOWS = ["read outside", "write outside", "list the home folder", "open a network socket", "signal the parent"]
"""What nothing is against there. Elsewhere each is attempted."""


class World:
    """What surrounds all sessions of a worker; entered before torch is imported."""

    def __init__(self, folder: str, sandbox: bool) -> None:
        """`folder`: deckgen's temporary folder on the machine. Returns in another process where namespaces are allowed."""
        self.folder = folder
        """Where sessions have their folders."""
        self.root: Optional[Root] = None
        self._sandbox = sandbox
        if sys.platform == "win32":
            job.enter(CROWD)
        else:
            self._outside = ForbiddenThings(folder) if sandbox else None
        if sys.platform == "linux" and sandbox and root.works(folder):
            self.root = root.enter(folder, *([self._outside.folder] if self._outside else []))
            self.folder = self.root.folder

    def guarded(self, tested: bool = True) -> Tuple[Confinement, Dict[str, Any]]:
        """The layers, and the level that every report names; `tested`: forbidden acts are attempted.

        The level names each act that went through. It is complete if none did.
        """
        guard = self._confinement()
        if not self._sandbox:
            return guard, {"sandbox": "off", "complete": False}
        leaks = self._leaks(guard) if tested else []
        level = "+".join(guard.layers()) + (f" (open: {', '.join(leaks)})" if leaks else "")
        return guard, {"sandbox": level, "complete": guard.is_whole and not leaks}

    def _confinement(self) -> Confinement:
        if sys.platform == "linux":
            return Layers(self._sandbox, self.root)
        return Confinement()

    def _leaks(self, guard: Confinement) -> List[str]:
        if sys.platform != "win32":
            return self_test(guard, self._outside, self.folder) if self._outside else []
        return ON_WINDOWS
