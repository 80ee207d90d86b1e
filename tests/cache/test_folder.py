"""A folder of the user's cache forgets rather than lies, and believes nobody else."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from deckgen.cache import Folder, digest


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "cache" / "kind")


def test_it_gives_back_what_was_written(folder):
    folder.write("abcd", b"data")
    assert folder.read("abcd") == b"data"
    assert folder.read("abce") is None


def test_only_its_owner_may_enter_it(folder):
    folder.write("abcd", b"data")
    assert folder.path.stat().st_mode & 0o077 == 0


@pytest.mark.posix("takes rights away")
@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_what_others_could_have_written_is_not_read_and_nothing_is_added(folder, mode):
    folder.write("abcd", b"data")
    folder.path.chmod(mode)
    folder.write("abce", b"data")
    assert folder.read("abcd") is None
    folder.path.chmod(0o700)
    assert (folder.read("abcd"), folder.read("abce")) == (b"data", None)


def test_a_group_that_may_share_new_folders_may_not_share_these(folder):
    before = os.umask(0o002)
    try:
        folder.write("abcd", b"data")
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o022 for path in (folder.path, folder.path / "ab")} == {0}


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:-1] + b"?"])
def test_damage_is_a_miss(folder, damage):
    folder.write("abcd", b"data")
    path = folder.path / "ab" / "cd"
    path.write_bytes(damage(path.read_bytes()))
    assert folder.read("abcd") is None


def test_it_tells_its_size_and_is_cleared(folder):
    folder.write("abcd", b"data")
    folder.write("abce", b"data")
    assert folder.size()[0] == 2
    assert folder.clear() == 2
    assert folder.size() == (0, 0)


def test_the_longest_unused_goes_first(folder):
    for index, name in enumerate(("aa1", "aa2", "aa3")):
        folder.write(name, bytes(100))
        os.utime(folder.path / "aa" / name[2:], (index, index))
    folder.trim(limit=300)
    assert [folder.read(name) is None for name in ("aa1", "aa2", "aa3")] == [True, False, False]


def test_what_a_killed_run_left_goes_too(folder):
    folder.write("aa1", b"data")
    left = folder.path / "aa" / ".new-x"
    left.write_bytes(b"half")
    os.utime(left, (1, 1))
    folder.trim()
    assert not left.exists()
    assert folder.read("aa1") == b"data"


def test_a_place_that_cannot_be_written_keeps_nothing(tmp_path):
    (tmp_path / "file").write_text("in the way")
    folder = Folder(tmp_path / "file" / "kind")
    folder.write("abcd", b"data")
    assert folder.read("abcd") is None


def test_an_entry_under_a_wrong_name_is_a_miss(folder):
    folder.write("abcd", b"one")
    folder.write("abce", b"other")
    (folder.path / "ab" / "cd").write_bytes((folder.path / "ab" / "ce").read_bytes())
    assert folder.read("abcd") is None
    assert folder.read("abce") == b"other"


def test_many_writers_at_once_leave_a_whole_entry(folder):
    writers = [threading.Thread(target=folder.write, args=("abcd", b"x" * 10_000)) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert folder.read("abcd") == b"x" * 10_000
    assert folder.size()[0] == 1


def test_names_tell_every_part_apart():
    assert len({digest("a", "b"), digest("ab"), digest(["a"], "b"), digest("b", "a")}) == 4
