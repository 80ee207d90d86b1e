"""Reading packages: an .apkg, deckgen's or anybody else's, as a snapshot."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

from deckgen.difference import Snapshot, SnapshotNote, SnapshotType
from deckgen.errors import UsageError
from deckgen.signs import unescaped, untagged

SIZE_LIMIT = 2**31
"""Bytes of a collection when unpacked; more is no deck of notes."""
STAMP = ("Source", "Checked")
"""Fields of deckgen's notes that are not learnt; another deck's field of that name is compared as any other."""
_MEMBERS = ("collection.anki21", "collection.anki2")


def snapshot(data: bytes, name: str) -> Snapshot:
    """The deck in the bytes of a package; `name` is its path for messages.

    Raises UsageError for what is no package, and for Anki's newer format, which only Anki can read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            database = _database(archive, name)
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise UsageError(f"not an Anki package ({error})", name, "name an .apkg file or a deckgen.lock") from None
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(database)
            return _read(connection, name)
    except (sqlite3.Error, ValueError, KeyError, AttributeError, TypeError) as error:
        raise UsageError(f"the collection in it cannot be read ({error})", name) from None


def _database(archive: zipfile.ZipFile, name: str) -> bytes:
    members = set(archive.namelist())
    if "collection.anki21b" in members:
        hint = 'export it again with "Support older Anki versions" ticked; deckgen\'s own packages always can be read'
        raise UsageError("exported in Anki's newer format, which deckgen does not read", name, hint)
    member = next((one for one in _MEMBERS if one in members), None)
    if member is None:
        raise UsageError("no collection in it: not an Anki package", name, "name an .apkg file or a deckgen.lock")
    if archive.getinfo(member).file_size > SIZE_LIMIT:
        raise UsageError("its collection is larger than 2 GiB", name)
    database = archive.read(member)
    if not database.startswith(b"SQLite format 3\0"):
        raise UsageError("the collection in it cannot be read (not a database)", name)
    return database


def _read(connection: sqlite3.Connection, name: str) -> Snapshot:
    models, decks = connection.execute("select models, decks from col").fetchone()
    types = {str(key): value for key, value in json.loads(models).items()}
    deck_names = {int(key): value["name"] for key, value in json.loads(decks).items()}
    cards: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for note, ordinal, deck in connection.execute("select nid, ord, did from cards order by nid, ord"):
        cards[note].append((ordinal, deck_names.get(deck, "")))
    rows = connection.execute("select id, guid, mid, mod, tags, flds from notes order by id")
    notes = tuple(_note(row, types[str(row[2])], cards[row[0]]) for row in rows)
    used = {note.notetype for note in notes}
    return Snapshot(
        name=name,
        notes=notes,
        types=tuple(_type(key, value) for key, value in sorted(types.items()) if key in used),
        decks=tuple(sorted(_with_parents(deck for some in cards.values() for _, deck in some))),
    )


def _note(row: tuple[Any, ...], model: Mapping[str, Any], cards: Iterable[tuple[int, str]]) -> SnapshotNote:
    _, guid, notetype, mtime, tags, joined = row
    names = [field["name"] for field in model["flds"]]
    fields = dict(zip(names, joined.split("\x1f"), strict=False))
    ours = str(model["name"]).startswith("deckgen ")
    learnt = [value for name, value in fields.items() if not (ours and name in STAMP)]
    cards = list(cards)
    return SnapshotNote(
        guid=guid,
        title=unescaped(untagged(joined.partition("\x1f")[0], " ")).strip(),
        notetype=str(notetype),
        mtime=mtime,
        hash=_hash([str(notetype), *learnt]),
        fields=fields,
        tags=tuple(tags.split()),
        cards=tuple(ordinal for ordinal, _ in cards),
        deck=cards[0][1] if cards else "",
    )


def _type(key: str, model: Mapping[str, Any]) -> SnapshotType:
    parts = [("field", one) for one in model["flds"]] + [("template", one) for one in model["tmpls"]]
    look = [model["css"], *(f"{one['qfmt']}\x1e{one['afmt']}" for one in model["tmpls"])]
    return SnapshotType(
        id=key,
        name=model["name"],
        mtime=model["mod"],
        schema=tuple((what, str(one.get("id") or one["name"])) for what, one in parts),
        look=_hash([model["name"], *look, *(one["name"] for _, one in parts)]),
    )


def _with_parents(names: Iterable[str]) -> set[str]:
    found = set()
    for name in set(names) - {""}:
        parts = name.split("::")
        found |= {"::".join(parts[: depth + 1]) for depth in range(len(parts))}
    return found


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
