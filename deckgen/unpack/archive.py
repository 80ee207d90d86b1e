"""The archive that a package is: a zip file and the database in it, of which neither may be larger than a deck is."""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import IO, BinaryIO

import zstandard

from deckgen.model.errors import UsageError

COLLECTION_LIMIT = 256 * 2**20
"""Bytes of a collection when unpacked; more is no deck of notes."""
CONTENTS_LIMIT = 8 * 2**20
"""Bytes of a zip file's table of contents: 160,000 pictures."""
WINDOW_LIMIT = 2**25
"""Bytes that unpacking may look back, and takes; Anki packs with a sixteenth of it."""
NEWER = "collection.anki21b"
"""The collection of Anki's newer format, packed by itself once more; beside it lies an older one that only says so."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""All that Anki and its tools write; the others take memory as the file says."""
_ENCRYPTED = 1
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    zstandard.ZstdError,
    struct.error,
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
    LookupError,
)
"""What zipfile raises for files that are none, or no longer: NotImplementedError and UnicodeDecodeError among them."""


class _Sparing:
    """A file of which nobody gets more than `CONTENTS_LIMIT` at once: how long its contents are, a zip file says itself."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        most = CONTENTS_LIMIT + 1
        data = self._file.read(most if size < 0 else min(size, most))
        if len(data) == most:
            raise zipfile.BadZipFile("its table of contents is too large")
        return data


def database(file: BinaryIO, name: str, *, newer: bool = False) -> bytearray:
    """The bytes of the collection in a package; `newer` = Anki's newer format is read, too. Raises UsageError."""
    hint = "name an .apkg file or a deckgen.lock"
    found = bytearray()
    try:
        with zipfile.ZipFile(_Sparing(file)) as archive:
            members = {one.filename: one for one in archive.infolist()}
            if NEWER in members and not newer:
                again = 'export it again with "Support older Anki versions" ticked; deckgen\'s own packages always can be read'
                raise UsageError("exported in Anki's newer format, which deckgen does not read", name, again)
            packed_twice = NEWER in members
            member = members.get(NEWER) or members.get("collection.anki21") or members.get("collection.anki2")
            if member is None:
                raise UsageError("no collection in it: not an Anki package", name, hint)
            if member.compress_type not in _METHODS or member.flag_bits & _ENCRYPTED:
                raise UsageError("its collection is packed in a way that Anki never packs", name)
            with archive.open(member) as stored:
                packed = _unpacking(stored) if packed_twice else stored
                while chunk := packed.read(2**20):
                    found += chunk
                    # what the zip file says of the size is believed only if it is too large: what comes out is counted
                    if max(len(found), member.file_size) > COLLECTION_LIMIT:
                        raise UsageError(f"its collection is larger than {COLLECTION_LIMIT // 2**20} MiB", name)
    except _DAMAGED as error:
        raise UsageError(f"not an Anki package ({brief(error)})", name, hint) from None
    if not found.startswith(b"SQLite format 3\0"):
        raise UsageError("the collection in it cannot be read (not a database)", name)
    return found


def _unpacking(stored: IO[bytes]) -> IO[bytes]:
    return zstandard.ZstdDecompressor(max_window_size=WINDOW_LIMIT).stream_reader(stored, read_across_frames=True)


def brief(error: Exception) -> str:
    """What a library says of a file, which may quote it."""
    text = str(error)[:200] or type(error).__name__
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return f"{words[:100]}..." if len(words) > 100 else words
