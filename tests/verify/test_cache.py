"""The cache forgets rather than lies."""

import os
import threading
from pathlib import Path

import pytest

from deckgen.cache import Folder
from deckgen.verify.engine.cache import Cache, key


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "observations")


def files(cache: Cache) -> list[Path]:
    assert cache.folder is not None
    return [path for path in cache.folder.rglob("*") if path.is_file()]


def test_what_was_put_is_there(cache: Cache) -> None:
    cache.put(key("a"), {"x": [1, "é"]})
    assert cache.get(key("a")) == {"x": [1, "é"]}
    assert cache.get(key("b")) is None


def test_no_folder_means_no_memory() -> None:
    nothing = Cache(None)
    nothing.put(key("a"), 1)
    assert nothing.get(key("a")) is None


def test_keys_tell_every_part_apart() -> None:
    assert len({key("a", "b"), key("ab"), key(["a"], "b"), key("b", "a")}) == 4


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_damaged_entry_is_a_miss_and_can_be_replaced(cache: Cache, damage: bytes) -> None:
    cache.put(key("a"), 1)
    files(cache)[0].write_bytes(damage)
    assert cache.get(key("a")) is None
    cache.put(key("a"), 2)
    assert cache.get(key("a")) == 2


def test_an_entry_under_a_wrong_name_is_a_miss(cache: Cache) -> None:
    cache.put(key("a"), 1)
    cache.put(key("b"), 2)
    one, other = files(cache)
    one.write_bytes(other.read_bytes())
    assert sorted(str(cache.get(key(name))) for name in "ab") in (["1", "None"], ["2", "None"])


def test_the_longest_unused_goes_first(cache: Cache) -> None:
    for index, name in enumerate("abc"):
        cache.put(key(name), os.urandom(1000).hex())
        path = next(path for path in files(cache) if path.name == key(name)[2:])
        os.utime(path, (1000 + index, 1000 + index))
    assert cache.get(key("a")) is not None  # used just now
    Folder(cache.folder).trim(limit=2500)
    assert [cache.get(key(name)) is None for name in "abc"] == [False, True, False]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    blocked = Cache(tmp_path / "file" / "observations")
    blocked.put(key("a"), 1)
    assert blocked.get(key("a")) is None


def test_many_writers_at_once_leave_a_whole_entry(cache: Cache) -> None:
    writers = [threading.Thread(target=cache.put, args=(key("a"), ["x" * 10_000])) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert cache.get(key("a")) == ["x" * 10_000]
    assert len(files(cache)) == 1
