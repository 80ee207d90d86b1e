"""Environments that deckgen makes with uv: a Python like ours with one version of torch, in the cache folder."""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from deckgen import files
from deckgen.app.options import Broken
from deckgen.cache import HALF_WRITTEN, place
from deckgen.model.errors import EngineError, UsageError
from deckgen.text.pattern import pattern

NEWEST = "newest"
BACKEND = ("--torch-backend", "cpu")
"""Builds for CPU, where the index of PyTorch has them; on other systems uv passes it over (docs.astral.sh/uv/guides/integration/pytorch)."""
BESIDE = ("numpy", "setuptools")
"""What torch needs for `numpy()` and for compiling; whoever needs more makes an environment and names it with --python."""
_VERSION = pattern(r"[0-9]{1,3}\.[0-9]{1,3}(?:\.[0-9]{1,3})?|newest")
_EXECUTABLE = Path("Scripts/python.exe") if sys.platform == "win32" else Path("bin/python")
Say = Callable[[str], None]


def parse_versions(texts: Sequence[str]) -> tuple[str, ...]:
    """`2.4,2.9,newest`, each once. Raises UsageError."""
    versions = tuple(dict.fromkeys(one.strip() for text in texts for one in text.split(",") if one.strip()))
    if wrong := next((one for one in versions if not _VERSION.fullmatch(one)), None):
        raise UsageError(
            f"`{wrong}` is no version of torch", "--torch", "such as 2.9, 2.9.1 or newest, with commas between"
        )
    return versions


def environments(versions: Sequence[str], say: Say) -> tuple[Path | Broken, ...]:
    """An interpreter with each of these versions of torch, made if it is not there; or why there is none.

    `say` is called before one is made, which takes minutes. Raises UsageError without uv.
    """
    uv = shutil.which("uv")
    if uv is None and versions:
        raise UsageError(
            "makes environments with uv, which is not there",
            "--torch",
            "pip install uv, or name interpreters with --python",
        )
    return tuple(_environment(str(uv), version, say) for version in versions)


def _environment(uv: str, version: str, say: Say) -> Path | Broken:
    try:
        exact = _newest(uv) if version == NEWEST else version
        folder = (
            _home()
            / f"torch-{exact}-cp{sys.version_info.major}{sys.version_info.minor}-{sys.platform}-{platform.machine()}"
        )
        with files.exclusive([folder], lambda path: say(f"waiting for another run that makes {path.name}")):
            if not (folder / _EXECUTABLE).exists():
                say(f"making an environment with torch {exact}: this takes minutes, once")
                _make(uv, exact, folder)
    except EngineError as error:
        return Broken(version, str(error))
    return folder / _EXECUTABLE


def _home() -> Path:
    home = place("environments")
    if home is None:
        raise EngineError("there is no home folder in which environments could be kept")
    return home


def _newest(uv: str) -> str:
    """The version that an install would choose now."""
    command = [
        "pip",
        "compile",
        "-",
        "--no-deps",
        "--no-header",
        "--no-annotate",
        "--quiet",
        *BACKEND,
        "--python",
        sys.executable,
    ]
    found = re.search(r"^torch==([0-9.]+)", _run(uv, command, "torch"), re.MULTILINE)
    if found is None:
        raise EngineError("uv does not say which torch is the newest")
    return found[1]


def _make(uv: str, version: str, folder: Path) -> None:
    """Whole, or not at all: it gets its name when torch can be imported there."""
    for abandoned in folder.parent.glob(f"{folder.name}{HALF_WRITTEN}*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    fresh = folder.with_name(f"{folder.name}{HALF_WRITTEN}{secrets.token_hex(4)}")
    torch = f"torch=={version}" if version.count(".") > 1 else f"torch=={version}.*"
    try:
        fresh.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _run(uv, ["venv", "--quiet", "--python", sys.executable, str(fresh)])
        python = str(fresh / _EXECUTABLE)
        _run(uv, ["pip", "install", "--quiet", *BACKEND, "--python", python, torch, *BESIDE])
        _run(python, ["-c", "import torch"])
        os.replace(fresh, folder)
    except OSError as error:
        raise EngineError(f"the environment cannot be written: {error.strerror}", folder.as_posix()) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _run(program: str, arguments: Sequence[str], given: str = "") -> str:
    """What a program prints. Raises EngineError with the last line of what it says if it fails."""
    ran = subprocess.run(
        [program, *arguments], input=given, capture_output=True, text=True, errors="replace", check=False
    )
    if ran.returncode:
        said = (ran.stderr or ran.stdout).strip().splitlines() or [f"exit status {ran.returncode}"]
        raise EngineError(f"`{Path(program).name} {' '.join(arguments[:2])}` failed: {said[-1].strip()[:300]}")
    return ran.stdout


def kept_environments(clear: bool = False) -> Iterator[str]:
    """The environments that were made, each with its size; or what was removed."""
    home = place("environments")
    for folder in sorted(home.iterdir()) if home and home.is_dir() else ():
        size = sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_symlink()) / 2**20
        if clear:
            shutil.rmtree(folder, ignore_errors=True)
        yield f"{'removed ' * clear}{folder}: {size:.0f} MiB"
