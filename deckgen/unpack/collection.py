"""The database in a package, of which nothing can be had but the rows of its tables.

A schema is a program: views run queries without end, triggers and virtual tables run what they like. So SQLite is asked for the
columns of a few tables alone, row by row, never for more than the file can honestly hold, and anything else is refused.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from typing import TypeVar

import msgspec

VALUE_LIMIT = 32 * 2**20
"""Bytes of one row: the note types of a large collection are ten."""
ROW_LIMIT = 2**20
"""Notes and cards together."""
SECONDS = 30
"""For a whole collection; a quarter of a gigabyte takes three."""
DAMAGED = (sqlite3.Error, sqlite3.Warning, msgspec.MsgspecError, RecursionError, ValueError)
"""What is raised for a collection that is damaged, or was made to do harm; ValueError is ours, too."""
_LEAST = 8
"""Bytes that a row takes at least, ids and all."""
_TABLES = ("cards", "col", "notes")
_NEWER_TABLES = ("notetypes", "fields", "templates", "decks")
"""What the newer format has in tables that was one text in `col`."""
_JOURNAL, _WAL, _NO_WAL = slice(18, 20), b"\2\2", b"\1\1"
"""How a database is written and read (sqlite.org/fileformat.html, 1.3.3)."""
_PLAIN = ("CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX ")
"""How SQLite itself begins what it keeps of a table and an index, however it was typed."""
Value = TypeVar("Value")


class Collection:
    """A database of which nothing can be had but the rows of its tables."""

    def __init__(self, connection: sqlite3.Connection, database: bytearray) -> None:
        if database[_JOURNAL] == _WAL:  # a log beside the file, of which nothing is left in a package
            database[_JOURNAL] = _NO_WAL
        connection.deserialize(database)
        connection.create_collation("unicase", _compare)
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


def _compare(one: str, other: str) -> int:
    """How Anki sorts names, whatever their case."""
    first, second = one.casefold(), other.casefold()
    return (first > second) - (first < second)


def _refuse_programs(connection: sqlite3.Connection) -> None:
    """Raises ValueError for a schema of more than tables and their indices. Honest ones have a dozen."""
    for kind, name, sql in connection.execute("select type, name, sql from sqlite_master limit 100"):
        if kind not in ("table", "index") or not (sql is None or str(sql).startswith(_PLAIN)):
            raise ValueError(f"a {kind} `{name}`, which no deck has")
    for table in (*_TABLES, *_NEWER_TABLES):
        if any(hidden for *_, hidden in connection.execute(f"pragma table_xinfo({table})")):
            raise ValueError(f"a computed column in `{table}`, which no deck has")


def _tables_only(action: int, name: str | None, _column: str | None, _file: str | None, view: str | None) -> int:
    """What a schema's row says of itself may be untrue; what SQLite is about to do is not."""
    reads = action == sqlite3.SQLITE_READ and name in (*_TABLES, *_NEWER_TABLES) and view is None
    return sqlite3.SQLITE_OK if reads or action == sqlite3.SQLITE_SELECT else sqlite3.SQLITE_DENY
