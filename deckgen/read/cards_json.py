"""Cards in JSON, a list of objects or `{"cards": [...]}`, and in JSON Lines, an object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from string import ascii_uppercase

from deckgen.model.document import Document
from deckgen.model.source import Source
from deckgen.read import conversation, located, package
from deckgen.read.records import KNOWN, Entry, document_of_records, is_card
from deckgen.text.pattern import pattern
from deckgen.text.wording import one_line, without_half_characters

LINES = (".jsonl", ".ndjson", *package.ENDINGS)
"""A package comes as lines, too."""
_FIELDS = pattern(r'"(?:front|question|text|cards)"\s*:', re.IGNORECASE)
_NEAR = frozenset({"front", "back", "question", "answer", "cards", "flashcards", "q", "a", "term", "definition"})
"""Names that only cards have: what has one of them and is no card was meant as one."""
_NAMES = pattern(r"""["'](\w+)["']\s*:""")
_LONGEST_NAME = 40
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
    if not _may_hold_cards(source):
        return None
    found = list(_of_whole(source))
    return document_of_records(source, "json", found) if found else None


def _may_hold_cards(source: Source) -> bool:
    begin = source.text.lstrip()[:1]
    if begin in ("[", "{") and _FIELDS.search(source.text, 0, _HEAD):
        return True
    names = (found[1].casefold() for found in _NAMES.finditer(source.text, 0, _HEAD))
    return begin in ("[", "{", "`") and _is_json(source) and any(name in _NEAR for name in names)


def _is_json(source: Source) -> bool:
    """True for a file that can be nothing else: what is wrong with it is told."""
    return source.name.lower().endswith(".json")


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
    return Entry(line, _fields(value)) if isinstance(value, dict) else Entry(line, {}, _NOT_AN_OBJECT)


def _fields(value: Mapping[str, object]) -> Mapping[str, object]:
    """A record with the names of its fields as deckgen writes them, and the options of a question as `choices`."""
    if not all(name in KNOWN for name in value):
        small = {name: name.casefold() for name in value}
        value = {
            small[name] if small[name] in KNOWN and small[name] not in value else name: one
            for name, one in value.items()
        }
        called = next((name for name in value if name.casefold() == "options"), "")
        if "question" in value and "choices" not in value and isinstance(value.get(called), list | dict):
            value = {"choices" if name == called else name: one for name, one in value.items()}
    choices = value.get("choices")
    if isinstance(choices, dict) and [name.strip().upper() for name in choices] == [*ascii_uppercase[: len(choices)]]:
        return {**value, "choices": [*choices.values()]}
    return value


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
    """The records of a list, or one alone; nothing of what is something else. Only what looks like cards can be broken cards."""
    objects: dict[int, int] = {}
    try:
        value = located.loads(source.text, objects=objects)
    except json.JSONDecodeError as error:
        if _is_json(source):
            yield Entry(error.lineno - 1, {}, f"no JSON: {error.msg} (column {error.colno}){_hint(source, error.pos)}")
        return
    except ValueError as error:
        if _is_json(source):
            yield Entry(0, {}, f"no JSON: {error}")
        return
    cards = value if isinstance(value, list) else _cards_of(value) if isinstance(value, dict) else None
    is_one = cards is not None and any(isinstance(card, dict) and is_card(_fields(card)) for card in cards)
    if (not is_one and not _is_json(source)) or conversation.read(source):
        return
    if cards is None or not (
        is_one or any(map(_is_near, cards)) or "cards" in (value if isinstance(value, dict) else ())
    ):
        problem = _why_no_cards(value) if isinstance(value, dict) else ""
        if problem:
            yield Entry(objects.get(id(value), 0), {}, problem)
        return
    if not cards:
        yield Entry(objects.get(id(value), 0), {}, 'no card: the list "cards" is empty')
    line = 0
    for card in cards:
        line = objects.get(id(card), line)
        yield _entry(line, card)


def _hint(source: Source, at: int) -> str:
    """What to write instead of what people and programs take for JSON."""
    if source.text.lstrip().startswith("```"):
        return ": leave out the fence around it"
    return ": texts stand in double quotes" if source.text[at : at + 1] == "'" else ""


def _cards_of(value: Mapping[str, object]) -> list[object] | None:
    """The list `cards`, or an object that is a card itself, or was meant as one."""
    cards = value.get("cards")
    if isinstance(cards, list):
        return cards
    fields = _fields(value)
    is_meant = is_card(fields) or (_is_near(fields) and not any(isinstance(one, list) for one in value.values()))
    return [value] if is_meant and cards is None else None


def _is_near(value: object) -> bool:
    return isinstance(value, dict) and any(name.casefold() in _NEAR for name in value)


def _why_no_cards(value: Mapping[str, object]) -> str:
    """What is said of an object that holds cards under another name; nothing of data of another kind."""
    under = next((name for name, one in value.items() if isinstance(one, list) and any(map(_is_near, one))), None)
    if under is None and not _is_near(value):
        return ""
    seen = ", ".join(f'"{one_line(name, _LONGEST_NAME)}"' for name in [*value][:6])
    return f'no cards: they are a list, or a list under "cards"; this object has {seen}'
