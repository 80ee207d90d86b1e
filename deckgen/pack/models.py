"""genanki's classes, with times of their own for each note and note type."""

from __future__ import annotations

import json
import re
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import genanki

from deckgen.model.deck import FIELDS, Card, NoteType
from deckgen.model.errors import EngineError

FAULT = "this is a fault of deckgen: please report it with the note"


class _Model(genanki.Model):  # type: ignore[misc]  # genanki ships no types
    """A note type whose time is that of its last change, not of the build."""

    mtime: int

    def to_json(self, timestamp: float, deck_id: int) -> dict[str, Any]:
        return dict(super().to_json(self.mtime, deck_id))


@dataclass(slots=True)
class Rows:
    """Takes rows in the place of a database's cursor, and writes them all at once: a third of the time."""

    by_statement: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    lastrowid: int = 0

    def execute(self, statement: str, row: tuple[Any, ...]) -> None:
        self.by_statement.setdefault(statement, []).append(row)
        self.lastrowid = row[0]

    def write(self, cursor: sqlite3.Cursor) -> None:
        """Indices are made when all rows are there: in two thirds of the time, and smaller."""
        indices = cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql <> ''").fetchall()
        for name, _ in indices:
            cursor.execute(f'DROP INDEX "{name}"')
        for statement, rows in self.by_statement.items():
            cursor.executemany(statement, rows)
        for _, statement in indices:
            cursor.execute(statement)


class _Note(genanki.Note):  # type: ignore[misc]  # genanki ships no types
    """A note whose time is that of its last change: Anki takes an update only if it is newer."""

    mtime: int
    where: str
    deck_id: int
    rows: Rows
    # the same tags, without looking at each to the end of its line
    _INVALID_HTML_TAG_RE = re.compile(genanki.Note._INVALID_HTML_TAG_RE.pattern.replace(" .*", " [^>\\n]*"))

    def write_to_db(self, cursor: Any, timestamp: float, deck_id: int, id_gen: Any) -> None:
        try:
            super().write_to_db(self.rows, self.mtime, self.deck_id, id_gen)
        except UserWarning as warning:
            raise EngineError(f"text would vanish in Anki: {warning}", self.where, FAULT) from None

    def _check_invalid_html_tags_in_fields(self) -> None:
        """All fields in one look; only where that finds something, one by one."""
        if self._find_invalid_html_tags_in_field("\n".join(self.fields)):
            super()._check_invalid_html_tags_in_fields()


@contextmanager
def strictly() -> Iterator[None]:
    """What genanki only warns of, text that Anki would take for tags, is an error; once for all notes, for speed."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Field contained")
        yield


def model(notetype: NoteType, mtime: int) -> genanki.Model:
    """A note type as genanki's model; ids of fields and templates go into the package, too."""
    made = _Model(
        notetype.id,
        notetype.name,
        fields=[{"name": field.name, "id": field.id, "collapsed": field.collapsed} for field in notetype.fields],
        templates=[{"name": one.name, "id": one.id, "qfmt": one.front, "afmt": one.back} for one in notetype.templates],
        css=notetype.css,
        model_type=genanki.Model.CLOZE if notetype.cloze else genanki.Model.FRONT_BACK,
        sort_field_index=FIELDS.index("Title"),
    )
    made.mtime = mtime
    return made


class _Deck(genanki.Deck):  # type: ignore[misc]  # genanki ships no types
    """A deck that brings its subdecks along: genanki reads and writes all decks anew for each."""

    def __init__(self, deck_id: int, name: str, description: str) -> None:
        super().__init__(deck_id, name, description)
        self.subdecks: list[genanki.Deck] = []

    def write_to_db(self, cursor: Any, timestamp: float, id_gen: Any) -> None:
        ((text,),) = cursor.execute("SELECT decks FROM col")
        decks = json.loads(text) | {str(one.deck_id): one.to_json() for one in self.subdecks}
        cursor.execute("UPDATE col SET decks = ?", (json.dumps(decks),))
        super().write_to_db(cursor, timestamp, id_gen)


def anki_deck(deck_id: int, name: str, description: str) -> _Deck:
    return _Deck(deck_id, name, description)


def anki_note(card: Card, made_of: genanki.Model, deck_id: int, rows: Rows) -> genanki.Note:
    """A note as genanki's, checked: its cards are those that were meant, and its fields are HTML.

    It writes itself into `rows`, as of the deck `deck_id`.

    Raises EngineError with the place of the note: better no package than one with cards missing.
    """
    rendered = card.rendered
    where = f"{rendered.places[0].source}:{rendered.places[0].span.first}"
    try:
        note = _Note(made_of, list(rendered.fields), guid=card.guid, tags=list(rendered.tags), due=card.due)
    except ValueError as error:
        raise EngineError(str(error), where) from None
    note.mtime, note.where, note.deck_id, note.rows = card.mtime, where, deck_id, rows
    made = tuple(sorted(one.ord for one in note.cards))
    if made != tuple(sorted(rendered.ordinals)) or not made:
        message = f"Anki would make the cards {made} of this note, not {rendered.ordinals}"
        raise EngineError(message, where, FAULT)
    note.cards.sort(key=lambda one: one.ord)
    return note
