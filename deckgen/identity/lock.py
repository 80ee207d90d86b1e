"""The lock: what Anki knows each note of a deck by, as it was at the last build, and the text of its file.

Everything here is decided once and kept: Anki matches notes by GUID alone, cards by their number in
the note, decks by name, and takes an update only if its time is strictly newer. The file has sorted
lines, one note a line, so that versions merge by taking both sides.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, NoReturn

import msgspec

from deckgen.model.author import AuthorDecision
from deckgen.model.deck import NOTETYPE_NAMES, Kind
from deckgen.model.difference import Snapshot, SnapshotNote, SnapshotType
from deckgen.model.errors import UsageError
from deckgen.model.note import Key
from deckgen.model.source import CONFLICT_MARKERS
from deckgen.text.pattern import pattern

VERSION = 2
"""Of a lock with decisions of the author; one without them is of version 1, which every deckgen knows."""
DAY = 86_400
HEADER = """\
# deckgen.lock: what Anki knows each note by. Written by deckgen; commit it beside the notes.
# After a merge keep the lines of both sides and build again: the later of two lines for a note counts.
"""
RESTORE = (
    "take the last good version back (`git checkout -- {name}`, or a backup); a new lock would make every "
    "learner's progress depend on luck"
)
_LARGEST = 2**31
"""What Anki keeps numbers of cards below."""
_GUID = pattern(r"[0-9A-Za-z]{1,64}")
"""It is shown on terminals and pages and typed after commands; no deckgen ever wrote another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedHole:
    """A deletion of a cloze: the history of its card hangs on `number`."""

    number: int
    text: str
    before: str = ""
    """A few characters on either side, by which a hole is known again when its text is corrected."""
    after: str = ""
    retired: bool = False
    """True if the hole is gone; its number is never given to another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedNote:
    """One note as learners have it. `guid` is what Anki knows it by."""

    guid: str
    kind: Kind
    headings: tuple[str, ...]
    anchor: str
    mtime: int
    """Seconds since 1970, when what is learnt last changed."""
    hash: str
    """Of everything that makes a learner's note: see `content_hash`."""
    due: int
    id: str | None = None
    """The author's own name for the note, if it has one."""
    title: str = ""
    """The first field as plain text: what a learner can search for."""
    answer: str = ""
    """The beginning of the answer as plain text, for recognising a reworded question."""
    answer_hash: str = ""
    files: tuple[str, ...] = ()
    """The sources that it stands in, relative to the lock."""
    subdeck: str = ""
    """Name below the deck; empty = in the deck itself. Anki never moves cards, so neither does this."""
    ordinals: tuple[int, ...] = ()
    holes: tuple[LockedHole, ...] = ()
    source: str = ""
    """The fields Source and Checked and the tags of deckgen's own, as they stood when the note last changed."""
    checked: str = ""
    marks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Verdict words: outside the content, so that a new torch touches no note."""
    gone: int | None = None
    """When the note was found to be removed; it keeps its line, so that it can come back as itself."""
    perhaps: str = ""
    """GUID of a removed note that this one may be, until the author has said whether it is."""

    @property
    def key(self) -> Key:
        return Key(self.headings, self.anchor)

    @property
    def newest(self) -> int:
        """The latest time in this line."""
        return max(self.mtime, self.gone or 0)


@dataclass(frozen=True, slots=True)
class LockedSubdeck:
    """The name of a file's subdeck, numbered once and for all: `010 Tensors`."""

    name: str
    file: str
    """The source it was made for, relative to the lock."""

    @property
    def title(self) -> str:
        return self.name.partition(" ")[2]

    @property
    def digits(self) -> str:
        """Its number as it is written: `010`."""
        return self.name.partition(" ")[0]

    @property
    def number(self) -> int:
        return int(self.digits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """A parsed `deckgen.lock`."""

    name: str = "deckgen.lock"
    """Its path for messages; not part of the file."""
    deck_id: int
    deck_name: str
    notetypes_hash: str = ""
    notetypes_mtime: int = 0
    subdecks: tuple[LockedSubdeck, ...] = ()
    notes: tuple[LockedNote, ...] = ()
    decisions: tuple[AuthorDecision, ...] = ()
    """What the author decided about notes, those among them that no package ever had."""
    written: Mapping[str, tuple[LockedNote, str]] = field(default_factory=dict, compare=False, repr=False)
    """By GUID: a note as it was read, and its line in the file. A note that stays itself keeps its line as it stands."""

    @property
    def live(self) -> Iterator[LockedNote]:
        """The notes that were in the last package."""
        return (note for note in self.notes if note.gone is None)

    def deck_of(self, note: LockedNote) -> str:
        """The full name of the deck in which a note is."""
        return f"{self.deck_name}::{note.subdeck}" if note.subdeck else self.deck_name


def new_deck_id() -> int:
    """An id for a deck that has none: random, never made of a path, and exact as a JavaScript number."""
    return secrets.randbelow(2**52 - 2**40) + 2**40


def format_lock(lock: Lock) -> str:
    """A lock as the text of its file: the same lock gives the same bytes."""
    return HEADER + "\n".join(_lines(lock)) + "\n"


def _lines(lock: Lock) -> Iterator[str]:
    yield f"version {VERSION if lock.decisions else 1}"
    yield _line("deck", {"id": lock.deck_id, "name": lock.deck_name})
    yield _line("notetypes", {"hash": lock.notetypes_hash, "mtime": lock.notetypes_mtime})
    for subdeck in sorted(lock.subdecks, key=attrgetter("number", "name", "file")):
        yield _line("subdeck", {"name": subdeck.name, "file": subdeck.file})
    for decision in sorted(lock.decisions, key=attrgetter("name")):
        yield _line("decision", _unusual(decision))
    for note in sorted(lock.notes, key=attrgetter("guid")):
        known, line = lock.written.get(note.guid, (None, ""))
        yield line if known is note else _line("note", _unusual(note))
    yield "end"


def _line(word: str, value: Mapping[str, Any]) -> str:
    return f"{word} {json.dumps(value, ensure_ascii=False)}"


def _unusual(value: LockedNote | LockedHole | AuthorDecision) -> dict[str, Any]:
    """The fields that are not as usual: most notes have no id, no holes and were not removed."""
    found = {one.name: held for one in fields(value) if (held := getattr(value, one.name)) != one.default}
    if "holes" in found:
        found["holes"] = [_unusual(hole) for hole in found["holes"]]
    return found


class _DeckLine(msgspec.Struct):
    id: int
    name: str


class _NotetypesLine(msgspec.Struct):
    hash: str
    mtime: int


@dataclass(slots=True)
class _Draft:
    """A lock while it is being read."""

    name: str
    version: int = 0
    deck: _DeckLine | None = None
    has_deck: bool = False
    """Since the last `version` line: a merge of two branches may leave both locks, one below the other."""
    notetypes: _NotetypesLine = field(default_factory=lambda: _NotetypesLine("", 0))
    subdecks: dict[LockedSubdeck, None] = field(default_factory=dict)
    notes: dict[str, LockedNote] = field(default_factory=dict)
    decisions: dict[str, AuthorDecision] = field(default_factory=dict)
    written: dict[str, tuple[LockedNote, str]] = field(default_factory=dict)
    ended: bool = False

    def take(self, line: str, where: str) -> None:
        """Reads one line. Raises ValueError or msgspec's errors for one that says what cannot be."""
        word, _, rest = line.partition(" ")
        match word if self.version or word == "version" else None:
            case "version":
                self.version, self.has_deck = _version(int(rest), where), False
            case "deck":
                deck = msgspec.json.decode(rest, type=_DeckLine)
                if not 0 < deck.id < 2**63:
                    raise ValueError("no deck has this id")
                if self.deck and (self.has_deck or self.deck != deck):
                    hint = "keep the `deck` line that learners have, delete the other, and build again"
                    ids = f": two deck ids, {self.deck.id} and {deck.id}" if self.deck.id != deck.id else ""
                    raise UsageError(f"a second `deck` line{ids}", where, hint)
                self.deck, self.has_deck = deck, True
            case "notetypes":
                other = msgspec.json.decode(rest, type=_NotetypesLine)
                self.notetypes = max(self.notetypes, other, key=attrgetter("mtime", "hash"))
            case "subdeck":
                subdeck = msgspec.json.decode(rest, type=LockedSubdeck)
                if not subdeck.number > 0 or not subdeck.title:
                    raise ValueError("a subdeck is named like `010 Tensors`")
                self.subdecks[subdeck] = None
            case "note":
                note = _checked(_NOTE.decode(rest))
                known = self.notes.get(note.guid)
                self.notes[note.guid] = merged(known, note) if known else note
                self.written[note.guid] = note, line
            case "decision":
                decision = _DECISION.decode(rest)
                if not _GUID.fullmatch(decision.name) or decision.time <= 0:
                    raise ValueError("a decision without a name or a time")
                both = (decision, self.decisions.get(decision.name, decision))
                self.decisions[decision.name] = max(both, key=lambda one: (one.time, one.gone is None, repr(one)))
            case "end":
                self.ended = True
            case _:
                _damaged(f"`{word[:40]}` is not a line of a lock", where, self.name)


_NOTE = msgspec.json.Decoder(LockedNote)
_DECISION = msgspec.json.Decoder(AuthorDecision)


def _version(version: int, where: str) -> int:
    if version > VERSION:
        message = f"written by a newer deckgen (lock version {version}; this one knows {VERSION})"
        raise UsageError(message, where, "upgrade: pip install --upgrade torch-deckgen")
    if version not in (1, VERSION):  # `tests/locks/` keeps a lock of each version, with the GUIDs that it must give
        raise UsageError(f"no deckgen ever wrote lock version {version}", where, "is this a deckgen.lock?")
    return version


def _checked(note: LockedNote) -> LockedNote:
    if not _GUID.fullmatch(note.guid):
        raise ValueError("a guid is letters and digits")
    if not note.hash or note.mtime <= 0 or not 0 < note.due < _LARGEST:
        raise ValueError("a note without hash, mtime or due")
    if any(not 0 <= number < _LARGEST for number in (*note.ordinals, *(hole.number for hole in note.holes))):
        raise ValueError("a card of a number that no card has")
    return note


def _damaged(what: str, where: str, name: str) -> NoReturn:
    raise UsageError(f"the lock is damaged: {what}", where, RESTORE.format(name=name))


def parse_lock(text: str, name: str, now: int) -> Lock:
    """Reads the text of a lock; `name` is its path for messages, `now` seconds since 1970.

    Two lines for one note or decision, as a merge leaves them, count as the later one. Raises UsageError with line and
    remedy for conflict markers, damage, another version, and times more than a day ahead of `now`: a lock
    is never quietly replaced, since its GUIDs cannot be had again.
    """
    draft = _Draft(name)
    lines = text.split("\n")
    for number, written in enumerate(lines, 1):
        if "\0" in written:  # a file system that lost its last writes fills what is missing with them
            _damaged("it holds NUL characters", f"{name}:{number}", name)
        line = written.rstrip("\r ")
        if not line or line.startswith("#"):
            continue
        if line.startswith(CONFLICT_MARKERS):
            hint = "delete the marker lines, keep the lines of both sides, and build again"
            raise UsageError("an unresolved merge conflict", f"{name}:{number}", hint)
        try:
            draft.take(line, f"{name}:{number}")
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            _damaged(f"the line cannot be read ({error})", f"{name}:{number}", name)
    if not draft.version:
        _damaged("it has no `version` line", f"{name}:1", name)
    if draft.deck is None:
        _damaged("it has no `deck` line", f"{name}:{len(lines)}", name)
    if not draft.ended:
        _damaged("it stops before its `end` line, so notes may be missing", f"{name}:{len(lines)}", name)
    # not the time of the look: it comes with deckgen, and SOURCE_DATE_EPOCH may well be before it
    newest = max((note.newest for note in draft.notes.values()), default=0)
    if newest > now + DAY:
        at = next((number for number, line in enumerate(lines, 1) if str(newest) in line), 1)
        raise UsageError(
            f"its newest time ({newest}) is {(newest - now) / DAY:.1f} days ahead of the clock ({now})",
            f"{name}:{at}",
            "set the clock (or SOURCE_DATE_EPOCH) right: no learner would get an update before that time has come",
        )
    return Lock(
        name=name,
        deck_id=draft.deck.id,
        deck_name=draft.deck.name,
        notetypes_hash=draft.notetypes.hash,
        notetypes_mtime=draft.notetypes.mtime,
        subdecks=tuple(draft.subdecks),
        notes=tuple(draft.notes.values()),
        decisions=tuple(draft.decisions.values()),
        written=draft.written,
    )


def merged(one: LockedNote, other: LockedNote) -> LockedNote:
    """Two lines for a note, from two branches: the later one, keeping every cloze number of the other."""
    earlier, later = sorted((one, other), key=lambda note: (note.newest, note.gone is None, repr(note)))
    known = {hole.number for hole in later.holes}
    spent = [replace(hole, retired=True) for hole in earlier.holes if hole.number not in known]
    return replace(later, holes=tuple(sorted((*later.holes, *spent), key=attrgetter("number")))) if spent else later


def snapshot(lock: Lock) -> Snapshot:
    """What is in the last package, for comparing two releases: notes without fields, but with times and content hashes."""
    notes = [
        SnapshotNote(
            guid=note.guid,
            title=note.title,
            notetype=note.kind,
            mtime=note.mtime,
            hash=note.hash,
            tags=note.marks,
            cards=note.ordinals,
            deck=lock.deck_of(note),
        )
        for note in lock.live
    ]
    types = [
        SnapshotType(id=kind, name=NOTETYPE_NAMES[kind], mtime=lock.notetypes_mtime, look=lock.notetypes_hash)
        for kind in sorted({note.kind for note in lock.live})
    ]
    decks = sorted({lock.deck_name, *(note.deck for note in notes)})
    return Snapshot(name=lock.name, notes=tuple(notes), types=tuple(types), form="lock", decks=tuple(decks))
