"""Honouring: what the author decided about notes is found again after edits, as identities are, and done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from deckgen.identity.content import digest
from deckgen.identity.identify import identify, line_of
from deckgen.identity.lock import Lock, LockedNote
from deckgen.model.author import LEFT_OUT, RULE, AuthorDecision, Wish
from deckgen.model.deck import kind_of
from deckgen.model.document import Extraction
from deckgen.model.note import Note, Skipped, back


@dataclass(frozen=True, slots=True)
class Applied:
    """The finds of a deck after the author's decisions."""

    extractions: tuple[Extraction, ...]
    decisions: tuple[AuthorDecision, ...] = ()
    """As the next lock has them: each knows its note as it is now."""
    of_notes: Mapping[str, AuthorDecision] = field(default_factory=dict)
    """By the fingerprint of a note, refused ones among them."""


def fingerprint(note: Note) -> str:
    """What a note is known by until somebody edits it; notes of several sources that ask and answer the same share it."""
    return _fingerprint(line_of(note, kind_of(note), back(note), ()))


def _fingerprint(line: LockedNote) -> str:
    parts = (line.kind, *line.headings, line.anchor, line.id or "", line.answer_hash)
    return digest("\x1f".join(parts)).replace("-", "x").replace("_", "y")


def decided(lock: Lock, notes: Iterable[tuple[Note, str, Iterable[str]]], wish: Wish | None, now: int) -> Lock:
    """The lock with a decision about each of these notes, or without any if `wish` is None.

    With each note come the name of the decision that it has so far, if any, and its files.
    """
    made: dict[str, AuthorDecision] = {}
    without: set[str] = set()
    for note, known_name, files in notes:
        line = line_of(note, kind_of(note), back(note), sorted(set(files)))
        name = known_name or _fingerprint(line)
        without.add(name)
        if wish:
            made[name] = AuthorDecision(name=name, wish=wish, time=now, **_known_by(line))
    others = (one for one in lock.decisions if one.name not in without)
    return replace(lock, decisions=(*others, *made.values()))


def apply_decisions(
    extractions: Sequence[Extraction], files: Mapping[str, str], lock: Lock, unread: Collection[str], now: int
) -> Applied:
    """Does what the decisions of a lock say about the notes of its deck, those that a rule refused among them.

    `files` has the name of each source relative to the lock. A note of an `unread` file has not gone.
    """
    lines: dict[str, LockedNote] = {}
    prints: dict[int, str] = {}
    """By the `id` of a note."""
    for extraction in extractions:
        for note in (*extraction.notes, *(one.note for one in extraction.skipped if one.note)):
            line = line_of(note, kind_of(note), back(note), (files[place.source] for place in note.places))
            print_ = prints[id(note)] = _fingerprint(line)
            known = lines.setdefault(print_, line)
            if known is not line or len(line.files) > 1:
                lines[print_] = replace(known, files=tuple(sorted({*known.files, *line.files})))
    found = _found(lines, lock, frozenset(unread))
    now_known = {one.name: replace(one, gone=None, **_known_by(lines[print_])) for print_, one in found.items()}
    decisions = tuple(now_known.get(one.name) or _away(one, unread, now) for one in lock.decisions)
    of_notes = {print_: now_known[one.name] for print_, one in found.items()}
    return Applied(tuple(_curated(one, of_notes, prints) for one in extractions), decisions, of_notes)


def _found(lines: Mapping[str, LockedNote], lock: Lock, unread: frozenset[str]) -> dict[str, AuthorDecision]:
    """The decision about each note that has one: known as notes of a lock are."""
    first = {one.id: print_ for print_, one in reversed(tuple(lines.items()))}  # a build refuses two notes of one id
    notes = [
        replace(one, id=None) if one.id is not None and first[one.id] != print_ else one
        for print_, one in lines.items()
    ]
    decisions = {one.name: one for one in lock.decisions}
    asked = [_line(one) for one in lock.decisions]
    identities = identify(notes, ["the notes"] * len(notes), asked, unread)
    # a note that was there when the decision's note was is not that note in other words
    there = {(note.kind, note.key) for note in lock.live}
    return {
        print_: decisions[line.guid]
        for print_, note, line in zip(lines, notes, identities.found, strict=True)
        if line and (line.key == note.key or (note.id and line.id == note.id) or (note.kind, note.key) not in there)
    }


def _line(one: AuthorDecision) -> LockedNote:
    """A decision in the form of a note of the lock."""
    return LockedNote(guid=one.name, mtime=one.time, hash="", due=0, gone=one.gone, **_known_by(one))


def _known_by(one: AuthorDecision | LockedNote) -> dict[str, Any]:
    names = ("kind", "headings", "anchor", "id", "answer", "answer_hash", "files")
    return {name: getattr(one, name) for name in names}


def _away(one: AuthorDecision, unread: Collection[str], now: int) -> AuthorDecision:
    """A decision whose note is not there stays in the lock, as its note would."""
    return one if one.gone is not None or not set(unread).isdisjoint(one.files) else replace(one, gone=now)


def _curated(extraction: Extraction, decisions: Mapping[str, AuthorDecision], prints: Mapping[int, str]) -> Extraction:
    """The finds of a source as the author wants them; `prints` are their fingerprints by `id`."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    for refusal, note in (
        *((None, note) for note in extraction.notes),
        *((one, one.note) for one in extraction.skipped),
    ):
        decision = decisions.get(prints[id(note)]) if note else None
        if note and decision and decision.wish == "leave-out":
            skipped.append(Skipped(note.span, LEFT_OUT, rule=RULE, note=note, by_author=True))
        elif note and (decision or not refusal):
            notes.append(replace(note, kept=True) if decision else note)
        elif refusal:
            skipped.append(refusal)
    return replace(
        extraction,
        notes=tuple(sorted(notes, key=lambda note: (note.span.start, note.span.stop))),
        skipped=tuple(sorted(skipped, key=lambda one: one.span)),
    )
