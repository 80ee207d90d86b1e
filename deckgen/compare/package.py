"""Reading packages: an .apkg, deckgen's or anybody else's, as a snapshot.

What a package from anybody may do is in `deckgen/unpack`.
"""

from __future__ import annotations

import hashlib
import sqlite3
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from typing import BinaryIO, NamedTuple

import msgspec

from deckgen.model.difference import Snapshot, SnapshotNote, SnapshotType
from deckgen.model.errors import UsageError
from deckgen.text.pattern import unescaped, untagged
from deckgen.unpack import DAMAGED, Collection, brief, database

DEPTH = 100
"""Of decks in decks."""
STAMP = ("Source", "Checked")
"""Fields of deckgen's notes that are not learnt; another deck's field of that name is compared as any other."""


def snapshot(file: BinaryIO, name: str) -> Snapshot:
    """The deck in a package; `name` is its path for messages.

    Raises UsageError for what is no package, or a damaged one, and for Anki's newer format, which only Anki can read.
    """
    found = database(file, name)
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            collection = Collection(connection, found)
            del found  # SQLite has a copy
            return _read(collection, name)
    except DAMAGED as error:
        raise UsageError(f"the collection in it cannot be read ({brief(error)})", name) from None


class _Part(msgspec.Struct):
    """A field of a note type. Anki compares its id, or its name if it has none."""

    name: str
    id: int | str | None = None


class _Template(_Part, kw_only=True):
    qfmt: str
    afmt: str


class _Model(msgspec.Struct):
    """A note type, as far as it is compared."""

    name: str
    mod: int
    css: str
    flds: list[_Part]
    tmpls: list[_Template]


class _Deck(msgspec.Struct):
    name: str


class _Row(NamedTuple):
    """A note as its table has it."""

    id: int
    guid: str
    mid: int
    mod: int
    tags: str
    flds: str


def _read(collection: Collection, name: str) -> Snapshot:
    models, names = next(collection.rows("select models, decks from col", tuple[str, str]), ("", ""))
    types = msgspec.json.decode(models, type=dict[int, _Model])
    decks = msgspec.json.decode(names, type=dict[int, _Deck])
    cards: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for note, ordinal, deck in collection.rows("select nid, ord, did from cards", tuple[int, int, int]):
        cards[note].append((ordinal, decks[deck].name if deck in decks else ""))
    rows = sorted(collection.rows("select id, guid, mid, mod, tags, flds from notes", _Row))
    used = {row.mid for row in rows}
    if not used <= types.keys():
        raise ValueError("a note of no note type")
    return Snapshot(
        name=name,
        notes=tuple(_note(row, types[row.mid], sorted(cards[row.id])) for row in rows),
        types=tuple(_type(str(key), model) for key, model in sorted(types.items()) if key in used),
        decks=tuple(sorted(_with_parents({deck for some in cards.values() for _, deck in some}))),
    )


def _note(row: _Row, model: _Model, cards: list[tuple[int, str]]) -> SnapshotNote:
    fields = {one.name: text for one, text in zip(model.flds, row.flds.split("\x1f", len(model.flds)), strict=False)}
    stamp = STAMP if model.name.startswith("deckgen ") else ()
    return SnapshotNote(
        guid=row.guid,
        title=unescaped(untagged(row.flds.partition("\x1f")[0], " ")).strip(),
        notetype=str(row.mid),
        mtime=row.mod,
        hash=_hash([str(row.mid), *(value for name, value in fields.items() if name not in stamp)]),
        fields=fields,
        tags=tuple(row.tags.split()),
        cards=tuple(ordinal for ordinal, _ in cards),
        deck=cards[0][1] if cards else "",
        number=row.id,
    )


def _type(key: str, model: _Model) -> SnapshotType:
    parts: list[tuple[str, _Part]] = [("field", one) for one in model.flds]
    parts += [("template", one) for one in model.tmpls]
    look = [model.css, *(f"{one.qfmt}\x1e{one.afmt}" for one in model.tmpls), *(one.name for _, one in parts)]
    schema = tuple((what, str(one.id or one.name)) for what, one in parts)
    return SnapshotType(id=key, name=model.name, mtime=model.mod, schema=schema, look=_hash([model.name, *look]))


def _with_parents(names: set[str]) -> set[str]:
    found = set()
    for name in names - {""}:
        parts = name.split("::", DEPTH)
        if len(parts) > DEPTH:
            raise ValueError(f"a deck in more than {DEPTH} others")
        found |= {"::".join(parts[: depth + 1]) for depth in range(len(parts))}
    return found


def _hash(parts: Iterable[str]) -> str:
    text = unicodedata.normalize("NFC", "\x1f".join(parts))  # as Anki keeps it, whatever a package has
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
