"""Confinement: what stands around a session, made ready before it, entered by its process.

It protects the machine from a document, not the truth of a document that wants to lie about itself.
"""

from __future__ import annotations

from typing import Dict, List

from .limits import kept_by, set_limits


class Confinement:
    """What every system has: limits, and besides them nothing (`Layers` has more)."""

    is_whole = False
    """True if it has layers against all that is forbidden; the self-test says whether they hold."""

    def limit(self, limits: Dict[str, int]) -> None:
        """In the session's process: what it may take of the machine."""
        set_limits(limits)

    def separate(self, loopback: bool) -> None:
        """The same, before its folder is made: folders in memory that nobody else sees."""

    def enter(self, folder: str, loopback: bool = False) -> None:
        """The same: from here on it has only its own folders, and cannot go back."""

    def layers(self) -> List[str]:
        """Their names; `none` if there is none at all."""
        return kept_by() or ["none"]
