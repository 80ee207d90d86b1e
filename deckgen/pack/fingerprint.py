"""What a package was made of, as a short text kept in it: an unchanged deck need not be packed again."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import struct
import zlib
from collections.abc import Collection, Iterator
from typing import BinaryIO

from deckgen import __version__
from deckgen.model.deck import Card, Deck, NoteType

_SEPARATOR = "\x1e"
_END = struct.Struct("<4s4H2LH")
"""The end of a zip file: a mark, four numbers, size and place of its contents, length of its comment."""


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
