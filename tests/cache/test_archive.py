"""An archive of the cache is hostile until its seal is known, and harmless even then."""

from __future__ import annotations

import struct
import tracemalloc
import zlib

import pytest

from deckgen.cache import archive, digest
from deckgen.cache.archive import MAGIC, ArchiveError, Entry, archive_of, entries_of, is_sealed

ENTRIES = [
    Entry(kind, digest(kind, number), bytes([number]) * number) for kind in archive.TRAVELS for number in range(5)
]
MADE = archive_of(ENTRIES, b"secret")


def forged(body: bytes) -> bytes:
    """An archive by somebody who has no key."""
    return MAGIC + bytes(32) + zlib.compress(body)


def frame(kind: int, size: int, data: bytes) -> bytes:
    return struct.pack(">B32sI", kind, bytes(32), size) + data


def test_what_was_put_in_comes_out():
    assert [*entries_of(MADE)] == ENTRIES
    assert [*entries_of(archive_of([], b"secret"))] == []


def test_the_seal_is_known_by_one_of_the_keys_alone():
    assert is_sealed(MADE, [b"other", b"secret"])
    assert not is_sealed(MADE, [b"other"])
    assert not is_sealed(MADE, [])


@pytest.mark.parametrize("at", [len(MAGIC), len(MAGIC) + 31, len(MAGIC) + 40, -1])
def test_no_changed_byte_keeps_the_seal(at):
    changed = bytearray(MADE)
    changed[at] ^= 1
    assert not is_sealed(bytes(changed), [b"secret"])


def test_what_is_no_archive_is_told():
    with pytest.raises(ArchiveError, match="is no archive"):
        is_sealed(b"PK\x03\x04", [b"secret"])


@pytest.mark.parametrize("length", range(len(MAGIC) + 32, len(MADE), 7))
def test_a_cut_archive_is_never_taken_for_a_whole_one(length):
    with pytest.raises(ArchiveError, match="is cut"):
        [*entries_of(MADE[:length])]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (MAGIC + bytes(32) + b"no zlib", "is damaged"),
        (forged(frame(len(archive.TRAVELS), 0, b"")), "of a newer deckgen"),
        (forged(frame(0, archive.LARGEST_ENTRY + 1, b"")), "is damaged"),
        (forged(frame(0, 100, b"short")), "is cut"),
        (forged(b"half a head"), "is cut"),
        (forged(frame(0, 0, b"")) + b"more", "behind its end"),
        (forged(frame(0, 0, b"")) + bytes(3 << 20), "behind its end"),
    ],
)
def test_what_is_wrong_is_told(data, told):
    with pytest.raises(ArchiveError, match=told):
        [*entries_of(data)]


def test_a_bomb_takes_no_memory(monkeypatch):
    monkeypatch.setattr(archive, "LARGEST", 64 << 20)
    bomb = forged(b"".join(frame(0, 8 << 20, bytes(8 << 20)) for _ in range(12)))
    tracemalloc.start()
    with pytest.raises(ArchiveError, match="more than a cache may hold"):
        for _ in entries_of(bomb):
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 32 << 20


def test_many_small_entries_are_bounded(monkeypatch):
    monkeypatch.setattr(archive, "MOST_ENTRIES", 100)
    with pytest.raises(ArchiveError, match="too many"):
        [*entries_of(forged(frame(0, 0, b"") * 101))]
