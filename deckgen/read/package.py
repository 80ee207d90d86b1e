"""Notes of a package as JSON Lines, the card of one on each line: from there on they are read as any cards in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from deckgen.model.note import fenced
from deckgen.model.package import PackagedNote
from deckgen.read.card_fields import fields_of
from deckgen.read.card_html import markdown_of, plain_of
from deckgen.read.templates import Side, side
from deckgen.text.pattern import CLOZE, pattern
from deckgen.text.syntax import parsed
from deckgen.text.wording import without_half_characters

ENDINGS = (".apkg", ".colpkg")
_CODE = pattern(r"(?:\w+[\s_-])?«cards.code»", re.IGNORECASE)
_MOST = 4
"""Cards of a note that ask for something that no other of its cards shows."""


def as_lines(notes: Iterable[PackagedNote]) -> str:
    """The text of a file of JSON Lines. What a note's cards show twice, as the two directions of a pair, is told once."""
    return "\n".join(json.dumps(one, ensure_ascii=False) for note in notes for one in _records(note))


def _records(note: PackagedNote) -> Iterator[Mapping[str, object]]:
    texts = {name: without_half_characters(markdown_of(text)) for name, text in note.fields.items()}
    texts |= {name: _as_code(note.fields[name], text) for name, text in texts.items() if _CODE.fullmatch(name)}
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
        texts |= {name: _fenced(texts[name]) for name in (*shown, *answered) if name in asked.code | told.code}
        made += 1
        own = f"{note.id}.{made}" if made > 1 else str(note.id)
        yield {**_asking(fields_of(texts, shown, answered, has_templates=True), asked), **about, "id": own}
    if not made:
        yield {**about, "id": str(note.id)}


def _as_code(html: str, text: str) -> str:
    """A field that is called `Code` as code, if it is Python; else its Markdown."""
    code = without_half_characters(plain_of(html))
    return _fenced(code) if "```" not in text and parsed(code) is not None and not code.isidentifier() else text


def _fenced(text: str) -> str:
    """A text that a card shows as code, where it says nothing else of itself."""
    return text if "`" in text or CLOZE.search(text) or not text.strip() else fenced(text, "python")


def _asking(record: dict[str, object], asked: Side) -> dict[str, object]:
    """A record with the question that stands in its template, above the field that it is about."""
    name = next((one for one in ("front", "question") if one in record), "")
    if not name or not asked.text.rstrip().endswith(("?", "？")):
        return record
    return {**record, name: f"{asked.text}\n\n{record[name]}"}
