"""Other interpreters, known by what is on disk: each is started once to be asked for its path, and not again while it is the same."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from deckgen import files
from deckgen.cache import Folder, digest, place
from deckgen.packages import Packages, own_first
from deckgen.surroundings import installed

LIMIT = 1 << 20
"""Bytes of what interpreters said of themselves."""


@dataclass(frozen=True, slots=True)
class Known:
    """An interpreter as it is now."""

    packages: Packages
    """Everything on its path."""
    looks: tuple[object, ...] = ()
    """What tells it from another one in its place: its file, the one behind its links, its `pyvenv.cfg`, and what is installed
    there. Of our own all of that counts for deckgen itself (`dependency_versions`)."""


def known(python: Path | None) -> Known:
    """What an interpreter is; None = our own. Raises EngineError if it does not start."""
    if python is None:
        return Known(Packages.own())
    from deckgen.verify.engine.interpreter import located, look_at

    executable = located(python)
    real = os.path.realpath(executable)
    config = Path(executable).parent.parent / "pyvenv.cfg"
    files_of_it = (_status(executable), _status(real), files.digest(config, files.SIZE_LIMIT))
    looks = (executable, real, *files_of_it, os.environ.get("PYTHONPATH"))
    kept = Folder(place("runs"), LIMIT)
    name = digest("interpreter", *looks)
    path: tuple[str, ...] | None = kept.get(name, tuple[str, ...])
    packages = look_at(executable, ()).packages if path is None else Packages(path, own_first())
    if path is None:
        kept.put(name, packages.path)
    return Known(packages, (*looks, *installed(packages.path)))


def print_of(one: Known) -> tuple[object, ...]:
    """All of an interpreter that a whole run depends on, besides what its snippets import."""
    torch = [files.digest(Path(folder, "torch", "version.py"), files.SIZE_LIMIT) for folder in one.packages.path]
    return torch, one.packages.in_place_of_python(), one.looks


def _status(path: str) -> tuple[int, ...]:
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
