"""A disk that is full, and a build that is killed: package and lock are whole, and nothing else is left."""

from __future__ import annotations

import ast
import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import GUARD

from deckgen import files
from deckgen.compare.package import snapshot
from deckgen.identity import parse_lock
from deckgen.model.errors import UsageError

pytestmark = pytest.mark.slow

NOTES = "# A deck of torch\n\n" + "".join(
    f"## What is tensor number {n}?\n\nIt is {n}, before {n + 1}.\n\n" for n in range(30)
)
LONGER = NOTES + "".join(f"## What is tensor number {n}?\n\nIt is {n}, before {n + 1}.\n\n" for n in range(30, 60))
WRITES = """
import os, sys
from pathlib import Path
from deckgen.cli import heeding_signals
from deckgen.files import write_together

def write(number):
    data = b"%d " % number * 200_000
    write_together([(Path("a.apkg"), data), (Path("deckgen.lock"), data[:1000])])

def stop(event, arguments):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), int(sys.argv[1]))

left = 0
with heeding_signals():
    write(0)
    left = int(sys.argv[2])
    sys.addaudithook(stop)
    write(1)
"""
"""A process that writes a package and its lock, and is stopped by a signal at a step of writing the next ones.

A step is what Python lets be audited: a file is opened, linked, given rights, renamed.
"""
FILLS = """
import ctypes, os
from pathlib import Path
from deckgen.model.errors import UsageError
from deckgen.files import write_together
mount = ctypes.CDLL(None, use_errno=True).mount
for pages in range(1, 60):
    folder = Path(f"disk-{pages}")
    folder.mkdir()
    assert mount(b"none", os.fsencode(folder), b"tmpfs", 0, b"nr_blocks=%d" % pages) == 0
    names = [folder / "a.apkg", folder / "deckgen.lock"]
    try:
        write_together([(name, b"old") for name in names])
        write_together([(name, b"new" * 30_000) for name in names])
        said = ""
    except UsageError as error:
        said = error.message
    left = sorted((path.name, path.read_bytes()[:3].decode(), path.stat().st_size) for path in folder.iterdir())
    print(repr((said, left)))
"""
"""Package and lock on disks of one page to more than enough."""


