"""Obsidian_to_Anki: notes between `START` and `END`, or `%%ANKI` and `END%%`, and `STARTI [Basic] ... ENDI` within a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.model.source import Span
from deckgen.read.flashcards.gaps import curly
from deckgen.read.flashcards.written import Found, Line, Side, Text, Written, joined, tags_of, text_of, trimmed, value
from deckgen.text.pattern import pattern

SIGNS = ("\nSTART\n", "\n%%ANKI", "STARTI [")
_BEGINS = {"START": "END", "%%ANKI": "END%%"}
_ID = pattern(r"\s*(?:<!--\s*)?ID:\s*(?P<id>\d+)\s*(?:-->)?\s*")
_TAGS = pattern(r"\s*Tags:\s*(?P<tags>.*)")
_TYPE = pattern(r"[^\W\d][\w ()-]{0,60}")
_OWN_TYPES = ("Basic", "Cloze")
_FIELD = pattern(r"(?P<name>[A-Z][\w ]{0,30}?):[ \t]*(?P<text>.*)")
_INLINE = pattern(r"STARTI\s+\[(?P<type>[^\[\]\n]+)\](?P<text>(?:(?!STARTI|ENDI).)*)ENDI")
_INLINE_ID = pattern(r"(?:<!--\s*)?ID:\s*(?P<id>\d+)")
_INLINE_TAGS = pattern(r"(?<!\S)Tags:(?P<tags>.*)")
_INLINE_FIELD = pattern(r"(?:^|(?<=\s))(?P<name>Front|Back|Text|Extra):(?=\s|$)")
_FOR_ALL = pattern(r"(?P<key>TARGET DECK|FILE TAGS)(?::[ \t]*(?P<value>.*)|[ \t]*)")
_REMOVED = pattern(r"\s*DELETE\s*")


def find(text: Text) -> Found:
    """The notes, in the deck and with the tags that the file says."""
    found = Found()
    said = {key: value(text.matter, key) for key in ("TARGET DECK", "FILE TAGS")}
    lines = iter(text.plain())
    for at, line in lines:
        if mark := _FOR_ALL.fullmatch(line):
            below = at + 1 if mark["value"] is None else at
            said[mark["key"]] = mark["value"] or "".join(text.lines[below : below + 1])
            found.marks.update((at, below))
    found.cards += _blocks(text)
    inside = found.lines
    for at, line in text.plain():
        if at not in inside and "STARTI" in line:
            found.cards += (_inline(at, one) for one in _INLINE.finditer(line))
            found.left[at] = _left(line)
        elif at not in inside and _REMOVED.fullmatch(line) and _ID.fullmatch("".join(text.lines[at + 1 : at + 2])):
            found.marks.update((at, at + 1))
    deck, tags = said["TARGET DECK"], tags_of(said["FILE TAGS"])
    found.cards = [replace(card, deck=deck, tags=(*tags, *card.tags)) for card in found.cards]
    return found if found.cards else Found()


def _blocks(text: Text) -> Iterator[Written]:
    stop = 0
    for at, line in text.plain():
        end = _BEGINS.get(line.rstrip())
        if at < stop or end is None or not "".join(text.lines[at + 1 : at + 2]).strip():
            continue
        last = next((n for n, one in text.plain(at + 1) if one.rstrip() == end or one.rstrip() in _BEGINS), None)
        if last is None or text.lines[last].rstrip() != end:
            continue
        lines = text.side(at + 1, last)
        identity = _ID.fullmatch(lines[-1].text) if lines else None
        lines = lines[:-1] if identity else lines
        tagged = _TAGS.fullmatch(lines[-1].text) if lines else None
        lines = lines[:-1] if tagged else lines
        if not lines or not _TYPE.fullmatch(lines[0].text.strip()):
            continue
        kind = lines[0].text.strip()
        fields = _fields(text, kind, lines[1:])
        if not (kind.startswith(_OWN_TYPES) or identity or len(fields) > 1):
            continue
        stop = last + 1
        yield _card(Span(at, stop), kind, [*map(trimmed, fields)], text_of(fields[0]), identity, tagged)


def _fields(text: Text, kind: str, lines: Sequence[Line]) -> list[list[Line]]:
    """The fields of a note: those of Anki's own types by their names, of other types by any name at the start of a line."""
    own = kind.startswith(_OWN_TYPES)
    names = {"Front", "Back", "Text", "Extra", "Back Extra", "Add Reverse"}
    fields: list[list[Line]] = [[]]
    for line in lines:
        begun = _FIELD.fullmatch(line.text) if line.number not in text.code else None
        named = begun if begun and (begun["name"] in names or not own) else None
        if named:
            fields += [[]] if any(one.text.strip() for one in fields[-1]) or len(fields) > 1 else []
        fields[-1].append(line._replace(text=named["text"]) if named else line)
    return fields


def _inline(at: int, found: re.Match[str]) -> Written:
    said = found["text"]
    identity = _INLINE_ID.search(said)
    said = said[: identity.start()] if identity else said
    tagged = _INLINE_TAGS.search(said)
    said = said[: tagged.start()] if tagged else said
    parts: list[str] = [""]
    done = 0
    for name in _INLINE_FIELD.finditer(said):
        parts[-1] += said[done : name.start()]
        parts += [""] if parts[-1].strip() else []
        done = name.end()
    parts[-1] += said[done:]
    sides = [[Line(at, part.strip())] for part in parts if part.strip()]
    return _card(Span(at, at + 1), found["type"].strip(), sides, said, identity, tagged)


def _card(
    span: Span,
    kind: str,
    fields: Sequence[Side],
    said: str,
    identity: re.Match[str] | None,
    tagged: re.Match[str] | None,
) -> Written:
    """A note of a type; where its text says no gaps of Anki's, those of the tool are meant."""
    front, *others = fields or [()]
    return Written(
        span=span,
        front=front,
        back=joined(*others),
        both="reversed" in kind,
        gaps=curly if "Cloze" in kind and "{{c" not in said else None,
        id=identity["id"] if identity else "",
        tags=tags_of(tagged["tags"] if tagged else ""),
    )


def _left(line: str) -> str:
    """What else stands on a line; nothing if that is the mark of a list."""
    rest = _INLINE.sub("", line)
    return rest if rest.strip(" \t-*+>") else ""
