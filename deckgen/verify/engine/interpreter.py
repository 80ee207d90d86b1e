"""The target interpreter: what can be known of it without importing torch."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from deckgen.model.errors import EngineError
from deckgen.model.source import Source
from deckgen.model.waiting import waiting_for
from deckgen.packages import Packages, own_first
from deckgen.surroundings import hardware_key
from deckgen.text.pattern import pattern
from deckgen.verify.engine.runner import WORKER, scrubbed_environment
from deckgen.verify.worker import probe

ASSIGNMENT = pattern(r"^(\w+)(?:\s*:[^=\n]+)?\s*=\s*'?([^'\n]*)'?\s*$", re.MULTILINE)


START_TIMEOUT = 60.0
"""Seconds for an interpreter to start and to say what it is; torch is not imported for that."""
AGAIN_AFTER = 600.0
"""Seconds until one that gave no answer is asked again: a run asks more than once."""
_silent: dict[str, float] = {}
"""When those that give no answer were asked."""


@dataclass(slots=True)
class Interpreter:
    """A Python with (or without) torch."""

    executable: str
    python: str
    torch: str
    """`2.13.0+cpu`; empty if there is none, or if it does not say which it is."""
    has_torch: bool
    """Whether it works is known once it has been imported."""
    build: str
    """The text of its `version.py`: version, commit, what it was built for."""
    cuda_build: bool
    packages: Packages
    _modules: dict[str, bool] = field(default_factory=dict)

    @property
    def has_cuda(self) -> bool:
        """A CUDA build on a machine with an NVIDIA driver; whether it works is known once it has run."""
        return self.cuda_build and (Path("/dev/nvidiactl").exists() or sys.platform == "win32")

    @property
    def gpus(self) -> int:
        """How many GPUs its code sees: those of the driver, of which `CUDA_VISIBLE_DEVICES` may leave some out."""
        if not self.has_cuda:
            return 0
        seen = os.environ.get("CUDA_VISIBLE_DEVICES")
        there = len(list(Path("/dev").glob("nvidia[0-9]*"))) or 1  # Windows has no such files
        return there if seen is None else min(there, len([one for one in seen.split(",") if one.strip()]))

    def can_import(self, name: str) -> bool:
        if name not in self._modules:
            own = self.executable == sys.executable and probe.is_there(name)  # by a finder of an installer's, too
            self._modules[name] = own or self.packages.has(name)
        return self._modules[name]

    @property
    def asked(self) -> dict[str, str]:
        """The packages besides torch that it was asked about, as they are."""
        return self.packages.of(dict.fromkeys(self._modules))

    def identity(self) -> tuple[object, ...]:
        """Everything of it that every observation may depend on; what a session imports besides is kept with what it showed."""
        return (self.build, self.python, platform.machine(), *hardware_key(), self.packages.in_place_of_python())


class Facts(msgspec.Struct):
    """What an interpreter says of itself (`probe.facts`)."""

    python: str
    path: list[str]
    version: str
    torch: bool
    modules: dict[str, bool]


def look_at(executable: str, modules: Iterable[str]) -> Interpreter:
    """Facts of an interpreter; raises EngineError if it does not start, or is no Python."""
    own = executable == sys.executable
    found = Facts(**probe.facts(())) if own else _ask(executable, sorted(set(modules)))
    version = dict(ASSIGNMENT.findall(found.version))
    return Interpreter(
        executable=executable,
        python=found.python,
        torch=version.get("__version__", ""),
        has_torch=found.torch,
        build=found.version,
        cuda_build=version.get("cuda", "None") not in ("None", ""),
        packages=Packages.own() if own else Packages(tuple(found.path), own_first()),
        _modules=found.modules,
    )


def _ask(executable: str, modules: list[str]) -> Facts:
    command = [executable, "-c", (WORKER / "probe.py").read_text("utf-8"), "facts", json.dumps(modules)]
    silence = f"it gives no answer within {START_TIMEOUT:g} s"
    if time.monotonic() - _silent.get(executable, -math.inf) < AGAIN_AFTER:
        raise _is_no_python(executable, silence)
    try:
        environment = scrubbed_environment(0)  # as a worker has it
        with waiting_for(f"{executable} to say what it is, {START_TIMEOUT:g} s at most"):
            ran = subprocess.run(
                command, capture_output=True, text=True, timeout=START_TIMEOUT, check=True, env=environment
            )
    except subprocess.TimeoutExpired as error:
        _silent[executable] = time.monotonic()
        raise _is_no_python(executable, silence) from error
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        said = str(getattr(error, "stderr", None) or getattr(error, "strerror", None) or "").strip()
        raise _is_no_python(executable, said.rpartition("\n")[2][:200] or type(error).__name__) from error
    try:
        found = msgspec.convert(json.loads(ran.stdout), Facts)
        if any(b"\0" in os.fsencode(folder) for folder in found.path):
            raise ValueError("no path")
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
        raise _is_no_python(executable, "it does not answer as one") from error
    return found


def _is_no_python(executable: str, why: str) -> EngineError:
    hint = "--python takes an interpreter, such as .venv/bin/python"
    return EngineError(f"{executable} is not a Python that starts: {why}", hint=hint)


def located(python: Path) -> str:
    """Where an interpreter is, from whatever folder it is started: `.venv/bin/python`, or a command of the PATH.

    Links are not followed: through them a virtual environment is found.
    """
    if python.parent == Path() and not python.exists():
        return shutil.which(str(python)) or str(python)
    return os.path.abspath(python)


def docstrings(package: str, python: Path | None = None, timeout: float = 600) -> tuple[Source, ...]:
    """One source for each docstring of a package that shows an example, named after what it documents.

    Imports the package and its public modules in a process of their own. Raises EngineError if that fails.
    """
    command = [str(python or sys.executable), str(WORKER / "probe.py"), "docstrings", package]
    try:
        with waiting_for(f"{command[0]} to import {package}, {timeout:g} s at most"):
            answer = subprocess.run(
                command, capture_output=True, timeout=timeout, env=scrubbed_environment(0), check=False
            )
    except subprocess.TimeoutExpired as error:
        raise EngineError(f"importing {package} took longer than {timeout:g} s") from error
    if answer.returncode != 0:
        last = answer.stderr.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
        raise EngineError(f"the docstrings of {package} cannot be read: {last}", hint="is the package installed?")
    try:
        found = msgspec.convert(json.loads(answer.stdout), list[_Docstring])
    except (ValueError, RecursionError) as error:
        raise _is_no_python(command[0], "it does not answer as one") from error
    return tuple(Source(entry.name, entry.text) for entry in found)


class _Docstring(msgspec.Struct):
    name: str
    text: str
