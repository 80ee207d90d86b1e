"""The target interpreter: what can be known of it without importing torch."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
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

PROBE = """
import importlib.util, json, os, platform, re, sys
names = json.loads(sys.argv[1])
def there(name):
    try:
        return importlib.util.find_spec(name) is not None
    except Exception:
        return False
spec = importlib.util.find_spec("torch") if there("torch") else None
try:
    from importlib.metadata import version
    numpy = version("numpy")
except Exception:
    numpy = ""
path = os.path.join(os.path.dirname(spec.origin), "version.py") if spec and spec.origin else ""
text = open(path).read() if os.path.isfile(path) else ""
print(json.dumps({"python": platform.python_version(), "numpy": numpy, "version": text, "torch": bool(path),
                  "modules": {name: there(name) for name in names}}))
"""

ASSIGNMENT = pattern(r"^(\w+)(?:\s*:[^=\n]+)?\s*=\s*'?([^'\n]*)'?\s*$", re.MULTILINE)
CPU_FLAGS = ("avx", "avx2", "avx512f", "avx512bw", "avx512_bf16", "amx_tile", "fma", "asimd", "sve")


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
            own = self.executable == sys.executable
            self._modules[name] = _there(name) if own else False
        return self._modules[name]

    def identity(self) -> tuple[str, ...]:
        """Everything of it that an observation may depend on."""
        graphics = graphics_cards() if self.has_cuda else ()
        return (self.torch, self.build, self.python, self.numpy, platform.machine(), *cpu_capability(), *graphics)


def look_at(executable: str, modules: Iterable[str]) -> Interpreter:
    """Facts of an interpreter; raises EngineError if it does not start."""
    found = _own() if executable == sys.executable else _foreign(executable, sorted(set(modules)))
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


def _there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _own() -> dict[str, Any]:
    spec = importlib.util.find_spec("torch")
    text = ""
    if spec is not None and spec.origin:
        version = Path(spec.origin).with_name("version.py")
        text = version.read_text(encoding="utf-8") if version.is_file() else ""
    try:
        numpy = importlib.metadata.version("numpy")
    except importlib.metadata.PackageNotFoundError:
        numpy = ""
    installed = spec is not None and spec.origin is not None
    return {"python": platform.python_version(), "numpy": numpy, "version": text, "torch": installed, "modules": {}}


def _foreign(executable: str, modules: list[str]) -> dict[str, Any]:
    try:
        ran = subprocess.run(
            [executable, "-c", PROBE, json.dumps(modules)], capture_output=True, text=True, timeout=60, check=True
        )
        found: dict[str, Any] = json.loads(ran.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise EngineError(
            f"{executable} is not a Python that starts: {_brief(error)}",
            hint="--python takes an interpreter, such as .venv/bin/python",
        ) from error
    return found


def _brief(error: Exception) -> str:
    """The last thing that it said, and not what it was asked."""
    said = getattr(error, "stderr", None) or getattr(error, "strerror", None) or type(error).__name__
    return str(said).strip().rsplit("\n", 1)[-1][:200]


def located(python: Path) -> str:
    """Where an interpreter is, from whatever folder it is started: `.venv/bin/python`, or a command of the PATH.

    Links are not followed: through them a virtual environment is found.
    """
    if python.parent == Path() and not python.exists():
        return shutil.which(str(python)) or str(python)
    return os.path.abspath(python)


def graphics_cards() -> tuple[str, ...]:
    """The NVIDIA cards and their driver, as the driver tells them, and which of them torch may see."""
    folder = Path("/proc/driver/nvidia")
    told = []
    for path in (folder / "version", *sorted(folder.glob("gpus/*/information"))):
        with contextlib.suppress(OSError):
            told += re.findall(r"^(?:Model|NVRM version):\s*(.+?)\s*$", path.read_text(errors="replace"), re.MULTILINE)
    return (*told, os.environ.get("CUDA_VISIBLE_DEVICES", ""))


@cache
def cpu_capability() -> tuple[str, ...]:
    """The vector units that torch chooses its kernels by (their sums differ in the last digit)."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return (platform.processor(),)
    flags = set(re.findall(r"\w+", next(iter(re.findall(r"^(?:flags|Features)\s*:(.*)$", text, re.M)), "")))
    return tuple(flag for flag in CPU_FLAGS if flag in flags)