def build(folder: Path, at: int = 1_700_000_000) -> subprocess.Popen[str]:
    kept = {"XDG_CACHE_HOME": str(folder.parent / "cache"), "XDG_DATA_HOME": str(folder.parent / "data")}
    return subprocess.Popen(
        [sys.executable, "-m", "deckgen", "build", ".", "--no-run"],
        cwd=folder,
        env={**os.environ, **kept, "SOURCE_DATE_EPOCH": str(at)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def built(folder: Path) -> Path:
    """A folder with a deck of thirty notes that was built, and thirty more notes that were not."""
    folder.mkdir()
    (folder / "deck.toml").write_text('name = "Deck"\n')
    (folder / "a.md").write_text(NOTES)
    with build(folder) as first:
        assert first.wait(GUARD) == 0
    (folder / "a.md").write_text(LONGER)
    return folder


def notes(folder: Path) -> tuple[int, int]:
    """How many the package and the lock have; both are whole, and beside them is nothing else."""
    assert sorted(path.name for path in folder.iterdir()) == ["a.md", "build", "deck.toml", "deckgen.lock"]
    assert [path.name for path in (folder / "build").iterdir()] == ["Deck.apkg"]
    with (folder / "build" / "Deck.apkg").open("rb") as package:
        held = len(snapshot(package, "Deck.apkg").notes)
    return held, len(parse_lock((folder / "deckgen.lock").read_text("utf-8"), "lock", 1_800_000_000).notes)


def mounts() -> bool:
    return shutil.which("unshare") is not None and not subprocess.run(["unshare", "-rm", "true"]).returncode


@pytest.mark.posix("runs a script of a shell")
@pytest.mark.skipif(not mounts(), reason="needs a user namespace for small disks")
def test_a_full_disk_leaves_package_and_lock_as_they_were_wherever_it_is_full(tmp_path: Path):
    command = ["unshare", "-rm", sys.executable, "-c", FILLS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=GUARD, check=True)
    ways = set()
    for said, left in map(ast.literal_eval, done.stdout.splitlines()):
        whole = [("new", 90_000), ("new", 90_000)] if not said else [("old", 3), ("old", 3)] * bool(left)
        assert said in ("", "cannot be written: No space left on device")
        assert left == [(name, *what) for name, what in zip(("a.apkg", "deckgen.lock"), whole, strict=False)]
        ways.add((said, len(left)))
    assert len(ways) == 3  # nothing fitted, the old ones did, all did


@pytest.mark.posix("runs a script of a shell")
@pytest.mark.skipif(not mounts(), reason="needs a user namespace for a small disk")
def test_a_build_on_a_full_disk_leaves_what_was_there(tmp_path: Path):
    deck = built(tmp_path / "deck")
    (tmp_path / "small").mkdir()
    used = sum(-(-path.stat().st_size // 4096) for path in deck.rglob("*") if path.is_file())
    script = f"""
        mount -t tmpfs -o nr_blocks={used + 4} none ../small && cp -r . ../small && cd ../small || exit 9
        {sys.executable} -m deckgen build . --no-run
        code=$?; cp -r . ../after; exit $code
    """
    command = ["unshare", "-rm", "sh", "-c", script]
    done = subprocess.run(command, cwd=deck, capture_output=True, text=True, timeout=GUARD)
    assert (done.returncode, notes(tmp_path / "after")) == (2, (30, 30))
    assert "cannot be written: No space left on device" in done.stderr


def test_a_lock_that_cannot_take_its_place_is_told_with_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    package, lock = tmp_path / "a.apkg", tmp_path / "deckgen.lock"
    replace = os.replace

    def refuse_the_lock(old: Path, new: Path) -> None:
        if new == lock:
            raise OSError(errno.EIO, "Input/output error")
        replace(old, new)

    monkeypatch.setattr(os, "replace", refuse_the_lock)
    with pytest.raises(UsageError, match=r"deckgen.lock: cannot be written: .*a.apkg was written"):
        files.write_together([(package, b"new"), (lock, b"new")])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.apkg"]


@pytest.mark.posix("takes rights away")
def test_nothing_is_written_if_one_of_several_cannot_be(tmp_path: Path):
    package, lock = tmp_path / "a.apkg", tmp_path / "deckgen.lock"
    package.write_bytes(b"old")
    lock.write_bytes(b"old")
    lock.chmod(0o444)
    with pytest.raises(UsageError, match="is read-only"):
        files.write_together([(package, b"new"), (lock, b"new")])
    assert (package.read_bytes(), lock.read_bytes()) == (b"old", b"old")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.linux("a file that has no name yet is Linux's")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_who_is_stopped_while_it_writes_leaves_whole_files_and_nothing_else(tmp_path: Path, name: str):
    number = signal.Signals[name]
    left = []
    seen = set()
    for step in range(1, 100):
        folder = tmp_path / str(step)
        folder.mkdir()
        command = [sys.executable, "-c", WRITES, str(int(number)), str(step)]
        ended = subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL, timeout=GUARD).returncode
        package, lock = ((folder / name).read_bytes() for name in ("a.apkg", "deckgen.lock"))
        generations = (int(package.split()[0]), int(lock.split()[0]))
        assert package == b"%d " % generations[0] * 200_000
        seen.add(generations)
        left.append(len(list(folder.iterdir())) - 2)
        if ended == 0:
            break
    assert ended == 0
    assert step > 5
    # a kill may come between the first file and the second, what asks to end has to wait there
    assert seen == {(0, 0), (1, 0), (1, 1)} if name == "SIGKILL" else seen == {(0, 0), (1, 1)}
    # each of the two files has a moment between its name and its place
    assert sum(left) == (2 if name == "SIGKILL" else 0)
    assert max(left) <= 1
