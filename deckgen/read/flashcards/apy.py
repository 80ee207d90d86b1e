"""apy: each note is a heading of level one with `model:` and `tags:` below it, and a heading of level two for each field."""

from __future__ import annotations

from deckgen.model.source import Span
from deckgen.read.flashcards.written import Found, Side, Text, Written, joined, tags_of
from deckgen.text.pattern import pattern

SIGNS = ("\n## Front", "\n## Text", "\nmodel: ")
_HEADING = pattern(r"(?P<marks>#{1,2})(?!#)[ \t]*(?P<text>.*?)[ \t]*")
_KEY = pattern(r"(?P<key>\w+): (?P<value>.*)")
_KEYS = frozenset("model deck tag tags nid cid id markdown md external-ids".split())
_NEEDED = ({"Front", "Back"}, {"Text"})
_KNOWN = {"Front", "Back", "Text", "Back Extra", "Extra", "Add Reverse"}
"""Fields of Anki's own types; other types are named by `model:`."""
_Said = dict[str, str]


def find(text: Text) -> Found:
    """The notes of a file all of whose sections are notes."""
    found = Found()
    headings = [(at, len(one["marks"]), one["text"]) for at, line in text.plain() if (one := _HEADING.fullmatch(line))]
    tops = [at for at, level, _ in headings if level == 1]
    if not tops:
        return found
    for_all = _said(text, 0, tops[0], found)
    for start, stop in zip(tops, [*tops[1:], len(text.lines)], strict=True):
        fields = [(at, name) for at, level, name in headings if level == 2 and start < at < stop]
        said = _said(text, start + 1, fields[0][0] if fields else stop, Found())
        sides: dict[str, Side] = {}
        for at, end in zip(fields, [*(at for at, _ in fields[1:]), stop], strict=False):
            sides[at[1]] = text.side(at[0] + 1, end)
        if not fields or not _is_note({*sides}, for_all | said) or _has_text(text, start + 1, fields[0][0]):
            return Found()
        found.cards.append(_card(Span(start, stop), sides, for_all, said))
    return found


def _is_note(names: set[str], said: _Said) -> bool:
    named = "model" in said and len(names) > 1
    return named or (any(kind <= names for kind in _NEEDED) and names <= _KNOWN)


def _has_text(text: Text, start: int, stop: int) -> bool:
    return any(line.strip() and not _KEY.fullmatch(line.rstrip()) for line in text.lines[start:stop])


def _said(text: Text, start: int, stop: int, found: Found) -> _Said:
    said: _Said = {}
    for at, line in text.plain(start, stop):
        if (one := _KEY.fullmatch(line.rstrip())) and one["key"].lower() in _KEYS:
            said["tags" if one["key"].lower() == "tag" else one["key"].lower()] = one["value"].strip()
            found.marks.add(at)
    return said


def _card(span: Span, sides: dict[str, Side], for_all: _Said, said: _Said) -> Written:
    every = for_all | said
    front, *others = sides.values()
    lines = [line.number for side in sides.values() for line in side]
    return Written(
        span=Span(span.start, max([span.start, *lines]) + 1),
        front=front,
        back=joined(*others),
        both="reversed" in every.get("model", ""),
        id=said.get("nid") or said.get("id") or said.get("cid") or "",
        tags=(*tags_of(for_all.get("tags", "")), *tags_of(said.get("tags", ""))),
        deck=every.get("deck", ""),
    )
