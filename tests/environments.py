"""Environments for tests: a Python with our torch, which may say that it is another one."""

from __future__ import annotations

import site
import venv
from importlib.util import find_spec
from pathlib import Path


def environment(folder: Path, returns: int = 1, torch: str = "") -> Path:
    """A Python with our torch, in which `mylib.f()` returns that; `torch` is the version that it has by its own account."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "all.pth").write_text("\n".join(site.getsitepackages()))
    (packages / "mylib.py").write_text(f"def f():\n    return {returns}\n")
    if torch:
        _other_torch(packages / "torch", torch)
    return folder / "bin" / "python"


def _other_torch(folder: Path, version: str) -> None:
    spec = find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    real = Path(spec.origin).parent
    folder.mkdir()
    for one in real.iterdir():
        if one.name != "__pycache__":
            (folder / one.name).symlink_to(one)
    (folder / "version.py").unlink()
    said = (real / "version.py").read_text()
    (folder / "version.py").write_text(f"{said}\n__version__ = '{version}'\n")
