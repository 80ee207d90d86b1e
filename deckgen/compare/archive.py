"""A package from anybody: a zip file, and the database in it, of which neither may be larger than a deck is."""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import BinaryIO

from deckgen.model.errors import UsageError

COLLECTION_LIMIT = 256 * 2**20
"""Bytes of a collection when unpacked; more is no deck of notes."""
CONTENTS_LIMIT = 8 * 2**20
"""Bytes of a zip file's table of contents: 160,000 pictures."""
_CHUNK = 2**20
_MEMBERS = ("collection.anki21", "collection.anki2")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""All that Anki and its tools write; the others take memory as the file says."""
_ENCRYPTED = 1
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
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


def database(file: BinaryIO, name: str) -> bytearray:
    """The bytes of the collection in a package; `name` is its path for messages.

    Raises UsageError for what is no package, and for Anki's newer format, which only Anki can read.
    """
    try:
        with zipfile.ZipFile(_Sparing(file)) as archive:
            found = _member(archive, _wanted(archive, name), name)
    except _DAMAGE as error:
        raise UsageError(
            f"not an Anki package ({brief(error)})", name, "name an .apkg file or a deckgen.lock"
        ) from None
    if not found.startswith(b"SQLite format 3\0"):
        raise UsageError("the collection in it cannot be read (not a database)", name)
    return found


def brief(error: Exception) -> str:
    """What a library says of a file, which may quote it."""
    words = " ".join(
        "".join(
            letter if letter.isprintable() else " " for letter in (str(error) or type(error).__name__)[:200]
        ).split()
    )
    return f"{words[:100]}..." if len(words) > 100 else words


def _wanted(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    members = {one.filename: one for one in archive.infolist()}
    if "collection.anki21b" in members:
        hint = 'export it again with "Support older Anki versions" ticked; deckgen\'s own packages always can be read'
        raise UsageError("exported in Anki's newer format, which deckgen does not read", name, hint)
    member = next((members[one] for one in _MEMBERS if one in members), None)
    if member is None:
        raise UsageError("no collection in it: not an Anki package", name, "name an .apkg file or a deckgen.lock")
    if member.compress_type not in _METHODS or member.flag_bits & _ENCRYPTED:
        raise UsageError("its collection is packed in a way that Anki never packs", name)
    return member


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> bytearray:
    """What the zip file says of the size is believed only if it is too large: what comes out is counted."""
    found = bytearray()
    with archive.open(member) as packed:
        while chunk := packed.read(_CHUNK):
            found += chunk
            if max(len(found), member.file_size) > COLLECTION_LIMIT:
                raise UsageError(f"its collection is larger than {COLLECTION_LIMIT // 2**20} MiB", name)
    return found
