"""Reading packages: an .apkg, deckgen's or anybody else's, as a snapshot."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from deckgen.compare.collection import Collection, UnreadableError, brief, database, opened
from deckgen.model.difference import Snapshot, SnapshotNote, SnapshotType
from deckgen.model.errors import UsageError
from deckgen.text.text_patterns import unescaped, untagged

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
