"""The text of a lock: sorted lines, one note a line, so that versions merge by taking both sides."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, NoReturn

import msgspec

from deckgen.identity.lock import Lock, LockedHole, LockedNote, LockedSubdeck
from deckgen.model.errors import UsageError
from deckgen.text.pattern import pattern

VERSION = 1
DAY = 86_400
HEADER = """\
# deckgen.lock: what Anki knows each note by. Written by deckgen; commit it beside the notes.
# After a merge keep the lines of both sides and build again: the later of two lines for a note counts.
"""
MARKERS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
RESTORE = (
    "take the last good version back (`git checkout -- {name}`, or a backup); a new lock would make every "
    "learner's progress depend on luck"
)


@dataclass(frozen=True, slots=True)
class _DeckLine:
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class _NotetypesLine:
    hash: str
    mtime: int


@dataclass(slots=True)
class _Draft:
    """A lock while it is being read."""

    version: int | None = None
    deck: _DeckLine | None = None
    notetypes: _NotetypesLine = field(default_factory=lambda: _NotetypesLine("", 0))
    subdecks: dict[tuple[str, str], LockedSubdeck] = field(default_factory=dict)
    notes: dict[str, LockedNote] = field(default_factory=dict)
    written: dict[str, tuple[LockedNote, str]] = field(default_factory=dict)
    ended: bool = False


def format_lock(lock: Lock) -> str:
    """A lock as the text of its file: the same lock gives the same bytes."""
    return HEADER + "\n".join(_lines(lock)) + "\n"


def _lines(lock: Lock) -> Iterator[str]:
    yield f"version {VERSION}"
    yield _line("deck", {"id": lock.deck_id, "name": lock.deck_name})
    yield _line("notetypes", {"hash": lock.notetypes_hash, "mtime": lock.notetypes_mtime})
    for subdeck in sorted(lock.subdecks, key=lambda subdeck: (subdeck.number, subdeck.name, subdeck.file)):
        yield _line("subdeck", {"name": subdeck.name, "file": subdeck.file})
    for note in sorted(lock.notes, key=attrgetter("guid")):
        known, line = lock.written.get(note.guid, (None, ""))
        yield line if known is note else _line("note", _told(note))
    yield "end"


def _line(word: str, value: Mapping[str, Any]) -> str:
    return f"{word} {_ENCODER.encode(value)}"


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_UNSET = object()
_FIELDS = {
    kind: (
        tuple(one.name for one in fields(kind)),
        attrgetter(*(one.name for one in fields(kind))),
        tuple(_UNSET if one.default is MISSING else one.default for one in fields(kind)),
    )
    for kind in (LockedNote, LockedHole)
}
"""Names, how to get all values, and what they usually are."""


def _told(value: LockedNote | LockedHole) -> dict[str, Any]:
    """The fields that are not as usual: most notes have no id, no holes and were not removed."""
    names, values, usual = _FIELDS[type(value)]
    told = {name: held for name, held, default in zip(names, values(value), usual, strict=True) if held != default}
    if "holes" in told:
        told["holes"] = [_told(hole) for hole in told["holes"]]
    return told


def parse_lock(text: str, name: str, now: int) -> Lock:
    """Reads the text of a lock; `name` is its path for messages, `now` seconds since 1970.

    Two lines for one note, as a merge leaves them, count as the later one. Raises UsageError with line and
    remedy for conflict markers, damage, another version, and times more than a day ahead of `now`: a lock
    is never quietly replaced, since its GUIDs cannot be had again.
    """
    draft = _Draft()
    for number, written in enumerate(text.split("\n"), 1):
        line = written.rstrip("\r ")
        if line and not line.startswith("#"):
            _take(line, draft, f"{name}:{number}", name)
    lock = _finished(draft, name, text.count("\n") + 1)
    _check_clock(lock, text, now)
    return lock


def _take(line: str, draft: _Draft, where: str, name: str) -> None:
    if line.startswith(MARKERS):
        hint = "delete the marker lines, keep the lines of both sides, and build again"
        raise UsageError("an unresolved merge conflict", where, hint)
    word, _, rest = line.partition(" ")
    take = _LINES.get(word)
    if take is None or (draft.version is None and word != "version"):
        _damaged(f"`{word[:40]}` is not a line of a lock", where, name)
    try:
        take(rest, draft, where)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        _damaged(f"the line cannot be read ({error})", where, name)


def _damaged(what: str, where: str, name: str) -> NoReturn:
    raise UsageError(f"the lock is damaged: {what}", where, RESTORE.format(name=name))


def _take_version(rest: str, draft: _Draft, where: str) -> None:
    draft.version = int(rest)
    if draft.version > VERSION:
        message = f"written by a newer deckgen (lock version {draft.version}; this one knows {VERSION})"
        raise UsageError(message, where, "upgrade: pip install --upgrade torch-deckgen")
    if draft.version not in _READABLE:
        raise UsageError(f"no deckgen ever wrote lock version {draft.version}", where, "is this a deckgen.lock?")


_READABLE = frozenset({1})
"""Versions that are read; `tests/locks/` keeps a lock of each, with the GUIDs that it must give."""


def _take_deck(rest: str, draft: _Draft, where: str) -> None:
    deck = msgspec.json.decode(rest, type=_DeckLine)
    if not 0 < deck.id < 2**63:
        raise ValueError("no deck has this id")
    if draft.deck and draft.deck.id != deck.id:
        hint = "keep the `deck` line that learners have, delete the other, and build again"
        raise UsageError(f"two deck ids, {draft.deck.id} and {deck.id}", where, hint)
    draft.deck = deck


def _take_notetypes(rest: str, draft: _Draft, where: str) -> None:
    notetypes = msgspec.json.decode(rest, type=_NotetypesLine)
    draft.notetypes = max(draft.notetypes, notetypes, key=lambda line: (line.mtime, line.hash))


def _take_subdeck(rest: str, draft: _Draft, where: str) -> None:
    subdeck = msgspec.json.decode(rest, type=LockedSubdeck)
    if not subdeck.number > 0 or not subdeck.title:
        raise ValueError("a subdeck is named like `10 Tensors`")
    draft.subdecks[subdeck.name, subdeck.file] = subdeck


_NOTE = msgspec.json.Decoder(LockedNote)
_LARGEST = 2**31
"""What Anki keeps numbers of cards below."""
_GUID = pattern(r"[0-9A-Za-z]{1,64}")
"""It is told on terminals and pages and typed after commands; no deckgen ever wrote another."""


def _take_note(rest: str, draft: _Draft, where: str) -> None:
    note = _NOTE.decode(rest)
    if not _GUID.fullmatch(note.guid):
        raise ValueError("a guid is letters and digits")
    if not note.hash or note.mtime <= 0 or not 0 < note.due < _LARGEST:
        raise ValueError("a note without hash, mtime or due")
    if any(not 0 <= number < _LARGEST for number in (*note.ordinals, *(hole.number for hole in note.holes))):
        raise ValueError("a card of a number that no card has")
    known = draft.notes.get(note.guid)
    draft.notes[note.guid] = merged(known, note) if known else note
    draft.written[note.guid] = note, f"note {rest}"


def _take_end(rest: str, draft: _Draft, where: str) -> None:
    draft.ended = True


_LINES: Mapping[str, Callable[[str, _Draft, str], None]] = {
    "version": _take_version,
    "deck": _take_deck,
    "notetypes": _take_notetypes,
    "subdeck": _take_subdeck,
    "note": _take_note,
    "end": _take_end,
}


def merged(one: LockedNote, other: LockedNote) -> LockedNote:
    """Two lines for a note, from two branches: the later one, keeping every cloze number of the other."""
    later, earlier = sorted((one, other), key=_age, reverse=True)
    known = {hole.number for hole in later.holes}
    spent = [replace(hole, retired=True) for hole in earlier.holes if hole.number not in known]
    if not spent:
        return later
    return replace(later, holes=tuple(sorted((*later.holes, *spent), key=lambda hole: hole.number)))


def _age(note: LockedNote) -> tuple[int, bool, str]:
    return note.newest, note.gone is None, repr(note)


def _finished(draft: _Draft, name: str, last: int) -> Lock:
    if draft.version is None:
        _damaged("it has no `version` line", f"{name}:1", name)
    if draft.deck is None:
        _damaged("it has no `deck` line", f"{name}:{last}", name)
    if not draft.ended:
        _damaged("it stops before its `end` line, so notes may be missing", f"{name}:{last}", name)
    return Lock(
        name=name,
        deck_id=draft.deck.id,
        deck_name=draft.deck.name,
        notetypes_hash=draft.notetypes.hash,
        notetypes_mtime=draft.notetypes.mtime,
        subdecks=tuple(draft.subdecks.values()),
        notes=tuple(draft.notes.values()),
        written=draft.written,
    )


def _check_clock(lock: Lock, text: str, now: int) -> None:
    # not that of the look: it comes with deckgen, and SOURCE_DATE_EPOCH may well be before it
    newest = max((note.newest for note in lock.notes), default=0)
    if newest <= now + DAY:
        return
    lines: Iterable[str] = text.split("\n")
    line = next((number for number, line in enumerate(lines, 1) if str(newest) in line), 1)
    raise UsageError(
        f"its newest time ({newest}) is {(newest - now) / DAY:.1f} days ahead of the clock ({now})",
        f"{lock.name}:{line}",
        "set the clock (or SOURCE_DATE_EPOCH) right: no learner would get an update before that time has come",
    )
