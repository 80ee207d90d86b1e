"""Reading packages: an .apkg, deckgen's or anybody else's, as a snapshot.

A package from anybody: a zip file, and the database in it, of which neither may be larger than a deck is.

A collection from anybody: a database of which only three tables are read, and never more than it can honestly hold.

A schema is a program: views run queries without end, triggers and virtual tables run what they like. So SQLite is asked
for the columns of tables alone, row by row, and anything else that a schema makes of such a question is refused.
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
from contextlib import closing, contextmanager
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from deckgen.model.difference import Snapshot, SnapshotNote, SnapshotType
from deckgen.model.errors import UsageError
from deckgen.text.pattern import unescaped, untagged

STAMP = ("Source", "Checked")
"""Fields of deckgen's notes that are not learnt; another deck's field of that name is compared as any other."""
DEPTH = 100
"""Of decks in decks."""
Value = TypeVar("Value")


class _Part(msgspec.Struct):
    """A field of a note type."""

    name: str
    id: int | str | None = None

    @property
    def identity(self) -> str:
        """What Anki compares."""
        return str(self.id or self.name)


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


def snapshot(file: BinaryIO, name: str) -> Snapshot:
    """The deck in a package; `name` is its path for messages.

    Raises UsageError for what is no package, or a damaged one, and for Anki's newer format, which only Anki can read.
    """
    found = database(file, name)
    try:
        with opened(found) as collection:
            del found  # SQLite has a copy
            return _read(collection, name)
    except UnreadableError as error:
        raise UsageError(f"the collection in it cannot be read ({brief(error)})", name) from None


def _read(collection: Collection, name: str) -> Snapshot:
    models, decks = next(collection.rows("select models, decks from col", tuple[str, str]), ("", ""))
    types = _parsed(models, dict[int, _Model])
    deck_names = {number: deck.name for number, deck in _parsed(decks, dict[int, _Deck]).items()}
    cards: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for note, ordinal, deck in collection.rows("select nid, ord, did from cards", tuple[int, int, int]):
        cards[note].append((ordinal, deck_names.get(deck, "")))
    rows = sorted(collection.rows("select id, guid, mid, mod, tags, flds from notes", _Row))
    used = {row.mid for row in rows}
    if not used <= types.keys():
        raise UnreadableError("a note of no note type")
    names = {key: tuple(one.name for one in model.flds) for key, model in types.items()}
    return Snapshot(
        name=name,
        notes=tuple(_note(row, types[row.mid].name, names[row.mid], sorted(cards[row.id])) for row in rows),
        types=tuple(_type(str(key), model) for key, model in sorted(types.items()) if key in used),
        decks=tuple(sorted(_with_parents({deck for some in cards.values() for _, deck in some}))),
    )


def _parsed(text: str, kind: type[Value]) -> Value:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise UnreadableError(str(error)) from None


def _note(row: _Row, model: str, names: tuple[str, ...], cards: list[tuple[int, str]]) -> SnapshotNote:
    fields = dict(zip(names, row.flds.split("\x1f", len(names)), strict=False))
    ours = model.startswith("deckgen ")
    learnt = [value for name, value in fields.items() if not (ours and name in STAMP)]
    return SnapshotNote(
        guid=row.guid,
        title=unescaped(untagged(row.flds.partition("\x1f")[0], " ")).strip(),
        notetype=str(row.mid),
        mtime=row.mod,
        hash=_hash([str(row.mid), *learnt]),
        fields=fields,
        tags=tuple(row.tags.split()),
        cards=tuple(ordinal for ordinal, _ in cards),
        deck=cards[0][1] if cards else "",
    )


def _type(key: str, model: _Model) -> SnapshotType:
    parts: list[tuple[str, _Part]] = [("field", one) for one in model.flds]
    parts += [("template", one) for one in model.tmpls]
    look = [model.css, *(f"{one.qfmt}\x1e{one.afmt}" for one in model.tmpls)]
    return SnapshotType(
        id=key,
        name=model.name,
        mtime=model.mod,
        schema=tuple((what, one.identity) for what, one in parts),
        look=_hash([model.name, *look, *(one.name for _, one in parts)]),
    )


def _with_parents(names: Iterable[str]) -> set[str]:
    found = set()
    for name in set(names) - {""}:
        parts = name.split("::", DEPTH)
        if len(parts) > DEPTH:
            raise UnreadableError(f"a deck in more than {DEPTH} others")
        found |= {"::".join(parts[: depth + 1]) for depth in range(len(parts))}
    return found


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


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


Row = TypeVar("Row")

VALUE_LIMIT = 32 * 2**20
"""Bytes of one row: the note types of a large collection are ten."""
ROW_LIMIT = 2**20
"""Notes and cards together."""
SECONDS = 30
"""For a whole collection; a quarter of a gigabyte takes three."""
_LEAST = 8
"""Bytes that a row takes at least, ids and all."""
_TABLES = frozenset({"col", "notes", "cards"})
_PLAIN = ("CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX ")
"""How SQLite itself begins what it keeps of a table and an index, however it was typed."""


class UnreadableError(Exception):
    """A collection that is damaged, or was made to do harm; the message says how."""


class Collection:
    """An open collection."""

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        self._connection = connection
        self._left = size
        """Bytes that rows may still have: all together no more than the file, whose pages may point anywhere."""
        self._rows = 0

    def rows(self, statement: str, kind: type[Row]) -> Iterator[Row]:
        """The rows of a table, each of this kind. Raises UnreadableError."""
        with _told():
            for row in self._connection.execute(statement):
                self._count(row)
                yield msgspec.convert(row, kind)

    def _count(self, row: tuple[object, ...]) -> None:
        self._rows += 1
        self._left -= _LEAST + sum(len(value) for value in row if isinstance(value, str | bytes))
        if self._left < 0:
            raise UnreadableError("it says more than it holds")
        if self._rows > ROW_LIMIT:
            raise UnreadableError(f"more than {ROW_LIMIT:,} notes and cards")


@contextmanager
def opened(database: bytes | bytearray) -> Iterator[Collection]:
    """A database of which nothing can be had but the rows of its tables. Raises UnreadableError."""
    with closing(sqlite3.connect(":memory:")) as connection:
        with _told():
            connection.deserialize(database)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT)
            for setting in ("trusted_schema = off", "cell_size_check = on", "temp_store = memory", "query_only = on"):
                connection.execute(f"pragma {setting}")
            end = time.monotonic() + SECONDS
            connection.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            _refuse_programs(connection)
            connection.set_authorizer(_tables_only)
        yield Collection(connection, len(database))


def _refuse_programs(connection: sqlite3.Connection) -> None:
    """Raises UnreadableError for a schema of more than tables and their indices. Honest ones have a dozen."""
    for kind, name, sql in connection.execute("select type, name, sql from sqlite_master limit 100"):
        plain = kind in ("table", "index") and (sql is None or str(sql).startswith(_PLAIN))
        if not plain:
            raise UnreadableError(f"a {kind} `{name}`, which no deck has")
    for table in sorted(_TABLES):
        if any(hidden for *_, hidden in connection.execute(f"pragma table_xinfo({table})")):
            raise UnreadableError(f"a computed column in `{table}`, which no deck has")


def _tables_only(action: int, name: str | None, _column: str | None, _file: str | None, view: str | None) -> int:
    """What a schema's row says of itself may be untrue; what SQLite is about to do is not."""
    reads = action == sqlite3.SQLITE_READ and name in _TABLES and view is None
    return sqlite3.SQLITE_OK if reads or action == sqlite3.SQLITE_SELECT else sqlite3.SQLITE_DENY


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning, msgspec.MsgspecError, ValueError) as error:
        raise UnreadableError(str(error)) from None
