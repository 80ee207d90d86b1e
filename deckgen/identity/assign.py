"""Assigning: rendered notes and the last lock in, a deck with identities and the next lock out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from deckgen.identity.candidate import Candidate, candidate, content_hash, guid, notetypes_hash
from deckgen.identity.draft import Clock, Draft, Given, draft
from deckgen.identity.effects import effects
from deckgen.identity.identity import Identities, identify
from deckgen.identity.lock import Lock, LockedNote
from deckgen.identity.order import dues
from deckgen.identity.subdecks import Shelf, subdecks
from deckgen.model.deck import Changes, Deck, Kind, NoteType, Rendered
from deckgen.model.errors import UsageError
from deckgen.model.note import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What is known of a release besides its notes and the lock of the one before."""

    deck_id: int
    deck_name: str
    notetypes: Collection[NoteType]
    now: int
    """Seconds since 1970; the caller honours SOURCE_DATE_EPOCH."""
    shelves: Sequence[Shelf] = ()
    """The deck's sources in document order, and where their notes go; those not read belong here, too."""
    unread: Collection[str] = ()
    """Files, relative to the lock, that this run did not look at or could not read: their notes stay in the
    lock and out of the package, and are not taken for removed."""
    look_changed: int | None = None
    """Seconds since 1970 when the look of `notetypes` last changed, whichever deck it is in; None = unknown."""
    restamp: bool = False
    """True to send notes whose stamp alone is another to learners, too."""
    description: str = ""
    folder: str = ""
    """The deck's folder as the user types it, with a slash behind it: what comes before a file in messages."""
    lock_name: str = "deckgen.lock"
    """Path of the lock for messages, if there is none yet."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """A deck that is ready to be packed, the lock to be written with it, and what they change."""

    deck: Deck
    lock: Lock
    changes: Changes


def assign(rendered: Sequence[Rendered], lock: Lock | None, release: Release) -> Assigned:
    """Gives every note the identity, time, place and numbers that learners know it by.

    `rendered` in document order; `lock` None for a first build. Raises UsageError if the lock is of another
    deck, or if two notes claim one id.
    """
    old = lock or Lock(name=release.lock_name, deck_id=release.deck_id, deck_name=release.deck_name)
    if old.deck_id != release.deck_id:
        hint = f"put `id = {old.deck_id}` into deck.toml, or use the lock that belongs to this deck"
        raise UsageError(f"this lock is of deck {old.deck_id}, not of {release.deck_id}", old.name, hint)
    notes, hashes = merged_twins(rendered)
    files = {shelf.source: shelf.file for shelf in release.shelves}
    candidates = [candidate(note, found, files, release.folder) for note, found in zip(notes, hashes, strict=True)]
    unread = frozenset(release.unread)
    identities = identify(candidates, old.notes, unread)
    clock = Clock(release.now, release.restamp)
    given = _given(candidates, identities.found, old, release)
    drafts = [
        draft(note, one, known, its, clock)
        for note, one, known, its in zip(notes, candidates, identities.found, given, strict=True)
    ]
    drafts = list(_with_doubts(drafts, identities))
    new = _next_lock(drafts, old, release)
    changes = effects(drafts, identities, old, new, release.folder)
    if old.deck_name != release.deck_name:
        warning = _renamed_deck(old, release.deck_name)
        changes = replace(changes, warnings=(*changes.warnings, warning))
    return Assigned(_deck(drafts, new, release), new, replace(changes, first=lock is None))


def merged_twins(rendered: Iterable[Rendered]) -> tuple[list[Rendered], list[str]]:
    """Notes that are the same to a learner become one that knows all its places; with their content hashes."""
    merged: dict[tuple[Kind, Key, str | None, str], Rendered] = {}
    for note in rendered:
        same = (note.kind, note.key, note.explicit_id, content_hash(note))
        first = merged.get(same)
        merged[same] = _joined(first, note) if first else note
    return list(merged.values()), [same[-1] for same in merged]


def _joined(first: Rendered, other: Rendered) -> Rendered:
    tags = tuple(dict.fromkeys((*first.tags, *other.tags)))
    return replace(first, places=(*first.places, *other.places), tags=tags)


def _given(
    candidates: Sequence[Candidate], found: Sequence[LockedNote | None], old: Lock, release: Release
) -> list[Given]:
    """What every note is known by: from the lock, else new."""
    names = {subdeck.file: subdeck.name for subdeck in subdecks(release.shelves, old.subdecks, release.unread)}
    homes = {shelf.file: names[shelf.file] for shelf in release.shelves if shelf.title}
    places = [one.files for one in candidates]
    kept = [known.subdeck if known else homes.get(mine[0], "") for known, mine in zip(found, places, strict=True)]
    order = dues([known.due if known else None for known in found], kept)
    guids = _guids(candidates, found, old)
    unread = frozenset(release.unread)
    elsewhere = [unread.intersection(known.files) if known and unread else () for known in found]
    return [
        Given(guids[i], order[i], kept[i], tuple(sorted({*places[i], *elsewhere[i]}))) for i in range(len(candidates))
    ]


def _guids(candidates: Sequence[Candidate], found: Sequence[LockedNote | None], old: Lock) -> list[str]:
    """From the lock first; a new note gets one that no note of this deck ever had."""
    taken = {note.guid for note in old.notes}
    # a thousand notes with one key would each try what the others tried, were the attempts not remembered
    attempts: dict[tuple[Key, str | None], Iterator[int]] = defaultdict(count)
    result = []
    for one, known in zip(candidates, found, strict=True):
        tries = attempts[one.key, one.explicit_id] if known is None else ()
        fresh = (guid(old.deck_id, one.key, one.explicit_id, attempt) for attempt in tries)
        mine = known.guid if known else next(one for one in fresh if one not in taken)
        taken.add(mine)
        result.append(mine)
    return result


def _with_doubts(drafts: Sequence[Draft], identities: Identities) -> Iterator[Draft]:
    """The drafts; each knows which removed note it may be, for as long as that has not come back."""
    doubted = {doubt.new: doubt.old.guid for doubt in identities.doubts}
    here = {one.line.guid for one in drafts}
    for number, one in enumerate(drafts):
        perhaps = doubted.get(number, one.line.perhaps)
        perhaps = "" if perhaps in here else perhaps
        yield one if perhaps == one.line.perhaps else replace(one, line=replace(one.line, perhaps=perhaps))


def _next_lock(drafts: Iterable[Draft], old: Lock, release: Release) -> Lock:
    look = notetypes_hash(release.notetypes)
    # all decks share the note types: with a time of its own each deck would undo what a learner made of the styling
    newer = max(release.look_changed or release.now, old.notetypes_mtime + 1)
    return replace(
        old,
        notetypes_hash=look,
        notetypes_mtime=old.notetypes_mtime if look == old.notetypes_hash else newer,
        subdecks=subdecks(release.shelves, old.subdecks, release.unread),
        notes=_lines(drafts, old, release),
    )


def _lines(drafts: Iterable[Draft], old: Lock, release: Release) -> tuple[LockedNote, ...]:
    """The lines of the next lock: nothing ever leaves it, so that whatever comes back is itself."""
    lines = {one.line.guid: one.line for one in drafts}
    unread = frozenset(release.unread)
    for note in old.notes:
        if note.guid not in lines:
            away = note.gone is None and not unread.intersection(note.files)
            lines[note.guid] = replace(note, gone=max(release.now, note.mtime)) if away else note
    return tuple(lines[guid] for guid in sorted(lines))


def _deck(drafts: Iterable[Draft], lock: Lock, release: Release) -> Deck:
    cards = sorted((one.card(lock.deck_name) for one in drafts), key=lambda card: card.due)
    return Deck(
        id=lock.deck_id,
        name=lock.deck_name,
        description=release.description,
        cards=tuple(cards),
        notetypes_mtime=lock.notetypes_mtime,
    )


def _renamed_deck(old: Lock, name: str) -> str:
    return (
        f"{old.name}: learners have this deck as `{old.deck_name}`, and so it stays; under the name `{name}` Anki "
        f"would make a second deck of it. To rename it all the same, change the `deck` line of the lock"
    )
