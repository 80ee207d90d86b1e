"""inka and inka2: sections between rules, with `Deck:` and `Tags:`, in which each numbered question is answered by a quote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deckgen.model.source import Span
from deckgen.read.flashcards.gaps import curly, has
from deckgen.read.flashcards.written import Found, Line, Text, Written, tags_of, text_of, trimmed
from deckgen.text.pattern import pattern

SIGNS = ("\nDeck:", "\nTags:", "\n<!--ID:")
_SAYS = pattern(r"(?P<key>Deck|Tags):[ \t]*(?P<value>.*)")
_NUMBER = pattern(r"\d+\.(?P<text>.*)")
_ID = pattern(r"<!--ID:(?P<id>\S+)-->")
_ANSWER = pattern(r">\s?(?P<text>.*)")


def find(text: Text) -> Found:
    """The notes of a file in which a section says its deck or its tags, or a note has an id."""
    found = Found()
    signed = False
    for section in _sections(text):
        cards, said = list(_notes(text, section)), _said(text, section)
        if not cards:
            continue
        signed |= bool(said) or any(card.id for card in cards)
        head = min(card.span.start for card in cards)
        found.marks |= {section.start - 1, section.stop}
        found.marks |= {at for at, line in text.plain(section.start, head) if _SAYS.fullmatch(line)}
        tags = tags_of(said.get("Tags", ""))
        found.cards += (replace(card, tags=tags, deck=said.get("Deck", "")) for card in cards)
    return found if signed else Found()


def _sections(text: Text) -> Iterator[Span]:
    """The lines between the first rule and the second, the third and the fourth, and so on."""
    rules = [at for at, line in text.plain() if line == "---"]
    for start, stop in zip(rules[::2], rules[1::2], strict=False):
        yield Span(start + 1, stop)


def _said(text: Text, section: Span) -> dict[str, str]:
    lines = (_SAYS.fullmatch(line) for _, line in text.plain(section.start, section.stop))
    return {found["key"]: found["value"].strip() for found in lines if found and found["value"].strip()}


def _notes(text: Text, section: Span) -> Iterator[Written]:
    starts: list[tuple[int, int, str]] = []  # where a note begins, the line of its number, its id
    known: tuple[int, str] | None = None
    for at, line in text.plain(section.start, section.stop):
        if named := _ID.fullmatch(line):
            known = at, named["id"]
        elif _NUMBER.match(line):
            starts.append((known[0], at, known[1]) if known else (at, at, ""))
            known = None
    ends = [*(begin for begin, _, _ in starts[1:]), section.stop]
    for (begin, at, identity), end in zip(starts, ends, strict=False):
        number = _NUMBER.match(text.lines[at])
        answer = [
            (n, line)
            for n, line in enumerate(text.lines[at + 1 : end], at + 1)
            if line.startswith(">") and n not in text.code
        ]
        first = answer[0][0] if answer else end
        last = next((n for n in range(first, end) if not text.lines[n].startswith(">")), end)
        front = text.side(at, first, number["text"].strip() if number else "")
        asked = text_of(front)
        if answer or has(curly, asked) or "{{c" in asked:
            back = [Line(n, _ANSWER.sub(r"\g<text>", text.lines[n], count=1).rstrip()) for n in range(first, last)]
            stop = last if answer else max((line.number for line in front), default=at) + 1
            yield Written(
                span=Span(begin, stop), front=front, back=trimmed(back), gaps=None if answer else curly, id=identity
            )
