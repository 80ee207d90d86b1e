"""Environments made without a network: distributions are put into them as they are installed here, the wheel of deckgen is built anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[1]
HEADERS = (".h", ".hpp", ".cuh")
"""Two thirds of the files of torch, which nobody needs who compiles nothing."""
NO_PART = (".git", ".venv", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", "dist", "build")
"""Of a clone what is no file of the project, or is made of its files."""


def environment(folder: Path, *names: str, pip: bool = False) -> Path:
    """The interpreter of a new environment that has these distributions with all that they require, and nothing else."""
    venv.create(folder, symlinks=os.name != "nt", with_pip=pip)
    put(folder, *names)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def put(folder: Path, *names: str, without: tuple[str, ...] = ()) -> None:
    """Puts distributions into an environment as they are installed here, with what they require."""
    packages = packages_of(folder)
    for one in _with_required(names, without):
        for file in one.files or pytest.skip(f"it is not known which files {one.name} has"):
            if ".." in file.parts or file.suffix in (".pyc", *HEADERS):  # programs name their interpreter
                continue
            source, place = Path(str(file.locate())), packages / file
            _link(source, place)
            if file.suffix == ".py" and os.path.exists(compiled := cache_from_source(source)):
                _link(Path(compiled), Path(cache_from_source(place)))


def packages_of(folder: Path) -> Path:
    """Where an environment has its packages."""
    (packages,) = folder.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages")
    return packages


def _with_required(names: tuple[str, ...], without: tuple[str, ...]) -> Iterator[Distribution]:
    """Distributions and those that they require, as far as they are installed here: what is not is needed elsewhere."""
    seen, waiting = set(without), list(names)
    while waiting:
        name = waiting.pop()
        if name.lower() in seen:
            continue
        seen.add(name.lower())
        try:
            one = distribution(name)
        except PackageNotFoundError:
            if name in names:
                pytest.skip(f"{name} is not installed")
            continue
        yield one
        wanted = map(Requirement, one.requires or ())
        waiting += [each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]


def _link(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():  # two distributions may share a file
        return
    try:
        os.link(source, place)
    except OSError:  # another disk
        shutil.copy2(source, place)


def required() -> tuple[str, ...]:
    """What deckgen itself requires: the names of its dependencies."""
    import tomllib

    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    return tuple(Requirement(text).name for text in project["dependencies"])


def build(folder: Path, kind: str) -> Path:
    """The `sdist`, or the `wheel`, of a copy of the project, in `folder`."""
    source = folder / f"source-{kind}"
    shutil.copytree(PROJECT, source, ignore=shutil.ignore_patterns(*NO_PART), symlinks=True)
    return build_of(source, folder / kind, kind)


def build_of(source: Path, out: Path, kind: str) -> Path:
    """The same of a folder with the project."""
    out.mkdir()
    program = f"import setuptools.build_meta as m; print(m.build_{kind}({str(out)!r}))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=source, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return out / ran.stdout.splitlines()[-1]


def install(python: Path, wheel: Path) -> None:
    """Installs a wheel and nothing that it requires."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    pip = [sys.executable, "-m", "pip", "--python", str(python), *command[3:]]
    ran = subprocess.run(pip, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
