"""`--watch`: what is saved is checked at once, what is broken is told, and nothing is left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import Command
from processes import as_from_a_terminal, eventually

from deckgen import api
from deckgen.app.watch import Watcher
from deckgen.verify.engine.workers import RUNNERS, workers_kept

TRUE = "# Sums\n\n```python\nimport torch\nprint(torch.ones(2).sum())  # tensor(2.)\n```\n"
FALSE = TRUE.replace("2.)", "3.)")
WAITS = "waiting for a change"
Watched = tuple[threading.Event, Watcher, api.Options]


class Watching:
    """`deckgen COMMAND --watch` in a process of its own, and what it has said since it was last asked."""

    def __init__(self, place: Path, *arguments: str) -> None:
        (place / "tmp").mkdir()
        folders = {"XDG_CACHE_HOME": "cache", "XDG_DATA_HOME": "data", "TMPDIR": "tmp"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "deckgen", *arguments, "--watch"],
            preexec_fn=as_from_a_terminal if os.name == "posix" else None,  # noqa: PLW1509 # no thread holds what it needs
            cwd=place,
            env=os.environ | {name: str(place / folder) for name, folder in folders.items()},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._said = ""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._said += line

    def says(self, text: str) -> str:
        """Waits until it has said this, and forgets all up to there."""
        assert eventually(lambda: text in self._said or self.process.poll() is not None, 40), self._said
        said, found, self._said = self._said.partition(text)
        assert found, said
        return said


@contextmanager
def watching(place: Path, *arguments: str) -> Iterator[Watching]:
    watched = Watching(place, *arguments)
    try:
        yield watched
    finally:
        watched.process.kill()
        watched.process.wait()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "sums.md").write_text(TRUE)
    return tmp_path


def save_by_rename(path: Path, text: str) -> None:
    """As vim, and with it many editors, do."""
    path.with_name("4913").write_text(text)
    path.with_name("4913").replace(path)


@pytest.mark.slow
def test_each_save_is_checked_and_the_watch_outlives_what_is_broken(place: Path) -> None:
    notes = place / "notes"
    with watching(place, "verify", "notes") as watched:
        assert "1 checked, 1 held" in watched.says(f"{WAITS} of 1 file in notes; Ctrl-C ends it")
        save_by_rename(notes / "sums.md", FALSE)
        watched.says("changed: notes/sums.md")
        assert "notes/sums.md:5: contradicted" in watched.says(WAITS)
        (notes / "deck.toml").write_text('exclude = ["sums.md"')
        watched.says("notes/deck.toml: not valid TOML")
        (notes / "deck.toml").write_text('exclude = ["sums.md"]')
        assert "contradicted" not in watched.says(f"{WAITS} of 0 files")
        (notes / "deck.toml").unlink()
        assert "contradicted" in watched.says(WAITS)
        (notes / "sums.md").rename(notes / "renamed.md")
        watched.says("changed: notes/renamed.md, notes/sums.md")
        assert "notes/renamed.md:5: contradicted" in watched.says(WAITS)
        (notes / "renamed.md").write_bytes(b"\x00\x01\x02" * 99)
        watched.says("deckgen: notes/renamed.md: ")
        watched.says(WAITS)
        shutil.rmtree(notes)
        watched.says("deckgen: notes: no such file or folder")
        notes.mkdir()
        (notes / "sums.md").write_text(TRUE)
        assert "1 checked, 1 held" in watched.says(f"{WAITS} of 1 file")
        save_by_rename(notes / "sums.md", FALSE)
        assert "notes/sums.md:5: contradicted" in watched.says(WAITS)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "moved"), [("build", "term/course/notes"), ("verify", "term")])
def test_notes_that_go_for_a_while_are_told_once_and_checked_when_they_are_back(
    place: Path, command: str, moved: str
) -> None:
    (place / "term" / "course").mkdir(parents=True)
    (place / "notes").rename(place / "term" / "course" / "notes")
    with watching(place, command, "term/course/notes") as watched:
        watched.says(WAITS)
        (place / moved).rename(place / "away")
        watched.says("deckgen: term/course/notes: no such file or folder")
        time.sleep(3)
        (place / "away").rename(place / moved)
        assert "no such file" not in watched.says(f"{WAITS} of 1 file")
        save_by_rename(place / "term" / "course" / "notes" / "sums.md", FALSE)
        assert "term/course/notes/sums.md:5: contradicted" in watched.says(WAITS)


@pytest.fixture
def watched(place: Path) -> Watched:
    """What is set when something changes in the notes, who sets it, and where they are."""
    told, options = threading.Event(), api.Options(paths=(str(place / "term" / "course" / "notes"),))
    (place / "term" / "course").mkdir(parents=True)
    (place / "notes").rename(place / "term" / "course" / "notes")
    watcher = Watcher(told.set)
    watcher.look_at(options)
    assert told.wait(20)  # from now on it watches
    told.clear()
    return told, watcher, options


def test_a_folder_above_that_goes_is_told(place: Path, watched: Watched) -> None:
    told, _, _ = watched
    (place / "term").rename(place / "away")
    assert told.wait(20)


def test_a_folder_that_goes_and_comes_back_before_anybody_looks_is_watched(watched: Watched) -> None:
    told, watcher, options = watched
    notes = Path(options.paths[0])
    shutil.rmtree(notes)
    notes.mkdir()  # often with the number of the one before
    time.sleep(3)
    watcher.look_at(options)
    time.sleep(3)
    told.clear()
    (notes / "sums.md").write_text(TRUE)
    assert told.wait(20)


@pytest.mark.slow
@pytest.mark.posix("there are no such signals")
def test_ctrl_c_ends_it_and_nothing_is_left(place: Path) -> None:
    with watching(place, "verify", "notes") as watched:
        watched.says(WAITS)
        (place / "notes" / "sums.md").write_text(FALSE)
        watched.says(WAITS)
        assert list((place / "tmp").iterdir())  # of workers that wait
        watched.process.send_signal(signal.SIGINT)
        watched.says("stopped; what is written is whole")
        assert watched.process.wait() == 128 + signal.SIGINT
    assert list((place / "tmp").iterdir()) == []


@pytest.mark.slow
def test_a_build_writes_its_package_anew_and_does_not_begin_again_for_the_lock_that_it_wrote(place: Path) -> None:
    with watching(place, "build", "notes") as watched:
        assert "first build, 1 notes" in watched.says(WAITS)
        (place / "notes" / "more.md").write_text(TRUE.replace("ones(2)", "ones(4)").replace("2.)", "4.)"))
        watched.says("changed: notes/more.md")  # and nothing of the lock before
        assert "1 new, 0 changed, 1 unchanged" in watched.says(WAITS)
    first = (place / "build" / "notes.apkg").read_bytes()
    assert Command(place, place)("build", "notes").returncode == 0
    assert (place / "build" / "notes.apkg").read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("verify", "notes.md"), "notes.md: no such file or folder"),
        (("verify", "-"), "standard input cannot be watched"),
        (("verify", "notes", "--format", "html"), "notes alone are watched"),
        (("verify", "--docstrings", "torch"), "notes alone are watched"),
    ],
)
def test_what_cannot_be_watched_is_told_at_once(place: Path, arguments: tuple[str, ...], why: str) -> None:
    ran = Command(place, place)(*arguments, "--watch", stdin=b"")
    assert ran.returncode == 2
    assert why in ran.stderr


@pytest.mark.own_workers
@pytest.mark.linux("workers are kept where they fork")
def test_kept_workers_import_torch_once_and_go_when_a_package_that_they_imported_is_another(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deckgen.verify.engine.fork import ForkRunner

    started: list[ForkRunner] = []

    class Counted(ForkRunner):
        def start(self) -> dict[str, object]:
            started.append(self)
            return super().start()

    package = place / "packages" / "usercustomize.py"  # which each worker imports as it starts
    package.parent.mkdir()
    package.write_text("")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setitem(RUNNERS, "fork", Counted)

    def verify() -> int:
        api.verify(api.Options(paths=(str(place / "notes"),), no_cache=True))
        return len(started)

    with workers_kept():
        once = verify()
        assert verify() == once
        package.write_text("changed = True\n")
        assert verify() > once
    assert verify() > once + 1
