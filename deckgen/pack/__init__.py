"""Packing: a deck with identities in, an Anki package out: the same deck gives the same bytes.

(With the same SQLite and zlib: the former writes its version into the file.) What a package was made of stands in it as a
short text: an unchanged deck need not be packed again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from typing import BinaryIO

from deckgen import __version__
from deckgen.model.deck import Card, Deck, Media, NoteType
from deckgen.model.errors import EngineError

_SEPARATOR = "\x1e"
_END = struct.Struct("<4s4H2LH")
"""The end of a zip file: a mark, four numbers, size and place of its contents, length of its comment."""
LEVEL = 5
"""Of deflate; 6 takes a quarter longer for two percent, 9 thrice as long for three."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date a zip file can hold; the real one would make every build another file."""


def fingerprint(deck: Deck, notetypes: Collection[NoteType]) -> bytes:
    """Of everything that the bytes of a package depend on, the libraries that write them included."""
    hashed = hashlib.sha256()
    for part in _parts(deck, notetypes):
        hashed.update(part.encode("utf-8", "surrogatepass"))
        hashed.update(b"\x1d")
    return b"deckgen " + hashed.hexdigest()[:32].encode()


def is_current(file: BinaryIO, wanted: bytes) -> bool:
    """True if `file` is a whole package with this fingerprint: it is the last that a zip file says, behind its contents."""
    length = _END.size + len(wanted)
    try:
        start = file.seek(0, os.SEEK_END) - length
        file.seek(max(start, 0))
        end = file.read(length)
    except OSError:
        return False
    if len(end) < length or not end.endswith(wanted):
        return False
    mark, *_, size, offset, comment = _END.unpack(end[: _END.size])
    return bool(mark == b"PK\5\6" and offset + size == start and comment == len(wanted))


def _parts(deck: Deck, notetypes: Collection[NoteType]) -> Iterator[str]:
    yield repr((__version__, sqlite3.sqlite_version, zlib.ZLIB_RUNTIME_VERSION))
    yield repr((deck.id, deck.name, deck.description, deck.notetypes_mtime))
    if deck.descriptions:
        yield repr(sorted(deck.descriptions.items()))
    for notetype in notetypes:
        yield repr(notetype)
    for card in deck.cards:
        yield _card(card)
        for media in card.rendered.media:
            yield f"{media.name} {hashlib.sha256(media.data).hexdigest()}"


def _card(card: Card) -> str:
    rendered = card.rendered
    given = f"{card.guid} {card.mtime} {card.due} {card.subdeck} {rendered.kind} {rendered.ordinals}"
    return _SEPARATOR.join((given, *rendered.tags, "", *rendered.fields))


def package(deck: Deck, notetypes: Collection[NoteType], mark: bytes = b"") -> bytes:
    """The bytes of the package; `mark` is its fingerprint, if the caller knows it.

    Raises EngineError for a note that Anki would not show as meant.
    """
    from deckgen.pack.collection import collection  # genanki takes 0.1 s to import and nothing else needs it

    found: dict[str, Media] = {}
    for card in deck.cards:
        for one in card.rendered.media:
            if found.setdefault(one.name, one).data != one.data:
                raise EngineError(f"two media files are called {one.name}")
    media = [found[name] for name in sorted(found)]
    files = {
        "collection.anki2": collection(deck, notetypes),
        "media": json.dumps({str(i): one.name for i, one in enumerate(media)}).encode(),
        **{str(i): one.data for i, one in enumerate(media)},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3  # as on Unix, on every system
            info.external_attr = 0o644 << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED, LEVEL)
        archive.comment = mark or fingerprint(deck, notetypes)
    return buffer.getvalue()
