"""What a scraper has joined or flattened on one line: bullets, tab-separated tables, terms with their meanings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.model.document import Item, Items, Table
from deckgen.model.source import Span, line_span
from deckgen.read.blocks.tabs import table_of
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import CHINESE

_FIRST = pattern(r"\s*(?P<mark>[-*+•·●○▪])\s+")
_COUNTED = pattern(r"(?:^|(?<=\s))(\d{1,2})[.、)）]\s+(?=\S)")
_PLAIN_MARKS = "-*+"
"""Marks that text uses as well: two more of them must follow."""
_TERM = pattern(
    r"\s*(?P<name>[A-Za-z_]\w*(?:\.\w+)*(?:\([\w\s,.*=]*\))?)"
    r"(?:\s*[:：]\s*|(?P<space>\s+(?=[^\x00-\x7f])))(?P<text>\S.{0,118})",
    re.A,
)
_CODED = pattern(r"[._(]|[a-z][A-Z]|[A-Z]{2}[a-z]")
"""No word of a sentence is written so."""


def items_on(line: str, number: int) -> list[Item]:
    """The items that a line holds, if it holds several; each stands on that line."""
    parts = _bullets(line) or _numbers(line)
    return [Item(line_span(number), 0, text, mark) for mark, text in parts]


def _bullets(line: str) -> list[tuple[str, str]]:
    first = _FIRST.match(line)
    if not first or line.count(first["mark"]) < 2:
        return []
    mark = first["mark"]
    parts = [part.strip() for part in re.split(rf"(?:^|\s){re.escape(mark)}\s+", line.strip()) if part.strip()]
    return [("", part) for part in parts] if len(parts) >= (3 if mark in _PLAIN_MARKS else 2) else []


def _numbers(line: str) -> list[tuple[str, str]]:
    if not line.lstrip().startswith(("1", "01")):
        return []
    marks = list(_COUNTED.finditer(line.strip()))
    in_order = [match for at, match in enumerate(marks) if int(match[1]) == at + 1]
    if len(in_order) < 3 or in_order[0].start():
        return []
    stops = [match.start() for match in in_order[1:]] + [len(line.strip())]
    return [(match[1], line.strip()[match.end() : stop].strip()) for match, stop in zip(in_order, stops, strict=True)]


def table_at(lines: Sequence[str], span: Span) -> Table | None:
    """The table that begins here with cells between tabs: at least two rows of as many cells."""
    tabs = lines[span.start].strip("\n").count("\t")
    if not tabs or not lines[span.start].strip():
        return None
    stop = span.start
    while stop < span.stop and lines[stop].count("\t") == tabs:
        stop += 1
    if stop - span.start < 2:
        return None
    return table_of(lines, Span(span.start, stop))


def terms_at(lines: Sequence[str], span: Span) -> Items | None:
    """Lines that each begin with a name and say what it is: `cat: joins`, or in Chinese `torch.sum 求和`."""
    found: list[Item] = []
    spaced = False
    for number in range(span.start, span.stop):
        match = _TERM.fullmatch(lines[number]) if len(lines[number]) < 200 else None
        if match is None or not _is_term(match):
            break
        spaced = spaced or bool(match["space"])
        found.append(Item(line_span(number), 0, f"{match['name']}: {match['text']}"))
    if len(found) < (3 if spaced else 2):
        return None
    return Items(Span(span.start, span.start + len(found)), tuple(found))


def _is_term(match: re.Match[str]) -> bool:
    """A name of code; a plain small word only before a colon and Chinese text (`note: ...` is no term)."""
    if match["space"] and not CHINESE.match(match["text"]):
        return False
    plain = match["name"].islower() and len(match["name"]) > 1 and not match["space"]
    return bool(_CODED.search(match["name"])) or (plain and bool(CHINESE.search(match["text"])))
