"""Drafting: a rendered note and its line of the lock in, the note as it is shipped and its next line out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deckgen.identity.candidate import Candidate
from deckgen.identity.clozes import renumbered
from deckgen.identity.content import MARK, UNVERIFIED, content_hash
from deckgen.identity.lock import LockedNote
from deckgen.model.deck import FIELDS, Card, Rendered

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
