"""A collection from anybody: a database of which only three tables are read, and never more than it can honestly hold.

A schema is a program: views run queries without end, triggers and virtual tables run what they like. So SQLite is asked
for the columns of tables alone, row by row, and anything else that a schema makes of such a question is refused.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

import msgspec

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
