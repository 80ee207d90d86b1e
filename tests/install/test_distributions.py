"""The wheel has the package and nothing else; the sdist has the project, and its wheel is the same."""

import shutil
import subprocess
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from installing import PROJECT, build, build_of

import deckgen

NOT_IN_SDIST = {"build/.gitignore"}
"""Of the repository: the folder where builds go."""


def package_files() -> set[str]:
    """The files of the package, as they stand in a wheel."""
    here = (path for path in (PROJECT / "deckgen").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(PROJECT).as_posix() for path in here}


def names_in(wheel: Path) -> set[str]:
    """The files of a wheel, without what is said of it."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that an sdist is unpacked to."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build(folder, "sdist")) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.glob("torch_deckgen-*")
    return unpacked


def test_the_wheel_has_every_file_of_the_package_and_no_other(wheel):
    assert names_in(wheel) == package_files()


def test_the_wheel_says_its_version_and_its_commands(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
        (commands,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/entry_points.txt"))
    assert Parser().parsestr(metadata)["Version"] == deckgen.__version__
    assert "deckgen = deckgen.cli:main" in commands


@pytest.mark.skipif(shutil.which("git") is None or not (PROJECT / ".git").exists(), reason="this is no repository")
def test_the_sdist_has_every_file_of_the_repository(sdist):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True)
    tracked = {name for name in listed.stdout.split("\0") if name and (PROJECT / name).exists()}
    assert sorted(name for name in tracked - NOT_IN_SDIST if not (sdist / name).exists()) == []


def test_the_wheel_of_the_sdist_is_the_same(sdist, wheel, tmp_path):
    assert names_in(build_of(sdist, tmp_path / "again", "wheel")) == names_in(wheel)
