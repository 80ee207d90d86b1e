"""The target interpreter: what can be known of it without importing torch."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from deckgen.model.errors import EngineError
from deckgen.text.pattern import pattern
from deckgen.verify.engine.runner import WORKER
from deckgen.verify.worker import probe

ASSIGNMENT = pattern(r"^(\w+)(?:\s*:[^=\n]+)?\s*=\s*'?([^'\n]*)'?\s*$", re.MULTILINE)
CPU_FLAGS = "avx avx2 avx512f avx512bw avx512_bf16 amx_tile fma asimd sve".split()


@dataclass(slots=True)
class Interpreter:
    """A Python with (or without) torch."""

    executable: str
    python: str
    numpy: str
    torch: str
    """`2.13.0+cpu`; empty if there is none, or if it does not say which it is."""
    has_torch: bool
    """Whether it works is known once it has been imported."""
    build: str
    """The commit that it was built from."""
    cuda_build: bool
    _modules: dict[str, bool] = field(default_factory=dict)

    @property
    def has_cuda(self) -> bool:
        """A CUDA build on a machine with an NVIDIA driver; whether it works is known once it has run."""
        return self.cuda_build and (Path("/dev/nvidiactl").exists() or sys.platform == "win32")

    def can_import(self, name: str) -> bool:
        if name not in self._modules:
            self._modules[name] = self.executable == sys.executable and probe.is_there(name)
        return self._modules[name]

    def identity(self) -> tuple[str, ...]:
        """Everything of it that an observation may depend on."""
        graphics = graphics_cards() if self.has_cuda else ()
        return (self.torch, self.build, self.python, self.numpy, platform.machine(), *cpu_capability(), *graphics)


def look_at(executable: str, modules: Iterable[str]) -> Interpreter:
    """Facts of an interpreter; raises EngineError if it does not start."""
    found = probe.facts(()) if executable == sys.executable else _ask(executable, sorted(set(modules)))
    version = dict(ASSIGNMENT.findall(found["version"]))
    return Interpreter(
        executable=executable,
        python=found["python"],
        numpy=found["numpy"],
        torch=version.get("__version__", ""),
        has_torch=found["torch"],
        build=version.get("git_version", ""),
        cuda_build=version.get("cuda", "None") not in ("None", ""),
        _modules=found["modules"],
    )


def _ask(executable: str, modules: list[str]) -> dict[str, Any]:
    command = [executable, "-c", (WORKER / "probe.py").read_text("utf-8"), "facts", json.dumps(modules)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        found: dict[str, Any] = json.loads(ran.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        words = getattr(error, "stderr", None) or getattr(error, "strerror", None) or type(error).__name__
        raise EngineError(
            f"{executable} is not a Python that starts: {str(words).strip().splitlines()[-1][:200]}",
            hint="--python takes an interpreter, such as .venv/bin/python",
        ) from error
    return found


def located(python: Path) -> str:
    """Where an interpreter is, from whatever folder it is started: `.venv/bin/python`, or a command of the PATH.

    Links are not followed: through them a virtual environment is found.
    """
    if python.parent == Path() and not python.exists():
        return shutil.which(str(python)) or str(python)
    return os.path.abspath(python)


def graphics_cards() -> tuple[str, ...]:
    """The NVIDIA cards and their driver, and which of them torch may see."""
    folder = Path("/proc/driver/nvidia")
    found = []
    for path in (folder / "version", *sorted(folder.glob("gpus/*/information"))):
        with contextlib.suppress(OSError):
            found += re.findall(r"^(?:Model|NVRM version):\s*(.+?)\s*$", path.read_text(errors="replace"), re.MULTILINE)
    return (*found, os.environ.get("CUDA_VISIBLE_DEVICES", ""))


@cache
def cpu_capability() -> tuple[str, ...]:
    """The vector units that torch chooses its kernels by (their sums differ in the last digit)."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return (platform.processor(),)
    lines = re.findall(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    flags = set(lines[0].split()) if lines else set()
    return tuple(flag for flag in CPU_FLAGS if flag in flags)
