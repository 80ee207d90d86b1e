"""Where the tables of rows stand: each row is a rule, a notation or a form, and says by itself what it is for.

A row has a `name`, an `example` (Markdown of which the row makes something: its test and its lines in docs/notations.md), and
`seen`: a seed (`seed 000`) or at least two real documents (`OWNER/NAME/path`) that lose something without it; or why it stays
all the same (`design: ...`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import NamedTuple, Protocol


class Row(Protocol):
    """One row of any table."""

    @property
    def name(self) -> str: ...
    @property
    def example(self) -> str: ...
    @property
    def seen(self) -> tuple[str, ...]: ...


class Table(NamedTuple):
    """One table of rows, by the name under which its module reads it."""

    title: str
    module: str
    attribute: str
    """The module looks it up by this name each time, so that `bench/rows.py` can leave a row out."""

    def rows(self) -> Sequence[Row]:
        return tuple(getattr(import_module(self.module), self.attribute))


TABLES: tuple[Table, ...] = (
    Table("Kinds of finds", "deckgen.extract.rules", "RULES"),
    Table("How options begin", "deckgen.extract.quiz.notations", "OPTIONS"),
    Table("What stands for a blank", "deckgen.extract.quiz.notations", "BLANKS"),
    Table("Claims of comments beside code", "deckgen.extract.claims.comments", "FORMS"),
    Table("Claims of comment lines below code", "deckgen.extract.claims.comments", "BELOW"),
    Table("Output inside a block of code", "deckgen.extract.claims.pasted", "INSIDE"),
    Table("Output in a block of its own", "deckgen.extract.claims.outputs", "OUTPUTS"),
    Table("What is doubted", "deckgen.extract.worth.doubts", "DOUBTS"),
)
"""All tables, in the order of docs/notations.md. A new table is one more line."""


def rows() -> Iterator[tuple[Table, Row]]:
    """Every row with its table."""
    for table in TABLES:
        yield from ((table, row) for row in table.rows())
