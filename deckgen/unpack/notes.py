"""The notes of a package, of every format that Anki has had: `collection.anki2`, `.anki21` and `.anki21b`."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from typing import BinaryIO

import msgspec

from deckgen.model.errors import UsageError
from deckgen.model.package import PackagedNote, PackagedType
from deckgen.unpack.archive import brief, database
from deckgen.unpack.collection import DAMAGED, Collection

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
"""Kinds of values in a message (protobuf.dev, Encoding)."""
_LONGEST_NUMBER = 10
"""Bytes of a number in a message."""


def notes_of(file: BinaryIO, name: str) -> tuple[PackagedNote, ...]:
    """Every note in a package, in the order in which they were made. Raises UsageError for what is no package, or a damaged one."""
    found = database(file, name, newer=True)
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            collection = Collection(connection, found)
            del found  # SQLite has a copy
            return tuple(_notes(collection))
    except DAMAGED as error:
        raise UsageError(f"the collection in it cannot be read ({brief(error)})", name) from None


def _notes(collection: Collection) -> Iterator[PackagedNote]:
    models, decks = next(collection.rows("select models, decks from col", tuple[str, str]), ("", ""))
    types = _types(models) if models else dict(_newer_types(collection))
    names = _decks(decks) if decks else dict(_newer_decks(collection))
    homes: dict[int, tuple[int, int]] = {}
    for note, ordinal, deck in collection.rows("select nid, ord, did from cards", tuple[int, int, int]):
        homes[note] = min(homes.get(note, (ordinal, deck)), (ordinal, deck))
    rows = collection.rows("select id, mid, tags, flds from notes", tuple[int, int, str, str])
    for key, kind, tags, fields in sorted(rows):
        known = types.get(kind)
        if known is None:
            raise ValueError("a note of no note type")
        values = fields.split("\x1f", len(known.fields))
        yield PackagedNote(
            id=key,
            deck=names.get(homes[key][1], "") if key in homes else "",
            tags=tuple(tags.split()),
            type=known,
            fields=dict(zip(known.fields, values, strict=False)),
        )


# --- what was text in a table ---


class _Field(msgspec.Struct):
    name: str
    ord: int | None = None


class _Template(msgspec.Struct):
    qfmt: str
    afmt: str


class _Model(msgspec.Struct):
    name: str
    flds: list[_Field]
    tmpls: list[_Template]


class _Deck(msgspec.Struct):
    name: str


def _types(text: str) -> dict[int, PackagedType]:
    models = msgspec.json.decode(text, type=dict[int, _Model])
    return {
        key: PackagedType(
            model.name,
            tuple(one.name for one in model.flds),
            tuple((one.qfmt, one.afmt) for one in model.tmpls),
        )
        for key, model in models.items()
    }


def _decks(text: str) -> dict[int, str]:
    return {key: deck.name for key, deck in msgspec.json.decode(text, type=dict[int, _Deck]).items()}


# --- what is in tables of its own since 2022 ---


def _newer_types(collection: Collection) -> Iterator[tuple[int, PackagedType]]:
    fields: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for kind, ordinal, name in collection.rows("select ntid, ord, name from fields", tuple[int, int, str]):
        fields[kind].append((ordinal, name))
    templates: dict[int, list[tuple[int, tuple[str, str]]]] = defaultdict(list)
    for kind, ordinal, data in collection.rows("select ntid, ord, config from templates", tuple[int, int, bytes]):
        texts = dict(_texts(data))
        templates[kind].append((ordinal, (texts.get(1, ""), texts.get(2, ""))))
    for kind, name in collection.rows("select id, name from notetypes", tuple[int, str]):
        shown = tuple(sides for _, sides in sorted(templates[kind]))
        yield kind, PackagedType(name, tuple(one for _, one in sorted(fields[kind])), shown)


def _newer_decks(collection: Collection) -> Iterator[tuple[int, str]]:
    for key, name in collection.rows("select id, name from decks", tuple[int, str]):
        yield key, name.replace("\x1f", "::")


def _texts(data: bytes) -> Iterator[tuple[int, str]]:
    """(number, text) of the fields of a message that hold bytes. Raises ValueError for what is no message."""
    at = 0
    while at < len(data):
        tag, at = _number(data, at)
        kind = tag & 7
        if kind == _VARINT:
            _, at = _number(data, at)
        elif kind == _BYTES:
            length, at = _number(data, at)
            if at + length > len(data):
                raise ValueError("a template that ends too early")
            yield tag >> 3, data[at : at + length].decode("utf-8", "replace")
            at += length
        elif kind in (_FIXED32, _FIXED64):
            at += 4 if kind == _FIXED32 else 8
        else:
            raise ValueError("a template that cannot be read")


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift, byte in enumerate(data[at : at + _LONGEST_NUMBER]):
        value |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:  # the last byte of a number
            return value, at + shift + 1
    raise ValueError("a template that cannot be read")
