"""The SQLite file of a package, by genanki: with times of their own for each note and note type."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sqlite3
import warnings
from collections.abc import Collection
from typing import Any

import genanki

from deckgen.model.deck import FIELDS, Card, Deck, NoteType
from deckgen.model.errors import EngineError

FAULT = "this is a fault of deckgen: please report it with the note"

SIBLINGS_APART = 20_500
"""Between the dues of a note's cards: some twenty notes, which are 1000 apart in a new deck. Anki reads it for new cards
alone, so nobody's order is moved."""


class _Model(genanki.Model):  # type: ignore[misc]  # genanki ships no types
    """A note type whose time is that of its last change, not of the build."""

    mtime: int

    def to_json(self, timestamp: float, deck_id: int) -> dict[str, Any]:
        return dict(super().to_json(self.mtime, deck_id))


class _Card(genanki.Card):  # type: ignore[misc]  # genanki ships no types
    """A card that new learners meet some notes later than the one before it of the same note."""

    later: int = 0

    def write_to_db(self, cursor: Any, timestamp: float, deck_id: int, note_id: int, id_gen: Any, due: int = 0) -> None:
        super().write_to_db(cursor, timestamp, deck_id, note_id, id_gen, due + self.later)


class _Note(genanki.Note):  # type: ignore[misc]  # genanki ships no types
    """A note whose time is that of its last change: Anki takes an update only if it is newer."""

    mtime: int
    where: str
    deck_id: int
    # the same tags, without looking at each to the end of its line
    _INVALID_HTML_TAG_RE = re.compile(genanki.Note._INVALID_HTML_TAG_RE.pattern.replace(" .*", " [^>\\n]*"))

    def write_to_db(self, cursor: Any, timestamp: float, deck_id: int, id_gen: Any) -> None:
        try:
            super().write_to_db(cursor, self.mtime, self.deck_id, id_gen)
        except UserWarning as warning:
            raise EngineError(f"text would vanish in Anki: {warning}", self.where, FAULT) from None


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


def collection(deck: Deck, notetypes: Collection[NoteType]) -> bytes:
    """The deck with its description, its subdecks in the order of their names, and all notes.

    Raises EngineError for a note that Anki would not show as meant.
    """
    made = _Deck(deck.id, deck.name, deck.description)
    ids = {deck.name: deck.id}
    for name in sorted({card.subdeck for card in deck.cards} - {deck.name}):
        ids[name] = _free_id(deck.id, name, ids.values())
        made.subdecks.append(_Deck(ids[name], name, ""))
    models = {notetype.kind: _model(notetype, deck.notetypes_mtime) for notetype in notetypes}
    guids: set[str] = set()
    for card in deck.cards:
        if card.guid in guids:
            raise EngineError(f"two notes have the GUID {card.guid}: Anki would overwrite one with the other")
        guids.add(card.guid)
        made.add_note(_note(card, models[card.rendered.kind], ids[card.subdeck]))
    newest = max((card.mtime for card in deck.cards), default=deck.notetypes_mtime)
    connection = sqlite3.connect(":memory:")
    try:
        cursor = connection.cursor()
        with warnings.catch_warnings():
            # what genanki only warns of, text that Anki would take for tags, is an error
            warnings.filterwarnings("error", "Field contained")
            # ids are times in milliseconds; Anki gives a note another one if it is taken
            genanki.Package(made).write_to_db(cursor, newest, itertools.count(newest * 1000))
        connection.commit()
        connection.execute("VACUUM")  # a sixth smaller
        return connection.serialize()
    finally:
        connection.close()


def _free_id(deck_id: int, name: str, taken: Collection[int]) -> int:
    """Anki knows decks by name and gives them ids of its own; inside a package they must differ."""
    data = (f"{deck_id}\n{name}\n{attempt}".encode() for attempt in itertools.count())
    ids = (2**40 + int.from_bytes(hashlib.sha256(one).digest()[:5], "big") for one in data)
    return next(one for one in ids if one not in taken)


def _model(notetype: NoteType, mtime: int) -> genanki.Model:
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


def _note(card: Card, model: genanki.Model, deck_id: int) -> genanki.Note:
    """A note as genanki's, checked: its cards are those that were meant, and its fields are HTML.

    Raises EngineError with the place of the note: better no package than one with cards missing.
    """
    rendered = card.rendered
    where = f"{rendered.places[0].source}:{rendered.places[0].span.first}"
    try:
        note = _Note(model, list(rendered.fields), guid=card.guid, tags=list(rendered.tags), due=card.due)
    except ValueError as error:
        raise EngineError(str(error), where) from None
    note.mtime, note.where, note.deck_id = card.mtime, where, deck_id
    made = tuple(sorted(one.ord for one in note.cards))
    if made != tuple(sorted(rendered.ordinals)) or not made:
        message = f"Anki would make the cards {made} of this note, not {rendered.ordinals}"
        raise EngineError(message, where, FAULT)
    note.cards[:] = [_Card(ordinal) for ordinal in made]
    for number, one in enumerate(note.cards):
        one.later = number * SIBLINGS_APART
    return note
