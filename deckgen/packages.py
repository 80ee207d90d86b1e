"""Packages: what an interpreter would import, known by what is in it. Nothing is imported or started to know that.

A package that an installer brought is known by its version and the hashes of its files, which stand in its `RECORD`; any other
by its modules themselves. So it is the same under another path, with other times and on another machine, and another one when it
is edited. Files that a module reads while it runs, and what other processes of a session import, are not followed.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

KNOWN = sys.stdlib_module_names | {"torch", "torchgen", "functorch"}
"""Modules of Python and of torch, which are looked at once for all (`Interpreter.identity`)."""
MISSING = ""
OF_PYTHON = "python"
"""What a module of the standard library is: it changes with Python alone."""
UNKNOWN = "unknown"
"""What something is that cannot be looked at, or was changed since we began; it never counts as the same again."""
DISTRIBUTION = ".dist-info"
"""Ends the name of what is asked for by `importlib.metadata`: a distribution, whether or not it is imported."""
MODULES = (".py", ".so", ".pyd")
"""Endings of files that can be imported."""


class Packages:
    """Everything on an interpreter's path."""

    def __init__(self, path: tuple[str, ...], first: tuple[str, ...] = ()) -> None:
        """`path`: its folders in order; `first`: those of them that come before the standard library, `PYTHONPATH`."""
        self.path, self.first, self._began = path, first, time.time()
        self.what: Callable[[str], str] = cache(self._what)
        """What a name is now: of a module, of a distribution, or the absolute path of a file or a folder."""
        self._distributions, self._record, self._spec = cache(_distributions), cache(_record), cache(self._look_for)

    @classmethod
    def own(cls) -> Packages:
        """Those of a fresh process of our own interpreter; the folder of the program that runs is not among them."""
        first = own_first()
        standard = os.path.dirname(os.__file__)
        rest = sys.path[sys.path.index(standard) :] if standard in sys.path else sys.path
        return cls((*first, *rest), first)

    def has(self, name: str) -> bool:
        """True if there is such a module."""
        return self._spec(name) is not None

    def in_place_of_python(self) -> dict[str, str]:
        """Modules that are found before those of the standard library of the same name."""
        entries = (entry for folder in self.first if os.path.isdir(folder) for entry in os.listdir(folder))
        names = {entry.partition(".")[0] for entry in entries} & sys.stdlib_module_names
        return {name: self.what(name) for name in sorted(names)}

    def of(self, found: Mapping[str, str | None]) -> dict[str, str]:
        """What these are now: modules by name, each with the place where a process found it."""
        now = {}
        for name, place in found.items():
            if name in KNOWN or os.path.isabs(name):
                continue
            now[name] = self.what(name)
            if place is not None and place != _place(self._spec(name)):
                now.update(self._elsewhere(place))
        return now

    def _elsewhere(self, place: str) -> dict[str, str]:
        """What was found neither on the path nor by its name: inside another package, or by a finder of an installer's, which
        leads to a project. What is not there was made by the session."""
        for folder in self.path:
            if place.startswith(os.path.join(folder, "")):
                name = os.path.relpath(place, folder).split(os.sep)[0].partition(".")[0]
                return {name: self.what(name)}
        home = _home(place)
        return {home: self.what(home) if os.path.isfile(place) else UNKNOWN} if os.path.exists(place) else {}

    def are(self, then: Mapping[str, str]) -> bool:
        """True if all of these are now what they were."""
        return all(what != UNKNOWN and self.what(name) == what for name, what in then.items())

    def _what(self, name: str) -> str:
        if os.path.isabs(name):
            return self._content(name)
        if name.endswith(DISTRIBUTION):
            named = (self._distributions(folder).get(_even(name.removesuffix(DISTRIBUTION))) for folder in self.path)
            return next((self._kept(one) for one in named if one), MISSING)
        spec = self._spec(name)
        if spec is None:
            return MISSING
        if spec.has_location:
            home = _home(spec.origin or "")
            return next(self._owners(name, home), None) or self._content(home)
        # without a file of its own it may be in several folders, and of several distributions
        homes = [str(one) for one in spec.submodule_search_locations or ()]
        return " ".join(part for home in homes for part in [*self._owners(name, home)] or [self._content(home)])

    def _look_for(self, name: str) -> ModuleSpec | None:
        return PathFinder.find_spec(name, self.path)

    def _owners(self, name: str, home: str) -> Iterator[str]:
        """What installed a module, given its file or its folder; Python itself is one."""
        folder = os.path.dirname(home)
        if folder not in self.first and os.path.exists(os.path.join(folder, "os.py")):
            yield OF_PYTHON
            return
        its = re.compile(rb"^%s[/.]" % re.escape(name.encode("utf-8", "surrogatepass")), re.MULTILINE)
        known = self._distributions(folder)
        namesake = known.get(_even(name), "")
        for one in dict.fromkeys((namesake, *known.values())):
            if one and its.search(self._record(one)):
                yield self._kept(one)

    def _kept(self, distribution: str) -> str:
        """A distribution by its version and its files, without what differs from one place to the next: its programs, which
        name their interpreter, and what has no hash, or is of the installer."""
        if self._is_new(distribution):
            return UNKNOWN
        name = os.path.basename(distribution)
        others = (b"..", os.fsencode(name))
        lines = self._record(distribution).splitlines()
        own = sorted(line for line in lines if not line.startswith(others) and not line.endswith(b",,"))
        return f"{name.removesuffix(DISTRIBUTION)} {_digest([b' '.join(own)])}"

    def _content(self, place: str) -> str:
        """The modules in a folder, or a file; what is in a zip archive is the archive."""
        path = Path(place)
        while not path.exists() and path != path.parent:
            path = path.parent
        parts = []
        for file in _modules(path) if path.is_dir() else [path]:
            if self._is_new(file):
                return UNKNOWN
            parts += [file.relative_to(path).as_posix().encode("utf-8", "surrogateescape"), _bytes(file)]
        return _digest(parts)

    def _is_new(self, path: str | Path) -> bool:
        """True if it may be another than a session has imported."""
        try:
            return os.stat(path).st_ctime > self._began
        except OSError:
            return True


