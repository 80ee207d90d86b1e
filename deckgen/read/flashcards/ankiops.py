"""AnkiOps: a file is a deck, its notes stand between rules, and each field begins with its label, `Q: `, `A: `, `T: `."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from deckgen.model.source import Span
from deckgen.read.flashcards.written import Found, Side, Text, Written, between, joined, tags_of
from deckgen.text.pattern import pattern

SIGNS = ("\nQ: ", "\nT: ", "\nTHA: ", "\nF: ", "note_key: ", "note_type: ")
_COMMENT = pattern(r"\s*<!--\s*(?P<key>note_key|note_type|tags):\s*(?P<value>.*?)\s*-->\s*")
_LABEL = pattern(r"(?P<label>Q|A|E|M|AI|I|T|THA|F|B|C[1-8]):(?:[ ](?P<text>.*)|[ \t]*)$")
_MORE = {"E", "M", "AI"}
_KINDS = (
    ({"Q", "A"}, {*_MORE, "I", *(f"C{at}" for at in range(1, 9))}),
    ({"Q", "I"}, _MORE),
    ({"F", "B"}, _MORE),
    ({"T"}, _MORE),
    ({"THA"}, {*_MORE, "A"}),
)
"""Labels of the fields that make a note of each kind, and of those that may stand beside them: no note mixes kinds."""
_OWN = {"E", "M", "I", "T", "THA", "B", "C1"}
"""Labels that no other form has: `Q:` and `A:` alone are cards anywhere."""


@dataclass(slots=True)
class _Note:
    """What stands between two rules."""

    part: Span
    fields: dict[str, Side] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    """By its comments: `note_key`, `note_type`, `tags`."""
    lines: list[int] = field(default_factory=list)
    """Of its comments and fields."""

    first: int = -1
    """The first of its lines that says something."""

    @property
    def is_whole(self) -> bool:
        """True for the fields of a kind; without a comment of the tool nothing may stand above them."""
        own = {*self.fields}
        is_kind = any(kind <= own <= kind | more for kind, more in _KINDS)
        return is_kind and ("note_key" in self.said or self.first in self.lines)


def find(text: Text) -> Found:
    """The notes of a file in which a note has a comment of the tool, or fields that no other form has; or where rules part nothing else."""
    found = Found()
    notes = [note for part in between(_rules(text), 0, len(text.lines)) if (note := _note(text, part)).first >= 0]
    own = any(note.is_whole and (note.said.keys() - {"tags"} or _OWN & {*note.fields}) for note in notes)
    if not own and not (len(notes) > 1 and all(note.is_whole for note in notes)):
        return found
    name = PurePosixPath(text.name).stem.strip("_")
    for note in notes:
        if note.fields and (note.is_whole or "note_key" in note.said):
            found.cards.append(_card(note, name.replace("__", "::") if "__" in name else ""))
        if note.part.start and not text.lines[note.part.start - 1].strip("- "):
            found.marks.add(note.part.start - 1)
    return found


def _rules(text: Text) -> Iterator[int]:
    """Rules that stand by themselves, or above the next note."""
    for at, line in text.plain(1, len(text.lines) - 1):
        below = text.lines[at + 1]
        if line == "---" and (_COMMENT.fullmatch(below) or not (text.lines[at - 1].strip() or below.strip())):
            yield at


def _note(text: Text, part: Span) -> _Note:
    said = (at for at in range(part.start, part.stop) if text.lines[at].strip())
    note = _Note(part, first=next((at for at in said if not text.lines[at].startswith("<!--")), -1))
    begun: list[tuple[int, str, str]] = []
    comments: set[int] = set()
    for at, line in text.plain(part.start, part.stop):
        if comment := _COMMENT.fullmatch(line):
            note.said[comment["key"]] = comment["value"]
            comments.add(at)
        elif (label := _LABEL.match(line)) and label["label"] not in {name for _, name, _ in begun}:
            begun.append((at, label["label"], label["text"] or ""))
    stops = [*(at for at, _, _ in begun[1:]), part.stop]
    for (at, name, first), stop in zip(begun, stops, strict=False):
        lines = text.side(at, stop, first)
        note.fields[name] = [line for line in lines if line.number not in comments]
        note.lines += [at, *(line.number for line in lines)]
    note.lines += comments
    return note


def _card(note: _Note, deck: str) -> Written:
    def first(*labels: str) -> Side:
        return next((note.fields[one] for one in labels if one in note.fields), ())

    options = [note.fields[label] for at in range(1, 9) if (label := f"C{at}") in note.fields]
    answer = first("A", "I", "B")
    right = " ".join(line.text for line in answer).replace(",", " ").split() if options else []
    return Written(
        span=Span(min(note.lines), max(note.lines) + 1),
        front=first("Q", "T", "THA", "F"),
        back=joined(() if options else answer, first("E"), first("M")),  # `AI` is on no card
        options=options,
        right=tuple(int(one) - 1 for one in right if one.isdecimal()),
        both="B" in note.fields,
        id=note.said.get("note_key", ""),
        tags=tags_of(note.said.get("tags", "")),
        deck=deck,
    )
