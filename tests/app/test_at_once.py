"""Several builds at once, each a process of its own: none loses what another wrote."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import GUARD, eventually

from deckgen import files
from deckgen.app.lock import snapshots

pytestmark = pytest.mark.slow

CONFIG = 'id = 2345678901234\nname = "Deck"\n'
QUESTION = "Q: What is tensor number {0}?\nA: It is {0}, the one after the one before {0}.\n\n"
SLOW = """\
## What does it print?

```python
import os, time
open({place!r} + "/begun", "w").close()
while not os.path.exists({place!r} + "/may-end"):
    time.sleep(0.05)
print(1)  # 1
```

"""
WAITS = "deckgen: deckgen.lock: waiting for another build of this deck"


class Decks:
    """A folder of notes, and processes that build it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.notes = place / "notes"
        self.notes.mkdir(parents=True)
        (self.notes / "deck.toml").write_text(CONFIG)
        self.write(*range(5))

    def write(self, *numbers: int, slow: bool = False) -> None:
        last = SLOW.format(place=str(self.place)) if slow else ""
        files.write_whole(self.notes / "a.md", ("# Deck\n\n" + "".join(map(QUESTION.format, numbers)) + last).encode())

    def starts(self, *arguments: str) -> subprocess.Popen[str]:
        kept = {"XDG_CACHE_HOME": str(self.place / "cache"), "XDG_DATA_HOME": str(self.place / "data")}
        return subprocess.Popen(
            [sys.executable, "-m", "deckgen", *(arguments or ("build", ".", "--no-run"))],
            cwd=self.notes,
            env={**os.environ, **kept, "SOURCE_DATE_EPOCH": "1700000000"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def lock(self) -> str:
        return (self.notes / "deckgen.lock").read_text("utf-8")

    def titles(self) -> set[str]:
        """Of the notes in the package, which can be read."""
        package = self.notes / "build" / "Deck.apkg"
        return {note.title.removesuffix(" · Deck") for note in snapshots(package, package)[0].notes}

    def starts_slowly(self) -> subprocess.Popen[str]:
        """A build that is in the middle, with its notes and its lock read, and stays there until it `may_end`."""
        build = self.starts("build", ".", "--sandbox", "off", "--timeout", str(GUARD))
        assert eventually(lambda: (self.place / "begun").exists() or build.poll() is not None)
        return build

    def may_end(self) -> None:
        (self.place / "may-end").touch()


def ended(*builds: subprocess.Popen[str]) -> list[str]:
    """What each said beside its output; all of them went well."""
    said = [build.communicate(timeout=GUARD) for build in builds]
    assert [build.returncode for build in builds] == [0] * len(builds), said
    return [err for _, err in said]


def first_word(build: subprocess.Popen[str]) -> str:
    assert build.stderr is not None
    return build.stderr.readline().rstrip()


@pytest.fixture
def decks(tmp_path: Path) -> Decks:
    return Decks(tmp_path)


@pytest.fixture(scope="module")
def in_turn(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The lock that two builds leave, one after the other, with a note more before the second."""
    decks = Decks(tmp_path_factory.mktemp("in-turn"))
    ended(decks.starts())
    decks.write(*range(6))
    ended(decks.starts())
    return decks.lock


@pytest.mark.parametrize("pause", [0, 0.1, 0.2, 0.4, 0.8])
def test_a_note_that_comes_while_a_deck_is_built_is_not_lost(decks: Decks, in_turn: str, pause: float):
    first = decks.starts()
    time.sleep(pause)
    decks.write(*range(6))
    ended(first, decks.starts())
    assert decks.titles() == {f"What is tensor number {number}?" for number in range(6)}
    assert decks.lock == in_turn


def test_who_has_to_wait_is_told_and_goes_on_with_the_notes_as_they_are_then(decks: Decks):
    decks.write(*range(5), slow=True)
    slow = decks.starts_slowly()
    decks.write(*range(6), slow=True)
    quick = decks.starts()
    assert first_word(quick) == WAITS
    decks.may_end()
    ended(slow, quick)
    assert "What is tensor number 5?" in decks.titles()
    assert "number 5?" in decks.lock


def test_a_deck_that_is_being_built_for_the_first_time_is_initialised_with_its_id(decks: Decks):
    (decks.notes / "deck.toml").unlink()
    decks.write(*range(5), slow=True)
    slow = decks.starts_slowly()
    init = decks.starts("init")
    assert first_word(init) == WAITS
    decks.may_end()
    ended(slow, init)
    (identity,) = re.findall(r'deck {"id": (\d+)', decks.lock)
    assert f"id = {identity}" in (decks.notes / "deck.toml").read_text()


def test_a_build_that_is_killed_lets_the_next_one_go_on(decks: Decks):
    decks.write(*range(5), slow=True)
    slow = decks.starts_slowly()
    quick = decks.starts()
    assert first_word(quick) == WAITS
    slow.kill()
    slow.communicate()
    ended(quick)


def test_a_build_that_waits_can_be_stopped(decks: Decks):
    decks.write(*range(5), slow=True)
    slow = decks.starts_slowly()
    quick = decks.starts()
    assert first_word(quick) == WAITS
    quick.send_signal(signal.SIGTERM)
    quick.communicate(timeout=GUARD)
    assert quick.returncode == 143
    decks.may_end()
    ended(slow)


def test_who_writes_a_lock_that_nobody_holds_is_not_overwritten(decks: Decks):
    """As another user or another machine does."""
    ended(decks.starts())
    decks.write(*range(6), slow=True)
    slow = decks.starts_slowly()
    theirs = decks.lock.replace('"due": 1000', '"due": 999')
    (decks.notes / "deckgen.lock").write_text(theirs, "utf-8")
    decks.may_end()
    said = slow.communicate(timeout=GUARD)[1]
    assert slow.returncode == 2
    assert "deckgen.lock: was written by somebody else while this build ran; nothing was written" in said
    assert decks.lock == theirs


def test_nothing_is_left_beside_the_notes(decks: Decks):
    ended(decks.starts(), decks.starts())
    assert sorted(path.name for path in decks.notes.iterdir()) == ["a.md", "build", "deck.toml", "deckgen.lock"]
    assert [path.name for path in (decks.notes / "build").iterdir()] == ["Deck.apkg"]


def test_a_deck_is_built_where_nothing_can_be_held(decks: Decks):
    (decks.place / "cache").write_text("no folder")
    ended(decks.starts())


def test_two_decks_that_are_written_to_one_package_leave_a_whole_one(decks: Decks):
    other = decks.place / "other"
    shutil.copytree(decks.notes, other)
    (other / "deck.toml").write_text(CONFIG.replace("id = 2", "id = 3"))
    for place in (decks.notes, other):
        ended(decks.starts("build", str(place), "--no-run", "-o", f"{place}/build"))
    ended(*(decks.starts("build", str(place), "--no-run", "-o", "build") for place in (decks.notes, other) * 2))
    assert len(decks.titles()) == 5
