"""An archive of the cache: one file that carries it to another machine.

It has no paths: each entry is its kind, its name and its bytes. A seal over all of it, made with a secret, says who wrote it. What it
holds is believed unseen, as all that is kept, so nothing of it is looked at before the seal is, or its reader trusts its writer.

    deckgen cache 1 \\n | seal (32 bytes) | zlib: (kind (1 byte) | name (32 bytes) | size (4 bytes, big-endian) | bytes)...
"""

from __future__ import annotations

import hmac
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deckgen.cache import keyed

MAGIC = b"deckgen cache 1\n"
TRAVELS = ("observations", "extractions", "rendered", "times")
"""Kinds that mean something elsewhere, in the order of their numbers. A whole run is known by its place and its machine."""
LARGEST_ARCHIVE = 1 << 30
LARGEST_ENTRY = 64 << 20
LARGEST = 1 << 30
"""Bytes of an archive, of one entry, and of all of them unpacked."""
MOST_ENTRIES = 1_000_000
_HEAD = struct.Struct(">B32sI")
_SEAL = 32
_CHUNK = 1 << 20


class Entry(NamedTuple):
    """What is kept under a name."""

    kind: str
    name: str
    """64 hexadecimal digits."""
    data: bytes


class ArchiveError(ValueError):
    """What is wrong with an archive."""


def archive_of(entries: Iterable[Entry], key: bytes) -> bytes:
    """The bytes of an archive."""
    packer = zlib.compressobj(1)
    parts = []
    for kind, name, data in entries:
        head = _HEAD.pack(TRAVELS.index(kind), bytes.fromhex(name), len(data))
        parts += [packer.compress(head), packer.compress(data)]
    body = b"".join([*parts, packer.flush()])
    return MAGIC + keyed(key, MAGIC, body) + body


def is_sealed(archive: bytes, keys: Sequence[bytes]) -> bool:
    """True if it was made with one of these keys, and is as it was made. Raises ArchiveError for what is no archive."""
    if not archive.startswith(MAGIC):
        raise ArchiveError("is no archive of a cache")
    start = len(MAGIC) + _SEAL
    seal, body = archive[len(MAGIC) : start], memoryview(archive)[start:]
    return any(hmac.compare_digest(seal, keyed(key, MAGIC, body)) for key in keys)


def entries_of(archive: bytes) -> Iterator[Entry]:
    """Its entries one after the other, with no more of it in memory than one of them takes. Raises ArchiveError for what is cut,
    damaged or too large, when it comes there."""
    stream = _Stream(_blocks(memoryview(archive)[len(MAGIC) + _SEAL :]))
    for _ in range(MOST_ENTRIES):
        if stream.is_at_end():
            return
        kind, name, size = _HEAD.unpack(stream.take(_HEAD.size))
        if kind >= len(TRAVELS) or size > LARGEST_ENTRY:
            raise ArchiveError("is damaged, or of a newer deckgen")
        yield Entry(TRAVELS[kind], name.hex(), stream.take(size))
    raise ArchiveError("has too many entries")


class _Stream:
    """Blocks of bytes, read in parts of any size."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._block, self._at = blocks, b"", 0

    def is_at_end(self) -> bool:
        if self._at == len(self._block):
            self._block, self._at = next(self._blocks, b""), 0
        return not self._block

    def take(self, size: int) -> bytes:
        parts = []
        while size:
            if self.is_at_end():
                raise ArchiveError("is cut")
            parts.append(self._block[self._at : self._at + size])
            self._at += len(parts[-1])
            size -= len(parts[-1])
        return b"".join(parts)


def _blocks(body: memoryview) -> Iterator[bytes]:
    """What is packed in it, never more than a megabyte at once."""
    unpacker, total, given = zlib.decompressobj(), 0, 0
    while not unpacker.eof:
        more = unpacker.unconsumed_tail
        if not more:
            more = bytes(body[given : given + _CHUNK])
            given += len(more)
        try:
            block = unpacker.decompress(more, _CHUNK)
        except zlib.error:
            raise ArchiveError("is damaged") from None
        total += len(block)
        if total > LARGEST:
            raise ArchiveError("unpacks to more than a cache may hold")
        if block:
            yield block
        elif not more:
            raise ArchiveError("is cut")
    if unpacker.unused_data or given < len(body):
        raise ArchiveError("has something behind its end")
