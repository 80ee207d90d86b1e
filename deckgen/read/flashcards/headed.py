"""Headings as fronts: mdanki and markdown-anki-decks (`## `), and md2anki (`## question (id)`, `## Subdeck: name`)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.model.source import Span
from deckgen.read.flashcards.written import LONGEST, Found, Line, Side, Text, Written, joined, text_of, trimmed
from deckgen.text.pattern import pattern

SIGNS = ("\n%", "\n[#", "data-question")
SIGNS_OF_MD2ANKI = ("`{=", "-4")
"""Ids are random UUIDs, whose third part begins with 4."""
_HEADING = pattern(r"(?P<marks>#{1,6})[ \t]+(?P<text>.*?)(?:[ \t]+#+)?[ \t]*")
_TAG = pattern(r"\[#(?P<tag>[^\]\d\n][^\]\n]*)\]\([^()\s]*\)")
_TAGS = pattern(rf"(?:{_TAG.pattern.replace('?P<tag>', '?:')}[ \t]*)+")
_TAG_TARGETS = pattern(r"\]\((?:[^()\s]*\.md)?\)")
_QUESTION = pattern(r"<(?:h2\b[^>]*|\w+\b[^>]*\bdata-question\b[^>]*)>(?P<text>.*?)(?P<end></\w+>)?[ \t]*")
_QUESTION_END = pattern(r"(?P<text>.*?)</(?:div|h2|section)>[ \t]*")
_WITH_ID = pattern(r"(?P<text>.+?)[ \t]+\((?P<id>[^()\s]+)\)")
_MADE_ID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MARK = pattern(r"`\{=(?::(?P<tags>.*?):|<[ \t]*(?P<model>\S+?)[ \t]*>)=\}`")
_SUBDECK = "Subdeck: "


def _headings(text: Text, deepest: int) -> Iterator[tuple[int, int, str]]:
    """(line, level, text) of each heading down to a level."""
    for at, line in text.plain():
        found = _HEADING.fullmatch(line) if line.startswith("#") else None
        if found and len(found["marks"]) <= deepest:
            yield at, len(found["marks"]), found["text"]


# mdanki and markdown-anki-decks


def find_headings(text: Text, *, chosen: bool = False) -> Found:
    """A card of each heading of level two; in a file that has a mark of these tools, or where the deck says so."""
    found = Found()
    signed = chosen
    for start, stop, front, rest in _asked(text):
        plain = [line for line in rest if line.number not in text.code]
        cut = next((line.number for line in plain if line.text.strip() == "%"), start)
        tags = [line for line in plain if _is_tags(line.text)]
        said = [line for line in rest if line not in tags]
        head, below = _parted(said, cut)
        signed |= bool(tags) or bool(head and below) or "data-question" in text.lines[start]
        named = tuple(_TAG.findall(text_of(tags)))
        found.cards.append(Written(span=Span(start, stop), front=joined(front, head), back=below, tags=named))
    return found if signed else Found()


def _parted(side: Side, cut: int) -> tuple[Side, Side]:
    """The lines above a line, and those below it."""
    return trimmed([one for one in side if one.number < cut]), trimmed([one for one in side if one.number > cut])


def _asked(text: Text) -> Iterator[tuple[int, int, Side, Sequence[Line]]]:
    """(first line, line behind the last, front, what stands below it) of each question."""
    begun: list[tuple[int, int, Side]] = []  # where it begins, where its front ends, its front
    ends = [at for at, level, _ in _headings(text, 1)]
    for at, line in text.plain():
        if begun and at < begun[-1][1]:
            continue
        heading, opened = _HEADING.fullmatch(line), _QUESTION.fullmatch(line)
        if heading and len(heading["marks"]) == 2:
            begun.append((at, at + 1, [Line(at, heading["text"])]))
        elif opened:
            begun.append(_opened(text, at, opened))
    stops = sorted((*(at for at, _, _ in begun), *ends, len(text.lines)))
    for at, below, front in begun:
        stop = stops[bisect_left(stops, below)]
        said = text.side(below, stop)
        yield at, max(below, said[-1].number + 1 if said else 0), front, said


def _opened(text: Text, at: int, opened: re.Match[str]) -> tuple[int, int, Side]:
    first = Line(at, opened["text"])
    if opened["end"]:
        return at, at + 1, [first]
    closed = next(
        (n for n, line in text.plain(at + 1, min(at + LONGEST, len(text.lines))) if _QUESTION_END.fullmatch(line)), at
    )
    last = _QUESTION_END.fullmatch(text.lines[closed]) if closed > at else None
    lines = [first, *text.side(at + 1, closed), Line(closed, last["text"] if last else "")]
    return at, closed + 1, trimmed(lines if last else [first])


def _is_tags(line: str) -> bool:
    return (
        line.startswith("[#")
        and _TAGS.fullmatch(line) is not None
        and len(_TAG_TARGETS.findall(line)) == line.count("](")
    )


# md2anki


def find_md2anki(text: Text, *, chosen: bool = False) -> Found:
    """A card of each heading below the first; where an id of the tool's own stands behind one, or another of its marks."""
    found = Found()
    headings = list(_headings(text, 6))
    first = next((at for at, level, _ in headings if level == 1), None)
    if first is None or not (chosen or _is_md2anki(text, headings)):
        return found
    below = [one for one in headings if one[0] > first]
    stops = [*(at for at, _, _ in below), len(text.lines)]
    ids = Counter(one["id"] for _, _, said in below if (one := _WITH_ID.fullmatch(said)))
    found.left[first] = f"# {_without_id(text.lines[first].lstrip('# '))}"
    found.marks |= _marks_alone(text, first + 1, stops[0])
    decks: list[str] = []
    tags = [_tags(line for _, line in text.plain(first + 1, stops[0]))]  # of the file, and of each subdeck
    for (at, level, said), stop in zip(below, stops[1:], strict=True):
        del decks[level - 2 :], tags[level - 1 :]
        if said.startswith(_SUBDECK):
            decks.append(_without_id(said.removeprefix(_SUBDECK)))
            tags.append(_tags(line for _, line in text.plain(at + 1, stop)))
            found.left[at] = f"{'#' * level} {decks[-1]}"
            found.marks |= _marks_alone(text, at + 1, stop)
            continue
        named = _WITH_ID.fullmatch(said)
        named = named if named and ids[named["id"]] == 1 else None
        card = _card(text, Line(at, named["text"] if named else said), stop)
        found.cards.append(
            replace(
                card,
                id=named["id"] if named else "",
                tags=(*(tag for every in tags for tag in every), *card.tags),
                deck="".join(f"::{deck}" for deck in decks),
            )
        )
    return found if found.cards else Found()


