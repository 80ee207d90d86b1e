"""Other interpreters, known by what is on disk: each is started once to be asked for its path, and not again while it is the same."""

from __future__ import annotations

import os
from pathlib import Path

from deckgen import files
from deckgen.cache import Folder, digest, place
from deckgen.packages import Packages, own_first
from deckgen.surroundings import installed

LIMIT = 1 << 20
"""Bytes of what interpreters said of themselves."""


def packages_of(python: Path | None) -> Packages:
    """Everything on the path of an interpreter; None = our own. Raises EngineError if it does not start."""
    if python is None:
        return Packages.own()
    from deckgen.verify.engine.interpreter import located, look_at

    executable = located(python)
    kept = Folder(place("runs"), LIMIT)
    name = digest("interpreter", *looks_of(executable))
    path: tuple[str, ...] | None = kept.get(name, tuple[str, ...])
    if path is None:
        packages = look_at(executable, ()).packages
        kept.put(name, packages.path)
        return packages
    return Packages(path, own_first())


def looks_of(executable: str) -> tuple[object, ...]:
    """What tells an interpreter from another one in its place: its file, the one behind its links, and its `pyvenv.cfg`."""
    real = os.path.realpath(executable)
    config = Path(executable).parent.parent / "pyvenv.cfg"
    return (
        executable,
        real,
        *map(_status, (executable, real)),
        files.digest(config, files.SIZE_LIMIT),
        os.environ.get("PYTHONPATH"),
    )


def print_of(python: Path | None, packages: Packages) -> tuple[object, ...]:
    """All of an interpreter that a whole run depends on, besides what its snippets import."""
    torch = [files.digest(Path(folder, "torch", "version.py"), files.SIZE_LIMIT) for folder in packages.path]
    known = (torch, packages.in_place_of_python())
    if python is None:
        return known  # what is installed beside deckgen counts for deckgen itself (`dependency_versions`)
    from deckgen.verify.engine.interpreter import located

    return (*known, *looks_of(located(python)), *installed(packages.path))


def _status(path: str) -> tuple[int, ...]:
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
