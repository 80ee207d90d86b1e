"""What every result depends on besides the notes: deckgen's own code, and the libraries that it stands on."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def digest(*parts: object) -> str:
    """A name for these values, which must have a `repr` that tells them apart and is the same in every process."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


@cache
def tools() -> str:
    """A name for this deckgen on this Python with these libraries: any change of either is another name."""
    return digest(platform.python_version(), sys.flags.optimize, *_code(), *_installed())


def _code() -> Iterator[tuple[str, str]]:
    """By content, not by version: in a checkout the code changes without one."""
    for folder, below, names in os.walk(_PACKAGE):
        below[:] = sorted(name for name in below if name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, _PACKAGE), hashlib.sha256(file.read()).hexdigest()


def _installed() -> Iterator[str]:
    """Distributions with their versions, and other modules by name: `torch-2.13.0.dist-info`, `sitecustomize.py`."""
    for place in dict.fromkeys(sys.path):
        with_names = os.scandir(place) if os.path.isdir(place) else ()
        yield from sorted(entry.name for entry in with_names if _says_what_is_installed(entry.name))


def _says_what_is_installed(name: str) -> bool:
    return name.endswith((".dist-info", ".egg-info", ".egg-link", ".pth", ".py", ".so", ".pyd"))
