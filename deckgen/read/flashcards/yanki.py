"""Yanki: a file is a note, with `noteId` in its front matter; a rule parts front and back, `~~text~~` is a gap."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.model.source import Span
from deckgen.read.flashcards.gaps import has, struck
from deckgen.read.flashcards.written import Found, Line, Text, Written, joined, text_of, trimmed, value
from deckgen.text.pattern import pattern

SIGNS = ("",)
_RULE = pattern(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_TYPED = pattern(r"[ \t]*(?P<mark>[_*])(?!(?P=mark))(?P<text>.+?)(?P=mark)[ \t]*")
KEY = "noteId"


def find(text: Text, *, chosen: bool = False) -> Found:
    """The one note of a file that has the id of one, or where the deck says so."""
    identity = value(text.matter, KEY)
    if not (chosen or identity.isdecimal()):
        return Found()
    empty = tuple(text.lines[:2]) == ("---", "---")  # front matter that says nothing
    lines = text.side(2 if empty else 0, len(text.lines))
    rules = [n for n, line in enumerate(lines) if _is_rule(text, lines, n)]
    first, *others = rules or [len(lines)]
    front = trimmed(lines[:first])
    both = bool(others) and not trimmed(lines[first + 1 : others[0]])
    back = trimmed(lines[first + 1 :])
    if both:
        extra = others[1] if len(others) > 1 else len(lines)
        back = joined(trimmed(lines[others[0] + 1 : extra]), trimmed(lines[extra + 1 :]))
    cloze = has(struck, text_of(front))
    if not rules and not cloze and len(lines) > 1 and (typed := _TYPED.fullmatch(lines[-1].text)):
        front, back = trimmed(lines[:-1]), [Line(lines[-1].number, typed["text"])]
    if not lines or not (back or cloze or chosen):
        return Found()
    span = Span(lines[0].number, lines[-1].number + 1)
    return Found([Written(span=span, front=front, back=back, both=both, gaps=struck if cloze else None, id=identity)])


def _is_rule(text: Text, lines: Sequence[Line], at: int) -> bool:
    """True for a rule of Markdown: `---` right below a text makes a heading of it."""
    line = lines[at]
    if line.number in text.code or not _RULE.fullmatch(line.text):
        return False
    return (
        not line.text.lstrip().startswith("-")
        or at == 0
        or not lines[at - 1].text.strip()
        or bool(_RULE.fullmatch(lines[at - 1].text))
    )
