"""flashcards-obsidian: a line or a heading that ends with `#card`, and the paragraph below it; `^1663166473000` is its id.

With `cards-deck` in its front matter each line with `front::back`, `==text==` or `{text}` is a card, too.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from deckgen.model.source import Span
from deckgen.read.flashcards.gaps import curly_together, has
from deckgen.read.flashcards.written import LONGEST, Found, Line, Text, Written, tags_of, text_of, trimmed, value
from deckgen.text.pattern import pattern
from deckgen.text.sides import cut

SIGNS = ("card",)
_TAGGED = pattern(
    r"(?P<level> {0,3}#{1,6}[ \t]+)?(?P<text>.*?)(?:(?<=[ \t])|(?<!\S))#(?:flash)?card(?P<other>(?!))?(?P<kind>[-/](?:reverse|spaced))?(?P<tags>(?:[ \t]+#[\w/-]+)*)[ \t]*"
)
_OTHER_TAG = pattern(
    r"(?P<level> {0,3}#{1,6}[ \t]+)?(?P<text>.*?)[ \t]#(?P<other>\w+)(?P<kind>[-/](?:reverse|spaced))?(?P<tags>)[ \t]*"
)
"""A tag of the author's choice: what stands below it is a card if the tool has given it an id."""
_ID = pattern(r"\^(?P<id>\d{6,})[ \t]*")
_ID_AT_END = pattern(r"(?P<text>.*?)[ \t]+\^(?P<id>\d{6,})[ \t]*")
_ENTRY = pattern(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")
_OTHER_FORM = pattern(r"\{\{c\d+::|(?:^|\s):::?(?:\s|$)|(?m:^\s*\?\??\s*$)|(?<![:\w]):::(?![:\w])")
_HIGHLIGHT = pattern(r"(?<![`=\w])==(\S(?:[^`=\n]*[^`=\s])?)==(?![`=\w])")
KEY = "cards-deck"
_BULLET = pattern(r"\A[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_TAGS = pattern(r"(?P<text>.*?)(?P<tags>(?:[ \t]+#[^\W\d][\w/-]*)+)[ \t]*")
_HEADING = pattern(r" {0,3}#{1,6}[ \t]")


def find(text: Text) -> Found:
    """The cards; a tag by itself, or one beside a card in another form, is no card."""
    found = _tagged(text)
    if KEY in text.matter:
        found.cards += list(_on_lines(text, found.lines))
    return found


def _on_lines(text: Text, taken: Container[int]) -> Iterator[Written]:
    """Cards of one line each, with their ids."""
    for at, line in text.plain():
        if at in taken or _HEADING.match(line):
            continue
        said, identity, stop = _with_id(text, at, _BULLET.sub("", line))
        tagged = _TAGS.fullmatch(said)
        said, tags = (tagged["text"], tagged["tags"]) if tagged else (said, "")
        sides = cut(said, tight=True)
        gaps = None if sides else curly_together
        if sides or (gaps and has(gaps, said)):
            front, back = (sides.front, sides.back) if sides else (said, "")
            yield Written(
                span=Span(at, stop),
                front=[Line(at, front)],
                back=[Line(at, back)] if back else (),
                both=bool(sides and sides.both),
                gaps=gaps,
                id=identity,
                tags=tags_of(tags),
                deck=value(text.matter, KEY),
            )


def _with_id(text: Text, last: int, line: str) -> tuple[str, str, int]:
    """(the last line of a card without the id at its end, the id there or on the next line, the line behind both)."""
    below = _ID.fullmatch(text.lines[last + 1]) if last + 1 < len(text.lines) else None
    if below:
        return line, below["id"], last + 2
    ended = _ID_AT_END.fullmatch(line) if last not in text.code else None
    return (ended["text"], ended["id"], last + 1) if ended else (line, "", last + 1)


def _tagged(text: Text) -> Found:
    found = Found()
    stop = 0
    for at, line in text.plain():
        tagged = _TAGGED.fullmatch(line) if at >= stop and "card" in line and not _ENTRY.match(line) else None
        if tagged is None and at >= stop and KEY in text.matter and "#" in line:
            tagged = _OTHER_TAG.fullmatch(line)
        card = _card(text, at, stop, tagged) if tagged else None
        card = card if card and (card.id or not (tagged and tagged["other"])) else None
        if card:
            found.cards.append(card)
            stop = card.span.stop
    return found


def _card(text: Text, at: int, above: int, tagged: re.Match[str]) -> Written | None:
    """The card whose tag stands on a line; `above` = where the card before it ends."""
    own = Line(at, tagged["text"].strip())
    start = at if tagged["level"] else _first(text, at, above, alone=not own.text)
    asked = trimmed([*(Line(n, _HEADING.sub("", text.lines[n])) for n in range(start, at)), own])
    below = next((n for n in range(at + 1, len(text.lines)) if text.lines[n].strip()), len(text.lines))
    if not own.text and (start == at or below > at + 1):
        return None  # a tag by itself is about the whole file
    back = [] if below < len(text.lines) and _TAGGED.fullmatch(text.lines[below]) else list(_answer(text, below))
    said = text_of([*asked, *(one for one in back if one.number not in text.code)])
    is_question = text_of(asked).rstrip().endswith(("?", "？"))
    if not asked or _OTHER_FORM.search(said) or not (back or is_question or tagged["kind"] == "/spaced"):
        return None
    if not is_question and _HIGHLIGHT.search(said):
        return None  # a statement with gaps
    last = back[-1].number if back else at
    ending, identity, stop = _with_id(text, last, back[-1].text if back else "")
    back = [*back[:-1], Line(last, ending)] if back else []
    return Written(
        span=Span(start, stop),
        front=list(map(_highlighted, asked)),
        back=[line if line.number in text.code else _highlighted(line) for line in back],
        both="reverse" in (tagged["kind"] or ""),
        id=identity,
        tags=tags_of(tagged["tags"]),
        deck=value(text.matter, KEY),
    )


def _highlighted(line: Line) -> Line:
    """A line with highlights as Markdown has them: beside a question they are no gaps."""
    return line._replace(text=_HIGHLIGHT.sub(r"**\1**", line.text)) if "==" in line.text else line


def _first(text: Text, at: int, above: int, *, alone: bool) -> int:
    """The first line of the paragraph that a line ends; of a tag `alone` on its line it may be a heading."""
    if alone and at > above and _HEADING.match(text.lines[at - 1]):
        return at - 1
    above = max(above, at - LONGEST)
    while (
        at > above and text.lines[at - 1].strip() and at - 1 not in text.code and not _HEADING.match(text.lines[at - 1])
    ):
        at -= 1
    return at


def _answer(text: Text, start: int) -> Iterator[Line]:
    """The paragraph that begins on a line; with the whole of each fence in it."""
    for at in range(start, min(len(text.lines), start + LONGEST)):
        line = text.lines[at]
        if at not in text.code and (not line.strip() or _ID.fullmatch(line) or _HEADING.match(line)):
            return
        yield Line(at, line.rstrip())
