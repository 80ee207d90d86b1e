"""The versions of torch and of Python for which something is so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Package = Literal["torch", "python"]
NAMES: dict[Package, str] = {"torch": "torch", "python": "Python"}
"""What people call them."""


@dataclass(frozen=True, slots=True)
class Versions:
    """A range of the versions of one package."""

    package: Package
    specifier: str
    """As in PEP 440, with `>=`, `<`, `==...*` and `!=...*` alone: `>=2.4,<2.10,!=2.6.*`."""

    def __str__(self) -> str:
        return f"{self.package}{self.specifier}"