def _is_md2anki(text: Text, headings: Sequence[tuple[int, int, str]]) -> bool:
    ids = (one["id"] for _, level, said in headings if level > 1 and (one := _WITH_ID.fullmatch(said)))
    return any(map(_MADE_ID.fullmatch, ids)) or any(_MARK.search(line) for _, line in text.plain())


def _marks_alone(text: Text, start: int, stop: int) -> set[int]:
    """Lines that hold nothing but tags or a model."""
    return {at for at, line in text.plain(start, stop) if line.strip() and not _MARK.sub("", line).strip()}


def _card(text: Text, asked: Line, stop: int) -> Written:
    """What a heading asks, and what stands below it up to a line; with its own tags."""
    at = asked.number
    lines = [asked, *text.side(at + 1, stop)]
    cut = next((n for n, line in text.plain(at + 1, stop) if line.strip() == "---"), at)
    said = [
        line._replace(text=_MARK.sub("", line.text).rstrip()) if line.number not in text.code else line
        for line in lines
    ]
    marks = [found for line in lines if line.number not in text.code for found in _MARK.finditer(line.text)]
    head = [said[0]._replace(text=said[0].text.strip())]
    above, back = _parted(said[1:], cut)
    front = joined(head, above)
    cloze = any(found["model"] == "md2anki_type_cloze" for found in marks)
    return Written(
        span=Span(at, lines[-1].number + 1),
        front=joined(front, back) if cloze else front,
        back=() if cloze else back,
        tags=tuple(_tags(line.text for line in lines if line.number not in text.code)),
    )


def _without_id(said: str) -> str:
    found = _WITH_ID.fullmatch(said.strip())
    return found["text"] if found else said.strip()


def _tags(lines: Iterator[str]) -> list[str]:
    found = (one["tags"] for line in lines for one in _MARK.finditer(line) if one["tags"])
    return ["_".join(tag.split()) for tags in found for tag in tags.split(",") if tag.strip()]
