"""Reading packages: an .apkg, deckgen's or anybody else's, as a snapshot.

A package from anybody is a zip file and the database in it, of which neither may be larger than a deck is. A schema is a
program: views run queries without end, triggers and virtual tables run what they like. So SQLite is asked for the columns
of three tables alone, row by row, never for more than the file can honestly hold, and anything else is refused.
"""

from __future__ import annotations

import hashlib
import sqlite3
import struct
import time
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from deckgen.model.difference import Snapshot, SnapshotNote, SnapshotType
from deckgen.model.errors import UsageError
from deckgen.text.pattern import unescaped, untagged

COLLECTION_LIMIT = 256 * 2**20
"""Bytes of a collection when unpacked; more is no deck of notes."""
CONTENTS_LIMIT = 8 * 2**20
"""Bytes of a zip file's table of contents: 160,000 pictures."""
VALUE_LIMIT = 32 * 2**20
"""Bytes of one row: the note types of a large collection are ten."""
ROW_LIMIT = 2**20
"""Notes and cards together."""
SECONDS = 30
"""For a whole collection; a quarter of a gigabyte takes three."""
DEPTH = 100
"""Of decks in decks."""
STAMP = ("Source", "Checked")
"""Fields of deckgen's notes that are not learnt; another deck's field of that name is compared as any other."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""All that Anki and its tools write; the others take memory as the file says."""
_ENCRYPTED = 1
_LEAST = 8
"""Bytes that a row takes at least, ids and all."""
_TABLES = ("cards", "col", "notes")
_PLAIN = ("CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX ")
"""How SQLite itself begins what it keeps of a table and an index, however it was typed."""
_DAMAGED_ZIP = (
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
_DAMAGED = (sqlite3.Error, sqlite3.Warning, msgspec.MsgspecError, RecursionError, ValueError)
"""What is raised for a collection that is damaged, or was made to do harm; ValueError is ours, too."""
Value = TypeVar("Value")


def snapshot(file: BinaryIO, name: str) -> Snapshot:
    """The deck in a package; `name` is its path for messages.

    Raises UsageError for what is no package, or a damaged one, and for Anki's newer format, which only Anki can read.
    """
    found = _database(file, name)
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            collection = _Collection(connection, found)
            del found  # SQLite has a copy
            return _read(collection, name)
    except _DAMAGED as error:
        raise UsageError(f"the collection in it cannot be read ({_brief(error)})", name) from None


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


def _database(file: BinaryIO, name: str) -> bytearray:
    """The bytes of the collection in a package."""
    hint = "name an .apkg file or a deckgen.lock"
    found = bytearray()
    try:
        with zipfile.ZipFile(_Sparing(file)) as archive:
            members = {one.filename: one for one in archive.infolist()}
            if "collection.anki21b" in members:
                again = 'export it again with "Support older Anki versions" ticked; deckgen\'s own packages always can be read'
                raise UsageError("exported in Anki's newer format, which deckgen does not read", name, again)
            member = members.get("collection.anki21") or members.get("collection.anki2")
            if member is None:
                raise UsageError("no collection in it: not an Anki package", name, hint)
            if member.compress_type not in _METHODS or member.flag_bits & _ENCRYPTED:
                raise UsageError("its collection is packed in a way that Anki never packs", name)
            with archive.open(member) as packed:
                while chunk := packed.read(2**20):
                    found += chunk
                    # what the zip file says of the size is believed only if it is too large: what comes out is counted
                    if max(len(found), member.file_size) > COLLECTION_LIMIT:
                        raise UsageError(f"its collection is larger than {COLLECTION_LIMIT // 2**20} MiB", name)
    except _DAMAGED_ZIP as error:
        raise UsageError(f"not an Anki package ({_brief(error)})", name, hint) from None
    if not found.startswith(b"SQLite format 3\0"):
        raise UsageError("the collection in it cannot be read (not a database)", name)
    return found


def _brief(error: Exception) -> str:
    """What a library says of a file, which may quote it."""
    text = str(error)[:200] or type(error).__name__
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return f"{words[:100]}..." if len(words) > 100 else words


class _Collection:
    """A database of which nothing can be had but the rows of its tables."""

    def __init__(self, connection: sqlite3.Connection, database: bytearray) -> None:
        connection.deserialize(database)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT)
        for setting in ("trusted_schema = off", "cell_size_check = on", "temp_store = memory", "query_only = on"):
            connection.execute(f"pragma {setting}")
        end = time.monotonic() + SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > end, 10_000)
        _refuse_programs(connection)
        connection.set_authorizer(_tables_only)
        self._connection = connection
        self._left = len(database)
        """Bytes that rows may still have: all together no more than the file, whose pages may point anywhere."""
        self._rows = 0

    def rows(self, statement: str, kind: type[Value]) -> Iterator[Value]:
        """The rows of a table, each of this kind."""
        for row in self._connection.execute(statement):
            self._rows += 1
            self._left -= _LEAST + sum(len(value) for value in row if isinstance(value, str | bytes))
            if self._left < 0:
                raise ValueError("it says more than it holds")
            if self._rows > ROW_LIMIT:
                raise ValueError(f"more than {ROW_LIMIT:,} notes and cards")
            yield msgspec.convert(row, kind)


def _refuse_programs(connection: sqlite3.Connection) -> None:
    """Raises ValueError for a schema of more than tables and their indices. Honest ones have a dozen."""
    for kind, name, sql in connection.execute("select type, name, sql from sqlite_master limit 100"):
        if kind not in ("table", "index") or not (sql is None or str(sql).startswith(_PLAIN)):
            raise ValueError(f"a {kind} `{name}`, which no deck has")
    for table in _TABLES:
        if any(hidden for *_, hidden in connection.execute(f"pragma table_xinfo({table})")):
            raise ValueError(f"a computed column in `{table}`, which no deck has")


def _tables_only(action: int, name: str | None, _column: str | None, _file: str | None, view: str | None) -> int:
    """What a schema's row says of itself may be untrue; what SQLite is about to do is not."""
    reads = action == sqlite3.SQLITE_READ and name in _TABLES and view is None
    return sqlite3.SQLITE_OK if reads or action == sqlite3.SQLITE_SELECT else sqlite3.SQLITE_DENY


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


def _read(collection: _Collection, name: str) -> Snapshot:
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
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
