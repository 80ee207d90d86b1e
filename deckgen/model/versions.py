"""The versions of torch and of Python, and the number of GPUs, for which something is so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Package = Literal["torch", "python", "gpus"]
"""What a range is of. The number of GPUs is read and compared as a version is."""
NAMES: dict[Package, str] = {"torch": "torch", "python": "Python", "gpus": "GPUs"}
"""What people call them."""
NO_GPU = "no GPU"
"""What a machine without one has, where somebody asks for a range of GPUs."""


@dataclass(frozen=True, slots=True)
class Versions:
    """A range of the versions of one package, or of the number of GPUs."""

    package: Package
    specifier: str
    """As in PEP 440, with `>=`, `<`, `==...*` and `!=...*` alone: `>=2.4,<2.10,!=2.6.*`."""

    @property
    def is_of_gpus(self) -> bool:
        """True if it is about the machine, and about no version."""
        return self.package == "gpus"

    def __str__(self) -> str:
        return f"{self.package}{self.specifier}"
