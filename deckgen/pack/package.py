"""A deck as the bytes of an Anki package: the same deck gives the same bytes.

(With the same SQLite and zlib: the former writes its version into the file.)
"""

from __future__ import annotations

import io
import itertools
import json
import sqlite3
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from deckgen.model.deck import Deck, Kind, Media, NoteType
from deckgen.model.errors import EngineError
from deckgen.pack.fingerprint import fingerprint

if TYPE_CHECKING:
    import genanki

    from deckgen.pack.models import Rows

LEVEL = 5
"""Of deflate; 6 takes a quarter longer for two percent, 9 thrice as long for three."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date a zip file can hold; the real one would make every build another file."""


def package(deck: Deck, notetypes: Collection[NoteType], mark: bytes = b"") -> bytes:
    """The bytes of the package; `mark` is its fingerprint, if the caller knows it.

    Raises EngineError for a note that Anki would not show as meant.
    """
    media = _media(deck)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        _add(archive, "collection.anki2", _collection(deck, notetypes))
        _add(archive, "media", json.dumps({str(i): one.name for i, one in enumerate(media)}).encode())
        for number, one in enumerate(media):
            _add(archive, str(number), one.data)
        archive.comment = mark or fingerprint(deck, notetypes)
    return buffer.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.create_system = 3  # as on Unix, on every system
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, zipfile.ZIP_DEFLATED, LEVEL)


def _media(deck: Deck) -> list[Media]:
    found: dict[str, Media] = {}
    for card in deck.cards:
        for one in card.rendered.media:
            if found.setdefault(one.name, one).data != one.data:
                raise EngineError(f"two media files are called {one.name}")
    return [found[name] for name in sorted(found)]


def _collection(deck: Deck, notetypes: Collection[NoteType]) -> bytes:
    """The SQLite file of the package."""
    # genanki takes 0.1 s to import and nothing but this needs it
    import genanki

    from deckgen.pack.models import Rows, model, strictly

    models = {notetype.kind: model(notetype, deck.notetypes_mtime) for notetype in notetypes}
    rows = Rows()
    made = _deck(deck, models, rows)
    newest = max((card.mtime for card in deck.cards), default=deck.notetypes_mtime)
    connection = sqlite3.connect(":memory:")
    try:
        cursor = connection.cursor()
        # ids are times in milliseconds; Anki gives a note another one if it is taken
        ids = itertools.count(newest * 1000)
        with strictly():
            genanki.Package(made).write_to_db(cursor, newest, ids)
        rows.write(cursor)
        connection.commit()
        return connection.serialize()
    finally:
        connection.close()


def _deck(deck: Deck, models: Mapping[Kind, genanki.Model], rows: Rows) -> genanki.Deck:
    """The deck with its description, its subdecks in the order of their names, and all notes."""
    from deckgen.pack.models import anki_deck, anki_note

    made = anki_deck(deck.id, deck.name, deck.description)
    ids = {deck.name: deck.id}
    for name in sorted({card.subdeck for card in deck.cards} - {deck.name}):
        ids[name] = _free_id(deck.id, name, ids.values())
        made.subdecks.append(anki_deck(ids[name], name, ""))
    _check_guids(card.guid for card in deck.cards)
    for card in deck.cards:
        made.add_note(anki_note(card, models[card.rendered.kind], ids[card.subdeck], rows))
    return made


def _free_id(deck_id: int, name: str, others: Iterable[int]) -> int:
    """Anki knows decks by name and gives them ids of its own; inside a package they must differ."""
    taken = frozenset(others)
    return next(candidate for candidate in _ids(deck_id, name) if candidate not in taken)


def _ids(deck_id: int, name: str) -> Iterator[int]:
    import hashlib

    for attempt in itertools.count():
        data = f"{deck_id}\n{name}\n{attempt}".encode()
        yield 2**40 + int.from_bytes(hashlib.sha256(data).digest()[:5], "big")


def _check_guids(guids: Iterable[str]) -> None:
    known: set[str] = set()
    for guid in guids:
        if guid in known:
            raise EngineError(f"two notes have the GUID {guid}: Anki would overwrite one with the other")
        known.add(guid)
