"""Is what the notes say of some versions said of the torch, the Python and the GPUs that run them?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from deckgen.model.versions import NAMES, NO_GPU, Package, Versions
from deckgen.text.wording import counted

Installed = Mapping[Package, str]
"""The version of each package, as it says itself: `2.13.0+cpu`; of GPUs their number."""


def outside(versions: Iterable[Versions], installed: Installed) -> str | None:
    """`torch 2.9` or `no GPU`, if what is so in these versions alone need not be so here; None if it must be.

    A pre-release counts as what it becomes, and a version that cannot be read as one of those that are meant.
    """
    for one in versions:
        try:
            version = Version(installed[one.package])
        except InvalidVersion:
            continue
        if not SpecifierSet(one.specifier).contains(version.base_version):
            if one.is_of_gpus:
                return counted(version.major, "GPU") if version.major else NO_GPU
            parts = max(2, *(clause.removesuffix(".*").count(".") + 1 for clause in one.specifier.split(",")))
            return f"{NAMES[one.package]} {'.'.join(map(str, version.release[:parts]))}"
    return None
