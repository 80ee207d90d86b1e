"""The tables of attacks once more, by a user who is nobody: most people are not root."""

import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.hostile,
    pytest.mark.slow,
    pytest.mark.linux("the fork engine is Linux's"),
    pytest.mark.skipif(
        not hasattr(os, "getuid") or os.getuid() != 0,
        reason="you are an ordinary user: test_hostile.py has just shown it",
    ),
]

NOBODY = 65534
TABLES = [Path(__file__).with_name(name) for name in ("test_hostile.py", "test_containment.py")]
PROJECT = TABLES[0].parents[2]
SAME_FOR_ALL = ("forged", "begin_after", "line_without_end", "changes_the_next", "memory", "weighed", "counts_once")
"""Parts of the names of tests about frames, states and memory, which do not depend on who runs deckgen."""

AS_NOBODY = '''
"""`python this USER PATHS -- COMMAND`: run a command as another user, who sees these paths even below closed folders.

Closed folders are replaced by empty ones, in mounts that only this process and its children see, and what is
needed of them is put back at its place. 77 = this system does not let us.
"""
import ctypes, os, sys, tempfile

at = sys.argv.index("--")
user, paths, command = int(sys.argv[1]), sys.argv[2:at], sys.argv[at + 1:]
libc = ctypes.CDLL(None, use_errno=True)
BIND, REC, PRIVATE, NEWNS = 0x1000, 0x4000, 1 << 18, 0x20000

def mount(source, target, kind, flags, data=None):
    if libc.mount(source.encode(), target.encode(), kind, ctypes.c_ulong(flags), data):
        sys.stderr.write(f"mount {target}: {os.strerror(ctypes.get_errno())}")
        sys.exit(77)

def closed_above(path):
    above = ""
    for part in path.strip("/").split("/")[:-1]:
        above += "/" + part
        if not os.stat(above).st_mode & 0o001:
            return above
    return None

hidden = {}
for path in sorted({os.path.realpath(path) for path in paths}):
    if closed_above(path):
        hidden.setdefault(closed_above(path), []).append(path)
if hidden:
    if libc.unshare(NEWNS):
        sys.stderr.write("no mounts of our own: " + os.strerror(ctypes.get_errno()))
        sys.exit(77)
    mount("none", "/", None, REC | PRIVATE)
for folder, inside in hidden.items():
    kept = []
    for path in inside:
        kept.append(tempfile.mkdtemp())
        mount(path, kept[-1], None, BIND | REC)
    mount("tmpfs", folder, b"tmpfs", 0, b"mode=755")
    for path, stage in zip(inside, kept):
        os.makedirs(path)
        mount(stage, path, None, BIND | REC)
os.setgroups([])
os.setgid(user)
os.setuid(user)
os.execvp(command[0], command)
'''


def as_nobody(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as nobody, at home in a folder that is given to him."""
    os.chown(folder, NOBODY, NOBODY)
    needed = [sys.prefix, sys.base_prefix, str(PROJECT), str(folder)]
    kept = {name: value for name, value in os.environ.items() if name not in ("HOME", "TMPDIR", "PYTEST_ADDOPTS")}
    return subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(NOBODY), *needed, "--", *command],
        capture_output=True,
        text=True,
        cwd="/",
        env={**kept, "HOME": "/nonexistent", "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not `tmp_path`, which lies in a folder that only we may enter."""
    made = Path(tempfile.mkdtemp())
    yield made
    shutil.rmtree(made)


def test_the_tables_of_attacks_hold_for_an_ordinary_user(folder: Path) -> None:
    can = as_nobody(sys.executable, "-c", "import deckgen, pytest, os; print(os.getuid())", folder=folder)
    if can.returncode == 77:
        pytest.skip(f"nobody cannot be given this interpreter: {can.stderr}")
    assert can.stdout == f"{NOBODY}\n", can.stderr
    report = folder / "report.xml"
    options = [
        "-q",
        "-k",
        "not " + " and not ".join(SAME_FOR_ALL),
        "-p",
        "no:cacheprovider",
        f"--basetemp={folder / 'tests'}",
        f"--junitxml={report}",
    ]
    ran = as_nobody(
        sys.executable, "-m", "pytest", *options, f"--rootdir={PROJECT}", f"-c{PROJECT / 'pyproject.toml'}", *map(str, TABLES),
        folder=folder,
    )  # fmt: skip
    assert report.is_file(), ran.stdout + ran.stderr
    suite = ET.parse(report).getroot()[0]
    assert (ran.returncode, suite.get("failures"), suite.get("errors"), suite.get("skipped")) == (0, "0", "0", "0"), (
        ran.stdout[-10_000:]
    )
    assert int(suite.get("tests") or 0) > 60