def own_first() -> tuple[str, ...]:
    """The folders of `PYTHONPATH`. One without a name is the current folder; a worker has another one."""
    return tuple(os.path.abspath(one) for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one)


def _place(spec: ModuleSpec | None) -> str | None:
    """The file of a module; the first folder of one that has none."""
    if spec is None or spec.has_location:
        return spec.origin if spec else None
    return next(iter(spec.submodule_search_locations or ()), None)


def _home(file: str) -> str:
    """All of a module: its file, or the folder of a package."""
    return os.path.dirname(file) if os.path.basename(file).startswith("__init__.") else file


def _even(name: str) -> str:
    """The name of a distribution as it is compared (PEP 503)."""
    return name.replace("-", "_").replace(".", "_").lower()


def _distributions(folder: str) -> dict[str, str]:
    """What installers have put into a folder, by name."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else ()
    kept = (name for name in names if name.endswith(DISTRIBUTION))
    return {_even(name.partition("-")[0]): os.path.join(folder, name) for name in kept}


def _record(distribution: str) -> bytes:
    return _bytes(Path(distribution, "RECORD"))


def _modules(folder: Path) -> list[Path]:
    """Every file below a folder that can be imported, each folder once."""
    seen: set[str] = set()

    def below(here: Path) -> Iterator[Path]:
        if (real := os.path.realpath(here)) in seen:
            return
        seen.add(real)
        for entry in sorted(here.iterdir()) if os.access(here, os.R_OK) else ():
            if entry.is_dir():
                yield from below(entry)
            elif entry.suffix in MODULES:
                yield entry

    return list(below(folder))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _digest(parts: list[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(b"%d " % len(part))
        found.update(part)
    return found.hexdigest()[:32]
