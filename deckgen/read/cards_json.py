"""Cards in JSON, a list of objects or `{"cards": [...]}`, and in JSON Lines, an object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from deckgen.model.document import Document
from deckgen.model.source import Source
from deckgen.read import conversation, located, package
from deckgen.read.located import Located
from deckgen.read.records import KNOWN, Entry, document_of_records, is_card
from deckgen.text.pattern import pattern
from deckgen.text.wording import without_half_characters

LINES = (".jsonl", ".ndjson", *package.ENDINGS)
"""A package comes as lines, too."""
_FIELDS = pattern(r'"(?:front|question|text|cards)"\s*:')
_HEAD = 100_000
"""Characters in which a file of cards has the name of a field."""
_NOT_AN_OBJECT = "no card: it is no JSON object"


def read(source: Source) -> Document | None:
    """The cards of a file of JSON. One that ends in `.jsonl` is JSON Lines: a line that is none is an error in its place."""
    if source.name.lower().endswith(LINES):
        entries = list(_of_lines(source))
        if source.name.lower().endswith(package.ENDINGS):
            return document_of_records(source, "package", entries, is_foreign=True)
        if any(is_card(one.fields) for one in entries) or (entries and conversation.read(source) is None):
            return document_of_records(source, "json", entries)
        return None
    if source.text.lstrip()[:1] not in ("[", "{") or not _FIELDS.search(source.text, 0, _HEAD):
        return None
    found = list(_of_whole(source))
    return document_of_records(source, "json", found) if found else None


def _of_lines(source: Source) -> Iterator[Entry]:
    for number, line in enumerate(source.lines):
        if line.strip():
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                yield Entry(number, {}, f"no card: no JSON on this line: {error.msg} (column {error.colno})")
            except (ValueError, RecursionError) as error:
                yield Entry(number, {}, f"no card: no JSON on this line: {_why(error)}")
            else:
                yield _entry(number, value if "\\u" not in line else _whole_characters(value))


def _why(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else "a number of too many digits"


def _entry(line: int, value: object) -> Entry:
    return Entry(line, value) if isinstance(value, dict) else Entry(line, {}, _NOT_AN_OBJECT)


def _whole_characters(value: object) -> object:
    """The fields of a record without halves of characters, which JSON can write."""
    match value:
        case str():
            return without_half_characters(value)
        case list():
            return [without_half_characters(one) if isinstance(one, str) else one for one in value]
        case dict():
            known = {name: one for name, one in value.items() if name in KNOWN}
            return {name: _whole_characters(one) if isinstance(one, str | list) else one for name, one in known.items()}
        case _:
            return value


def _of_whole(source: Source) -> Iterator[Entry]:
    """The records of a list; nothing of what is something else. Only what looks like cards can be broken cards."""
    try:
        value = located.loads(source.text)
    except json.JSONDecodeError as error:
        if source.name.lower().endswith(".json"):
            yield Entry(error.lineno - 1, {}, f"no JSON: {error.msg} (column {error.colno})")
        return
    except ValueError as error:
        if source.name.lower().endswith(".json"):
            yield Entry(0, {}, f"no JSON: {error}")
        return
    cards = value.get("cards") if isinstance(value, dict) else value
    if not isinstance(cards, list) or not any(map(is_card, cards)) or conversation.read(source):
        return
    line = 0
    for card in cards:
        line = _line_of(card, line)
        yield _entry(line, card)


def _line_of(card: object, above: int) -> int:
    """The line of the first text of a record; that of the record above, if it has none."""
    texts = card.values() if isinstance(card, dict) else ()
    return next((one.line for one in texts if isinstance(one, Located)), above)
