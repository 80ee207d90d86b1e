"""Another distribution called `deckgen`, with a package and a command of this name: noticed at start, and the hint mends it."""

import os
import sys
import zipfile
from pathlib import Path

import pytest
from installing import environment, install, packages_of, required

FILES = {
    "deckgen/cli.py": "def main():\n    print('the other one')\n",
    "deckgen/entry.py": "",
    "deckgen-0.10.4.dist-info/METADATA": "Metadata-Version: 2.1\nName: deckgen\nVersion: 0.10.4\n",
    "deckgen-0.10.4.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "deckgen-0.10.4.dist-info/entry_points.txt": "[console_scripts]\ndeckgen = deckgen.cli:main\n",
}
"""What the other one's wheel is like: a module of the same name as one of ours, and no `__init__.py`."""


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the other distribution."""
    path = tmp_path_factory.mktemp("other") / "deckgen-0.10.4-py3-none-any.whl"
    record = "deckgen-0.10.4.dist-info/RECORD"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
        archive.writestr(record, "".join(f"{name},,\n" for name in (*FILES, record)))
    return path


def test_where_it_overwrote_ours_that_is_said_and_the_hint_mends_it(wheel, other, run, tmp_path):
    python = environment(tmp_path / "both", *required())
    install(python, wheel)
    install(python, other)
    ran = run(python.with_name("deckgen"), "--version")
    assert ran.stdout == "the other one\n"
    said, hint = ran.stderr.splitlines()
    assert said.startswith(f"deckgen: the distribution deckgen 0.10.4 is installed in {packages_of(tmp_path / 'both')}")
    assert said.endswith("it has overwritten deckgen/cli.py")
    assert run(python, "-m", "deckgen").stderr == ran.stderr

    first, second = hint.removeprefix("  hint: keep them in two environments; here: ").split(" && ")
    pip = (sys.executable, "-m", "pip", "--python", python)
    assert run(*pip, *first.split()[1:]).returncode == 0
    assert run(*pip, *second.replace("torch-deckgen", f"--no-index {wheel}").split()[1:]).returncode == 0
    ran = run(python.with_name("deckgen"), "--version")
    assert (ran.stdout.startswith("deckgen, version"), ran.stderr) == (True, "")


def test_where_ours_overwrote_it_that_is_said_too(wheel, other, run, tmp_path):
    python = environment(tmp_path / "both", *required())
    with zipfile.ZipFile(other) as archive:
        archive.extractall(packages_of(tmp_path / "both"))
    install(python, wheel)
    ran = run(python.with_name("deckgen"), "--version")
    assert ran.stdout.startswith("deckgen, version")
    assert "each may overwrite or remove files of the other\n" in ran.stderr


@pytest.fixture
def elsewhere(tmp_path: Path, other: Path) -> Path:
    """The command of an environment that has the other one alone."""
    python = environment(tmp_path / "elsewhere")
    with zipfile.ZipFile(other) as archive:
        archive.extractall(packages_of(tmp_path / "elsewhere"))
    command = python.with_name("deckgen.exe" if os.name == "nt" else "deckgen")
    command.write_text(f"#!{python}\nfrom deckgen.cli import main\nmain()\n")
    command.chmod(0o755)
    return command


@pytest.mark.parametrize("linked", [False, True])
def test_a_command_of_it_that_comes_first_on_the_path_is_noticed(linked, elsewhere, without_torch, run, tmp_path):
    folder = elsewhere.parent
    if linked:  # as pipx and uv do it
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / elsewhere.name).symlink_to(elsewhere)
    path = os.pathsep.join(map(str, (folder, without_torch.parent)))
    for command in ((without_torch.with_name("deckgen"),), (without_torch, "-m", "deckgen")):
        ran = run(*command, "--version", PATH=path)
        assert ran.stdout.startswith("deckgen, version")
        assert ran.stderr.splitlines() == [
            f"deckgen: the command {folder / elsewhere.name} is the distribution deckgen 0.10.4, and is not torch-deckgen",
            f"  hint: {without_torch} -m deckgen is this one; activate its environment, or uninstall the other",
        ]


@pytest.mark.parametrize("first", ["ours", "nothing", "another of ours", "a script"])
def test_nothing_is_said_where_nothing_is_wrong(first, elsewhere, without_torch, run, tmp_path):
    bin_of = {
        "ours": without_torch.parent,
        "nothing": tmp_path / "nothing",
        "another of ours": tmp_path / "bin",
        "a script": tmp_path / "scripts" / "bin",
    }[first]
    bin_of.mkdir(parents=True, exist_ok=True)
    if first == "another of ours":
        (bin_of / "deckgen").symlink_to(without_torch.with_name("deckgen"))
    elif first == "a script":
        (bin_of / "deckgen").write_text("#!/bin/sh\n")
    path = os.pathsep.join(map(str, (bin_of, without_torch.parent, elsewhere.parent)))
    assert run(without_torch, "-m", "deckgen", "--version", PATH=path).stderr == ""


def test_who_imports_the_package_is_told_nothing(without_torch, elsewhere, run):
    ran = run(without_torch, "-c", "from deckgen import api", PATH=str(elsewhere.parent))
    assert (ran.returncode, ran.stderr) == (0, "")
