"""Cloze numbers: the history of a card hangs on its number, so a hole keeps it for good.

Drafting: a rendered note and its line of the lock in, the note as it is shipped and its next line out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deckgen.identity.candidate import MARK, UNVERIFIED, Candidate, content_hash
from deckgen.identity.likeness import letters_alike
from deckgen.identity.lock import LockedHole, LockedNote
from deckgen.model.deck import FIELDS, Card, Rendered
from deckgen.text.pattern import pattern, unescaped, untagged

SIDE = 12
"""Characters kept of the text on either side of a hole."""
SAME = 0.75
_HOLE = pattern(r"\{\{c(\d+)::(.*?)\}\}", re.DOTALL)
_OPENING = pattern(r"\{\{c(\d+)::")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one card asks: all holes of one number, as rendered."""

    number: int
    text: str
    before: str
    after: str


def renumbered(rendered: Rendered, locked: Sequence[LockedHole]) -> tuple[Rendered, tuple[LockedHole, ...]]:
    """The note with the numbers that its holes have had before, and the holes for the lock.

    A hole is known by its text, else by what stands on both sides of it (its text was corrected), else by a
    text much like it. A new one gets the next number that no hole ever had; gaps are left as they are.
    """
    if rendered.kind != "cloze":
        return rendered, ()
    asked = _asked(rendered.fields)
    numbers = _numbers(asked, locked)
    holes = {
        numbers[one.number]: LockedHole(number=numbers[one.number], text=one.text, before=one.before, after=one.after)
        for one in asked
    }
    retired = {hole.number: replace(hole, retired=True) for hole in locked if hole.number not in holes}
    kept = tuple(hole for _, hole in sorted((holes | retired).items()))
    if all(old == new for old, new in numbers.items()):
        return rendered, kept
    fields = tuple(_marked(text, numbers) for text in rendered.fields)
    ordinals = tuple(sorted(numbers.get(ordinal + 1, ordinal + 1) - 1 for ordinal in rendered.ordinals))
    return replace(rendered, fields=fields, ordinals=ordinals), kept


def _marked(text: str, numbers: dict[int, int]) -> str:
    def mark(opening: re.Match[str]) -> str:
        number = int(opening[1])
        return f"{{{{c{numbers.get(number, number)}::"

    return _OPENING.sub(mark, text)


def _asked(fields: Sequence[str]) -> list[_Asked]:
    found: dict[int, _Asked] = {}
    for text in fields:
        for hole in _HOLE.finditer(text):
            number = int(hole[1])
            if number in found:
                found[number] = replace(found[number], text=f"{found[number].text}\n{_plain(hole[2])}")
                continue
            # one line is more than enough for a side, and looking no further keeps this linear
            before = _plain(text[max(0, hole.start() - 40 * SIDE) : hole.start()])[-SIDE:]
            after = _plain(text[hole.end() : hole.end() + 40 * SIDE])[:SIDE]
            found[number] = _Asked(number, _plain(hole[2]), before, after)
    return list(found.values())


def _plain(markup: str) -> str:
    without = untagged(_OPENING.sub("", markup).replace("}}", ""))
    # a tag may have been cut in two where the side begins or ends
    return unescaped(re.sub(r"^[^<]*(?<=[\"\w])>|<[^>]*$", "", without))


def _numbers(asked: Sequence[_Asked], locked: Sequence[LockedHole]) -> dict[int, int]:
    """Rendered number -> number for good."""
    free = {hole.number: hole for hole in locked}
    numbers: dict[int, int] = {}
    for same in (_same_spot_and_text, _same_text, _same_spot, _like):
        for one in asked:
            if one.number in numbers:
                continue
            match = next((hole for hole in free.values() if same(one, hole)), None)
            if match:
                numbers[one.number] = match.number
                del free[match.number]
    top = max((hole.number for hole in locked), default=0)
    for one in asked:
        if one.number not in numbers:
            top += 1
            numbers[one.number] = top
    return numbers


def _same_spot_and_text(one: _Asked, hole: LockedHole) -> bool:
    return _same_text(one, hole) and _same_spot(one, hole)


def _same_text(one: _Asked, hole: LockedHole) -> bool:
    return one.text == hole.text


def _same_spot(one: _Asked, hole: LockedHole) -> bool:
    return not hole.retired and one.before == hole.before and one.after == hole.after


def _like(one: _Asked, hole: LockedHole) -> bool:
    return not hole.retired and letters_alike(one.text, hole.text) >= SAME


_SOURCE = FIELDS.index("Source")
_CHECKED = FIELDS.index("Checked")


@dataclass(frozen=True, slots=True)
class Given:
    """What a new note gets and a known one keeps."""

    guid: str
    due: int
    subdeck: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    now: int
    restamp: bool

    def after(self, known: LockedNote) -> int:
        """Strictly newer than what learners have, or Anki would not take it."""
        return max(self.now, known.newest + 1)


@dataclass(frozen=True, slots=True)
class Draft:
    """A note on its way into the deck and the lock."""

    rendered: Rendered
    candidate: Candidate
    known: LockedNote | None
    line: LockedNote
    checked_since: bool = False
    """True if it could be checked by now, while the stamp on its cards still says that it was not."""

    def card(self, deck_name: str) -> Card:
        subdeck = f"{deck_name}::{self.line.subdeck}" if self.line.subdeck else deck_name
        return Card(
            rendered=self.rendered,
            guid=self.line.guid,
            mtime=self.line.mtime,
            due=self.line.due,
            subdeck=subdeck,
        )


def draft(
    rendered: Rendered,
    one: Candidate,
    known: LockedNote | None,
    given: Given,
    clock: Clock,
) -> Draft:
    """The note with the numbers and the stamp that learners know, and its line; `known` None if it is new."""
    written, holes = renumbered(rendered, known.holes if known else ())
    found = one.hash if written is rendered else content_hash(written)
    rendered = written
    marks = tuple(tag for tag in rendered.tags if tag.startswith(MARK))
    stamp = (rendered.fields[_SOURCE], rendered.fields[_CHECKED], marks)
    mtime = clock.now
    if known:
        stood = (known.source, known.checked, known.marks)
        if found != known.hash or (clock.restamp and stamp != stood):
            mtime = clock.after(known)
        else:
            mtime = known.mtime
            rendered = rendered if stamp == stood else _as_it_stood(rendered, known)
            stamp = stood
    line = LockedNote(
        guid=given.guid,
        kind=one.kind,
        headings=one.key.headings,
        anchor=one.key.anchor,
        mtime=mtime,
        hash=found,
        due=given.due,
        id=one.explicit_id or (known.id if known else None),
        title=one.title,
        answer=one.answer,
        answer_hash=one.answer_hash,
        files=given.files,
        subdeck=given.subdeck,
        ordinals=rendered.ordinals,
        holes=holes,
        source=stamp[0],
        checked=stamp[1],
        marks=stamp[2],
        words=rendered.words,
        perhaps=known.perhaps if known else "",
    )
    if known is not None and known == line:
        line = known  # whose text is at hand
    return Draft(rendered, one, known, line, UNVERIFIED in line.marks and UNVERIFIED not in marks)


def _as_it_stood(rendered: Rendered, known: LockedNote) -> Rendered:
    """An unchanged note with the stamp that learners have: "checked on torch 2.13.0" stays true."""
    fields = list(rendered.fields)
    fields[_SOURCE], fields[_CHECKED] = known.source, known.checked
    tags = (*(tag for tag in rendered.tags if not tag.startswith(MARK)), *known.marks)
    return replace(rendered, fields=tuple(fields), tags=tags)
