"""Packages that were damaged on their way, or made to do harm: at every layer, from the zip file to a single value."""

from __future__ import annotations

import copy
import functools
import io
import json
import random
import sqlite3
import struct
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from rendered import TYPES, built, cloze, note

from deckgen.model.deck import Deck
from deckgen.pack import package

DECK: Deck = built(
    [note("what is a tensor", "a box"), note("dtype", "a kind"), cloze("{{c1::a}} {{c2::b}}", (1, 2))]
).deck
ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select i"
PROGRAMS = (
    f"drop table notes; create view notes as {ENDLESS} as id, 'g' as guid, 1 as mid, 1 as mod, '' as tags, 'f' as flds from n",
    f"drop table cards; create view cards as {ENDLESS} as nid, 1 as ord, 1 as did from n order by 1 desc",
    "alter table notes rename to n; create view notes as select * from n, n, n, n, n, n, n, n, n, n, n, n, n",
    "create trigger t after insert on notes begin delete from notes; end",
    "create virtual table v using fts5(x)",
    "drop table notes; create virtual table notes using fts5(id, guid, mid, mod, tags, flds)",
    "alter table notes add column more as (hex(zeroblob(100000000)))",
    "drop table notes; create table notes(id integer primary key, guid as (hex(zeroblob(9999999))), mid, mod, tags, flds)",
    "pragma writable_schema = on; update sqlite_master set sql = 'CREATE VIEW notes AS "
    + ENDLESS
    + "' where name = 'notes'",
    "pragma writable_schema = on; update sqlite_master set rootpage = 1 where name = 'cards'",
    "pragma writable_schema = on; update sqlite_master set sql = 'CREATE TABLE notes(' where name = 'notes'",
    "pragma writable_schema = on; update sqlite_master set rootpage = (select rootpage from sqlite_master where name='cards')",
    "drop table col",
    "delete from col",
    "drop table notes",
)
VALUES: tuple[Any, ...] = (
    None, -1, 2**63 - 1, 2.5, b"\xff\xfe", "", "x" * 100_000, "<" * 100_000, "&#" + "9" * 5000 + ";", "\x1f" * 100_000,
    "\x1b[2J", "\n::error ::x", "a::" * 50_000, "\U0001f600", "\0",
)  # fmt: skip
JSON_VALUES: tuple[Any, ...] = (
    None, True, -1, 2**70, 1e308, "", [], {}, [[]], "x" * 1000, {"name": 1}, [{"name": "a"}] * 1000, "\x1b[2J", "a::" * 50_000,
)  # fmt: skip
TEXTS = (
    "[" * 100_000,
    '{"a":' * 100_000,
    "{",
    "",
    "null",
    '{"1": 1, "1": 2}',
    '{"1": {"name": "\\ud800"}}',
    "nan",
    "{} {}",
)


def zipped(database: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("collection.anki2", database)
        archive.writestr("media", "{}")
    return buffer.getvalue()


@functools.cache
def whole() -> bytes:
    """The package before."""
    return package(DECK, TYPES)


@functools.cache
def collection() -> bytes:
    with zipfile.ZipFile(io.BytesIO(whole())) as archive:
        return archive.read("collection.anki2")


def altered(change: Callable[[sqlite3.Connection], object], database: bytes | None = None) -> bytes:
    """A package whose collection was changed through SQLite."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(collection() if database is None else database)
        with suppress(sqlite3.Error):
            change(connection)
            connection.commit()
        return zipped(connection.serialize())


def programmed(schema: str) -> bytes:
    """A package whose collection has a schema of its own."""
    return altered(lambda connection: connection.executescript(schema))


def damaged(chance: random.Random) -> bytes:
    """One package in one of many ways no longer what deckgen or Anki wrote."""
    return chance.choice((_cut, _flipped, _lying, _torn, _torn, _json, _json, _text, _schema, _value, _value))(chance)


def _cut(chance: random.Random) -> bytes:
    start = chance.choice((0, 0, chance.randrange(len(whole()))))
    return whole()[start : chance.randrange(start, len(whole()))]


def _with_noise(data: bytes, chance: random.Random, most: int) -> bytes:
    noisy = bytearray(data)
    for _ in range(chance.randint(1, most)):
        noisy[chance.randrange(len(noisy))] = chance.randrange(256)
    return bytes(noisy)


def _flipped(chance: random.Random) -> bytes:
    return _with_noise(whole(), chance, 20)


def _lying(chance: random.Random) -> bytes:
    """What the zip file says of itself is not so: its method, its flags, its sizes, where things are."""
    made = bytearray(zipped(collection()))
    sign, length = chance.choice(((b"PK\3\4", 30), (b"PK\1\2", 46), (b"PK\5\6", 22)))
    place = made.index(sign) + chance.randrange(4, length - 1)
    value = chance.choice((0, 1, 0xFF, 0xFFFF, chance.randrange(65536)))
    struct.pack_into("<H", made, place, value)
    return bytes(made)


def _torn(chance: random.Random) -> bytes:
    """Bytes of the database are others: often of its header and schema, in which every page is found."""
    database = collection()
    head, most = chance.choice(((100, 3), (4096, 20), (len(database), 200)))
    return zipped(_with_noise(database[:head], chance, most) + database[head:])


def _json(chance: random.Random) -> bytes:
    column = chance.choice(("models", "decks"))

    def change(connection: sqlite3.Connection) -> None:
        ((text,),) = connection.execute(f"select {column} from col")
        value = json.loads(text)
        for _ in range(chance.randint(1, 3)):
            _spoil(value, chance)
        connection.execute(f"update col set {column} = ?", (json.dumps(value),))

    return altered(change)


def _spoil(value: Any, chance: random.Random) -> None:
    """Puts something else in one place of a nested value, or takes it away."""
    while isinstance(value, dict | list) and value:
        key = chance.choice(sorted(value) if isinstance(value, dict) else range(len(value)))
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.2:
            if chance.random() < 0.3:
                del value[key]
            else:
                value[key] = copy.deepcopy(chance.choice(JSON_VALUES))
            return
        value = inner


def _text(chance: random.Random) -> bytes:
    column, text = chance.choice(("models", "decks")), chance.choice(TEXTS)
    return altered(lambda connection: connection.execute(f"update col set {column} = ?", (text,)))


def _schema(chance: random.Random) -> bytes:
    return programmed(chance.choice(PROGRAMS))


def _value(chance: random.Random) -> bytes:
    table, columns = chance.choice(
        (("notes", "id guid mid mod tags flds"), ("cards", "nid ord did"), ("col", "models decks"))
    )
    column, value = chance.choice(columns.split()), chance.choice(VALUES)
    whose = chance.choice(("", "where id = (select min(id) from notes)" if table == "notes" else ""))
    return altered(lambda connection: connection.execute(f"update {table} set {column} = ? {whose}", (value,)))
