"""Does the wheel work with the oldest and the newest of what it requires, on every Python? uv makes an environment for each.

    python -m bench.installs [--python 3.13]... [--torch ==2.13.0 | --torch-of PYTHON] [--tests] [-- OPTIONS OF uv pip install]

In each of them the example of the README is built, with torch and without running anything, and Anki's own backend imports the
package. *Lowest* is the oldest release that `pyproject.toml` allows and that has a wheel for this Python. `--torch-of` leaves torch
out of the environments, and asks that of another one; `--torch` says which to install. `--tests` runs the fast tests there, too.
`-- --torch-backend cpu` takes the builds for processors. Exit status 1 if anything is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
"""What the dependencies are called here, and by uv."""
NOTES = 4
"""Notes that are shipped of the README's example, one of whose claims is false."""
EXPECTED = ("exit 1", f"{NOTES} notes", f"{NOTES} in Anki", "exit 0")
HEAD = ("Python", "dependencies", "torch", "build", "package", "Anki", "build --no-run", "fast tests")


class Wishes(NamedTuple):
    """What is asked for on the command line."""

    torch: str
    torch_of: str
    tests: bool
    options: tuple[str, ...]


def row(python: str, dependencies: str, wishes: Wishes, wheel: Path, folder: Path) -> tuple[str, ...]:
    """What came of one environment, in the columns of HEAD. Raises CalledProcessError if it cannot be made."""
    own = folder / "environment"
    run("uv", "venv", "--quiet", "--python", python, own)
    executable = own / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    asked = [] if wishes.torch_of else ["--extra", "torch", *([f"torch{wishes.torch}"] if wishes.torch else [])]
    resolution = ("--resolution", RESOLUTIONS[dependencies], "--only-binary", ":all:")
    install = ("uv", "pip", "install", "--quiet", "--python", executable)
    run(*install, *resolution, "-r", PROJECT / "pyproject.toml", *asked, *wishes.options)
    run(*install, "--no-deps", wheel)
    if wishes.tests:  # with the newest tools, and all else as it is
        run(*install, "-r", PROJECT / "pyproject.toml", "--extra", "test", "--extra", "tensorboard", *wishes.options)
    version = run(executable, "-c", "import platform; print(platform.python_version())").stdout.strip()
    deckgen = executable.with_name("deckgen")
    other = ("--python", wishes.torch_of) if wishes.torch_of else ()
    for name in ("notes", "plain"):
        (folder / name).mkdir()
        (folder / name / "shapes.md").write_text(example(), "utf-8")
    built = tried(deckgen, "build", "notes", *other, cwd=folder)
    told = re.search(r"^torch ([^ ,]+)", built.stdout, re.MULTILINE)
    shipped = re.search(r"(\d+) shipped", built.stdout)
    package = folder / "build" / "notes.apkg"
    plain = tried(deckgen, "build", "plain", "--no-run", cwd=folder)
    return (
        version,
        dependencies,
        (told[1] if told else "-") + (" of another" if wishes.torch_of else ""),
        f"exit {built.returncode}",
        f"{shipped[1] if shipped else 0} notes",
        f"{imported(package, folder / 'anki')} in Anki" if package.exists() else "no package",
        f"exit {plain.returncode}",
        tests(executable) if wishes.tests else "-",
    )


def tests(executable: Path) -> str:
    """The last line of the fast tests, run on the sources."""
    ran = tried(executable, "-m", "pytest", "-q", "-n", "2", "-m", "not slow and not hostile", cwd=PROJECT)
    return ran.stdout.strip().rpartition("\n")[2]


def example() -> str:
    """The notes of the README."""
    readme = (PROJECT / "README.md").read_text("utf-8")
    found = re.search(r"<!-- example: notes/shapes.md -->\n(`{3,})\w*\n(.*?\n)\1\n", readme, re.DOTALL)
    assert found
    return found[2]


def imported(package: Path, folder: Path) -> int:
    """How many notes Anki's own backend has of a package."""
    from anki.collection import Collection, ImportAnkiPackageRequest

    folder.mkdir()
    collection = Collection(str(folder / "collection.anki2"))
    try:
        collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(package)))
        return len(collection.find_notes(""))
    finally:
        collection.close()


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a program that must not fail."""
    return subprocess.run(command, check=True, capture_output=True, text=True)


def tried(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program that may fail, with a cache of its own."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    own = {"XDG_CACHE_HOME": str(cwd / "cache")} if cwd != PROJECT else {}
    return subprocess.run(command, check=False, cwd=cwd, env={**variables, **own}, capture_output=True, text=True)


def table(rows: Sequence[Sequence[str]]) -> str:
    """The rows in Markdown."""
    return "\n".join(f"| {' | '.join(one)} |" for one in (HEAD, ["---"] * len(HEAD), *rows))


def main() -> int:
    """Prints a row for each environment; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.installs")
    parser.add_argument("--python", action="append", help=f"a Python of uv [{', '.join(PYTHONS)}]")
    parser.add_argument("--torch", default="", help="which torch, such as ==2.13.0 [what the extra allows]")
    parser.add_argument("--torch-of", default="", help="ask the torch of this interpreter")
    parser.add_argument("--tests", action="store_true", help="run the fast tests, too")
    parser.add_argument("options", nargs="*", help="options of `uv pip install`, after --")
    asked = parser.parse_args()
    other = os.path.abspath(asked.torch_of) if asked.torch_of else ""
    wishes = Wishes(asked.torch, other, asked.tests, tuple(asked.options))
    rows = []
    with tempfile.TemporaryDirectory() as name:
        run("uv", "build", "--quiet", "--out-dir", Path(name), PROJECT)
        (wheel,) = Path(name).glob("*.whl")
        for number, (python, dependencies) in enumerate(product(asked.python or PYTHONS, RESOLUTIONS)):
            folder = Path(name, str(number))
            folder.mkdir()
            try:
                rows.append(row(python, dependencies, wishes, wheel, folder))
            except subprocess.CalledProcessError as error:
                rows.append((python, dependencies, *["-"] * 5, str(error.stderr).strip().replace("\n", " ")[-200:]))
            shutil.rmtree(folder)
    print(table(rows))
    return 0 if all(one[3:7] == EXPECTED for one in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
