"""A package is what is in it: the same wherever it lies, another one once it is edited."""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from deckgen.packages import MISSING, OF_PYTHON, UNKNOWN, Packages

RECORD = """../../../bin/tool,sha256={program},200
{name}-{version}.dist-info/INSTALLER,sha256={installer},4
{name}-{version}.dist-info/RECORD,,
{module}/__init__.py,sha256={content},20
{module}/__pycache__/__init__.cpython-311.pyc,,
"""


USUAL = {"version": "1.0", "content": "x", "program": "p", "installer": "pip", "compiled": "yes"}


def install(folder: Path, name: str, module: str, **changed: str) -> None:
    """A distribution as an installer leaves it; `changed`: what is not as usual."""
    for old in folder.glob(f"{name}-*"):
        shutil.rmtree(old)
    (folder / module).mkdir(parents=True, exist_ok=True)
    (folder / module / "__init__.py").touch()
    values = {**USUAL, **changed, "name": name, "module": module}
    kept = folder / f"{name}-{values['version']}.dist-info"
    kept.mkdir()
    lines = RECORD.format_map(values).splitlines(keepends=True)
    (kept / "RECORD").write_text("".join(lines if values["compiled"] == "yes" else reversed(lines[:-1])))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    return tmp_path / "site"


def what(name: str, *folders: Path) -> str:
    return Packages(tuple(map(str, folders))).what(name)


def test_a_distribution_is_known_by_its_version_and_its_files(site: Path) -> None:
    install(site, "python_tool", "tool")
    first = what("tool", site)
    assert first.startswith("python_tool-1.0 ")
    for changed in ({"version": "2.0"}, {"content": "y"}):
        install(site, "python_tool", "tool", **changed)
        assert what("tool", site) != first


@pytest.mark.parametrize("changed", [{"program": "q"}, {"installer": "uv"}, {"compiled": "no"}])
def test_where_and_by_what_it_was_installed_does_not_count(site: Path, changed: dict[str, str]) -> None:
    install(site, "python_tool", "tool")
    first = what("tool", site)
    other = site.parent / "other"
    install(other, "python_tool", "tool", **changed)
    assert what("tool", other) == first


@pytest.mark.parametrize("name", ["python-tool", "Python.Tool", "python_tool"])
def test_a_distribution_is_found_by_its_name_however_it_is_written(site: Path, name: str) -> None:
    install(site, "Python_Tool", "tool")
    assert what(name + ".dist-info", site).startswith("Python_Tool-1.0 ")
    assert what("another.dist-info", site) == MISSING


def test_a_module_is_not_that_of_a_distribution_of_its_name_that_does_not_have_it(site: Path) -> None:
    install(site, "tool", "other")
    (site / "tool.py").write_text("x = 1")
    assert "tool-1.0" not in what("tool", site)


def test_a_folder_that_several_distributions_share_is_all_of_them(site: Path) -> None:
    install(site, "one", "shared")
    install(site, "two", "shared")
    (site / "shared" / "__init__.py").unlink()
    assert {part for part in what("shared", site).split() if "-" in part} == {"one-1.0", "two-1.0"}


Edit = Callable[[Path], object]
EDITS: dict[str, Edit] = {
    "its first file": lambda package: (package / "__init__.py").write_text("x = 2"),
    "another of its files": lambda package: (package / "inner" / "deep.py").write_text("x = 2"),
    "a file more": lambda package: (package / "inner" / "more.py").write_text(""),
    "a file less": lambda package: (package / "inner" / "deep.py").unlink(),
    "a library": lambda package: (package / "native.so").write_bytes(b"2"),
}
NO_EDITS: dict[str, Edit] = {
    "its times": lambda package: os.utime(package / "__init__.py", (1, 1)),
    "a note": lambda package: (package / "README.md").write_text("2"),
    "what Python makes of it": lambda package: (package / "inner" / "deep.pyc").write_bytes(b"2"),
}


@pytest.mark.posix("makes symbolic links")
@pytest.mark.parametrize("edit", [*EDITS, *NO_EDITS])
def test_a_package_of_one_s_own_is_what_its_modules_are(site: Path, edit: str) -> None:
    (site / "mine" / "inner").mkdir(parents=True)
    for name in ("__init__.py", "inner/deep.py"):
        (site / "mine" / name).write_text("x = 1")
    (site / "mine" / "inner" / "round").symlink_to(site / "mine", target_is_directory=True)
    first = what("mine", site)
    {**EDITS, **NO_EDITS}[edit](site / "mine")
    assert (what("mine", site) == first) == (edit in NO_EDITS)


def test_the_first_folder_that_has_it_counts(site: Path) -> None:
    other = site.parent / "other"
    other.mkdir()
    (other / "mine.py").write_text("x = 1")
    second = what("mine", site, other)
    (site / "mine.py").write_text("x = 2")
    assert what("mine", site, other) == what("mine", site) != second
    (site / "mine.py").write_text("x = 1")
    assert what("mine", site, other) == second


def test_a_module_in_an_archive_is_the_archive(site: Path) -> None:
    seen = set()
    for text in ("x = 1", "x = 2"):
        with zipfile.ZipFile(site / "all.zip", "w") as archive:
            archive.writestr("mine.py", text)
        sys.path_importer_cache.clear()
        seen.add(what("mine", site / "all.zip"))
    assert len(seen - {MISSING, UNKNOWN}) == 2


def test_what_is_not_there_and_what_is_python_s_is_told() -> None:
    standard = Path(os.__file__).parent
    assert what("no_such_module", standard) == MISSING
    assert what("colorsys", standard) == OF_PYTHON


def test_what_changes_while_we_look_is_never_the_same(site: Path) -> None:
    packages = Packages((str(site),))
    (site / "mine.py").write_text("x = 1")
    os.utime(site / "mine.py", (1, 1))
    assert packages.what("mine") == UNKNOWN
    assert not Packages((str(site),)).are({"mine": UNKNOWN})


def test_what_a_finder_of_its_own_finds_is_known_by_its_place(site: Path) -> None:
    project = site.parent / "project"
    (project / "mine").mkdir(parents=True)
    (project / "mine" / "__init__.py").write_text("x = 1")
    place = str(project / "mine" / "__init__.py")
    found = Packages((str(site),)).of({"mine": place, "torch": place, "os": place, "gone": "/no/such/file.py"})
    assert set(found) == {"mine", str(project / "mine"), "gone"}
    assert Packages((str(site),)).are(found)
    (project / "mine" / "__init__.py").write_text("x = 2")
    assert not Packages((str(site),)).are(found)


def test_what_a_package_brings_along_is_known_with_it(site: Path) -> None:
    install(site, "big", "big")
    (site / "big" / "vendor").mkdir()
    (site / "big" / "vendor" / "small.py").touch()
    found = Packages((str(site),)).of({"small": str(site / "big" / "vendor" / "small.py")})
    assert {name: what.partition(" ")[0] for name, what in found.items()} == {"small": MISSING, "big": "big-1.0"}


def test_the_folders_of_pythonpath_come_first(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / "colorsys.py").touch()
    (site / "mine.py").touch()
    assert Packages.own().in_place_of_python() == {}
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}")
    own = Packages.own()
    assert own.path[:2] == (str(site), str(Path(os.__file__).parent))
    assert set(own.in_place_of_python()) == {"colorsys"}
