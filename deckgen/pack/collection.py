"""The SQLite file of a package: with times of their own for each note and note type.

genanki makes the file, the decks and the note types, and says which cards a note has and whether its fields are HTML. The rows
of notes and cards are written here, all at once.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sqlite3
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import genanki

from deckgen.model.deck import FIELDS, Card, Deck, Kind, NoteType
from deckgen.model.errors import EngineError
from deckgen.text.pattern import pattern

FAULT = "this is a fault of deckgen: please report it with the note"

SIBLINGS_APART = 20.5
"""Notes between the cards of a note. Anki reads dues for new cards alone, so nobody's order is moved."""
_SPACE = pattern(r"\s")
_HAVE: Mapping[str, Callable[[Iterable[object]], bool]] = {"any": any, "all": all}


class _Model(genanki.Model):  # type: ignore[misc]  # genanki ships no types
    """A note type whose time is that of its last change, not of the build."""

    mtime: int

    def to_json(self, timestamp: float, deck_id: int) -> dict[str, Any]:
        return dict(super().to_json(self.mtime, deck_id))


class _Note(genanki.Note):  # type: ignore[misc]  # genanki ships no types
    """A note that genanki looks at."""

    where: str
    # the same tags, without looking at each to the end of its line
    _INVALID_HTML_TAG_RE = re.compile(genanki.Note._INVALID_HTML_TAG_RE.pattern.replace(" .*", " [^>\\n]*"))

    def check(self) -> None:
        """Raises EngineError for text that Anki would take for tags, of which genanki only warns."""
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "Field contained")
            try:
                self._check_invalid_html_tags_in_fields()
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
    for name in sorted({card.subdeck for card in deck.cards}.union(deck.descriptions) - {deck.name}):
        ids[name] = _free_id(deck.id, name, ids.values())
        made.subdecks.append(_Deck(ids[name], name, deck.descriptions.get(name, "")))
    models = {notetype.kind: _model(notetype, deck.notetypes_mtime) for notetype in notetypes}
    guids: set[str] = set()
    for card in deck.cards:
        if card.guid in guids:
            raise EngineError(f"two notes have the GUID {card.guid}: Anki would overwrite one with the other")
        guids.add(card.guid)
        made.add_model(models[card.rendered.kind])
    newest = max((card.mtime for card in deck.cards), default=deck.notetypes_mtime)
    # ids are times in milliseconds; Anki gives a note another one if it is taken
    cards: list[Row] = []
    notes = _rows(deck.cards, models, ids, itertools.count(newest * 1000), cards)
    connection = sqlite3.connect(":memory:")
    try:
        cursor = connection.cursor()
        genanki.Package(made).write_to_db(cursor, newest, iter(()))
        cursor.executemany(f"INSERT INTO notes VALUES({','.join('?' * 11)})", notes)
        cursor.executemany(f"INSERT INTO cards VALUES({','.join('?' * 18)})", cards)
        connection.commit()
        connection.execute("VACUUM")  # a sixth smaller
        return connection.serialize()
    finally:
        connection.close()


Row = tuple[object, ...]


def _rows(
    cards: Iterable[Card],
    models: Mapping[Kind, genanki.Model],
    decks: Mapping[str, int],
    ids: Iterator[int],
    made: list[Row],
) -> Iterator[Row]:
    """The notes as genanki would write them one by one, and in `made` their cards; all at once takes a third of the time."""
    for card in cards:
        rendered = card.rendered
        model, mtime, deck = models[rendered.kind], card.mtime, decks[card.subdeck]
        ordinals = _ordinals(card, model)
        note, fields, tags = next(ids), "\x1f".join(rendered.fields), f" {' '.join(rendered.tags)} "
        title = rendered.fields[model.sort_field_index]
        yield note, card.guid, model.model_id, mtime, -1, tags, fields, title, 0, 0, ""
        for number, ordinal in enumerate(ordinals):
            due = card.due + int(number * SIBLINGS_APART * card.step)
            made.append((next(ids), note, deck, ordinal, mtime, -1, 0, 0, due, 0, 0, 0, 0, 0, 0, 0, 0, ""))


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


def _ordinals(card: Card, model: genanki.Model) -> tuple[int, ...]:
    """The cards of a note, checked: they are those that were meant, its tags are whole, and its fields are HTML.

    Raises EngineError with the place of the note: better no package than one with cards missing.
    """
    rendered = card.rendered
    fields = rendered.fields
    if any(map(_SPACE.search, rendered.tags)) or _Note._INVALID_HTML_TAG_RE.search("\x1f".join(fields)):
        _note(card, model).check()
    if model.model_type == genanki.Model.CLOZE:
        made = tuple(sorted(one.ord for one in _note(card, model).cards))
    else:  # as genanki does, without a note of its own for each
        made = tuple([at for at, which, needed in model._req if _HAVE[which]([fields[one] for one in needed])])
    if made != tuple(sorted(rendered.ordinals)) or not made:
        message = f"Anki would make the cards {made} of this note, not {rendered.ordinals}"
        raise EngineError(message, _where(card), FAULT)
    return made


def _note(card: Card, model: genanki.Model) -> _Note:
    try:
        note = _Note(model, list(card.rendered.fields), guid=card.guid, tags=list(card.rendered.tags))
    except ValueError as error:
        raise EngineError(str(error), _where(card), FAULT) from None
    note.where = _where(card)
    return note


def _where(card: Card) -> str:
    place = card.rendered.places[0]
    return f"{place.source}:{place.span.first}"
