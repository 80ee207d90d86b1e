"""Notes of a package as JSON Lines, the card of one on each line: from there on they are read as any cards in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from deckgen.model.package import PackagedNote
from deckgen.read.card_fields import fields_of
from deckgen.read.card_html import markdown_of
from deckgen.read.templates import Side, side
from deckgen.text.wording import without_half_characters

ENDINGS = (".apkg", ".colpkg")
_MOST = 4
"""Cards of a note that ask for something that no other of its cards shows."""


def as_lines(notes: Iterable[PackagedNote]) -> str:
    """The text of a file of JSON Lines. What a note's cards show twice, as the two directions of a pair, is told once."""
    return "\n".join(json.dumps(one, ensure_ascii=False) for note in notes for one in _records(note))


def _records(note: PackagedNote) -> Iterator[Mapping[str, object]]:
    texts = {name: without_half_characters(markdown_of(text)) for name, text in note.fields.items()}
    about = {"deck": note.deck, "tags": list(note.tags)}
    known: set[str] = set()
    made = 0
    for front, back in note.type.templates:
        asked, told = side(front, texts), side(back, texts)
        shown = [name for name in asked.fields if name in texts]
        answered = [name for name in told.fields if name in texts and name not in shown]
        if not shown or {*shown, *answered} <= known or made == _MOST:
            continue
        known |= {*shown, *answered}
        made += 1
        own = f"{note.id}.{made}" if made > 1 else str(note.id)
        yield {**_asking(fields_of(texts, shown, answered), asked), **about, "id": own}
    if not made:
        yield {**about, "id": str(note.id)}


def _asking(record: dict[str, object], asked: Side) -> dict[str, object]:
    """A record with the question that stands in its template, above the field that it is about."""
    name = next((one for one in ("front", "question") if one in record), "")
    if not name or not asked.text.rstrip().endswith(("?", "？")):
        return record
    return {**record, name: f"{asked.text}\n\n{record[name]}"}
