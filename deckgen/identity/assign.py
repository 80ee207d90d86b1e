"""Assigning: rendered notes and the last lock in, a deck with identities and the next lock out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from deckgen.identity.content import content_hash, guid, notetypes_hash, renumbered
from deckgen.identity.effects import Draft, effects
from deckgen.identity.identify import identify, line_of
from deckgen.identity.lock import Lock, LockedNote
from deckgen.identity.places import SourceDeck, first_due, new_card_order, step_between, subdeck_named, subdecks
from deckgen.model.deck import FIELDS, REVERSE, Card, Changes, Deck, NoteType, Rendered
from deckgen.model.errors import UsageError
from deckgen.model.note import Key
from deckgen.model.verdict import VerdictKind
from deckgen.text.pattern import unescaped, untagged

MARK = "deckgen::"
"""The tags that belong to the stamp; they stand as they stood, too. An author's own tags are written as they
are now, and reach learners with the note's next change: Anki replaces tags, so an update for their sake
alone would wipe what learners tagged themselves."""
UNVERIFIED = "deckgen::unverified"
"""The tag of notes that could not be checked when they were last sent."""
_SOURCE = FIELDS.index("Source")
_CHECKED = FIELDS.index("Checked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What is known of a release besides its notes and the lock of the one before."""

    deck_id: int
    deck_name: str
    notetypes: Collection[NoteType]
    now: int
    """Seconds since 1970; the caller honours SOURCE_DATE_EPOCH."""
    source_decks: Sequence[SourceDeck] = ()
    """The deck's sources in document order, and where their notes go; those not read belong here, too."""
    unread: Collection[str] = ()
    """Files, relative to the lock, that this run did not look at or could not read: their notes stay in the
    lock and out of the package, and are not taken for removed."""
    look_changed: int | None = None
    """Seconds since 1970 when the look of `notetypes` last changed, whichever deck it is in; None = unknown."""
    retire: bool = False
    """True to take back the spare reverse cards that learners have."""
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


def assign_guids(rendered: Sequence[Rendered], lock: Lock | None, release: Release) -> Assigned:
    """Gives every note the identity, time, place and numbers that learners know it by.

    `rendered` in document order; `lock` None for a first build. Raises UsageError if the lock is of another
    deck, or if two notes claim one id.
    """
    old = lock or Lock(name=release.lock_name, deck_id=release.deck_id, deck_name=release.deck_name)
    if old.deck_id != release.deck_id:
        hint = f"put `id = {old.deck_id}` into deck.toml, or use the lock that belongs to this deck"
        raise UsageError(f"this lock is of deck {old.deck_id}, not of {release.deck_id}", old.name, hint)
    if not old.notes:  # nobody has it yet: what was written holds decisions only
        old = replace(old, deck_name=release.deck_name)
    unread = frozenset(release.unread)
    notes = merged_twins(rendered)
    files = {one.source: one.file for one in release.source_decks}
    hashes = {line.hash for line in old.notes}
    lines = [
        line_of(
            note,
            note.kind,
            note.answer_text,
            [files.get(place.source, place.source) for place in note.places],
            _hash_as_learnt(note, hashes),
        )
        for note in notes
    ]
    where = [f"{release.folder}{note.places[0].source}:{note.places[0].span.first}" for note in notes]
    identities = identify(lines, where, old.notes, unread)
    found = identities.found
    known_subdecks = subdecks(release.source_decks, old.subdecks, unread)
    homes = {one.file: known_subdecks[one.file].name for one in release.source_decks if one.title}
    fresh = (
        subdeck_named(note.deck, homes.get(line.files[0], ""), old.deck_name)
        for note, line in zip(notes, lines, strict=True)
    )
    kept = [known.subdeck if known else home for known, home in zip(found, fresh, strict=True)]
    dues = [known.due if known else None for known in found]
    order = new_card_order(dues, kept, first_due(old.deck_name), step_between(old.deck_name))
    guids = _guids(lines, found, old)
    here = set(guids)
    drafts = []
    for number, known in enumerate(found):
        doubted = identities.doubts.get(number)
        perhaps = doubted[0].guid if doubted else known.perhaps if known else ""
        given = _Given(
            guid=guids[number],
            due=order[number],
            files=_files(lines[number], known, unread),
            subdeck=kept[number],
            perhaps="" if perhaps in here else perhaps,
        )
        drafts.append(_draft(notes[number], lines[number], given, known, where[number], release))
    look = notetypes_hash(release.notetypes)
    # all decks share the note types: with a time of its own each deck would undo what a learner made of the styling
    newer = max(release.look_changed or release.now, old.notetypes_mtime + 1)
    new = replace(
        old,
        notetypes_hash=look,
        notetypes_mtime=old.notetypes_mtime if look == old.notetypes_hash else newer,
        subdecks=tuple(known_subdecks.values()),
        notes=_lines(drafts, old, release.now, unread),
    )
    changes = effects(drafts, identities, old, new, release.folder)
    if old.deck_name != release.deck_name:
        warning = (
            f"{old.name}: learners have this deck as `{old.deck_name}`, and so it stays; under the name "
            f"`{release.deck_name}` Anki would make a second deck of it. To rename it all the same, change the `deck` "
            f"line of the lock"
        )
        changes = replace(changes, warnings=(*changes.warnings, warning))
    cards, step = [], step_between(old.deck_name)
    for one in sorted(drafts, key=lambda one: one.line.due):
        line = one.line
        subdeck = old.deck_of(line)
        card = Card(rendered=one.rendered, guid=line.guid, mtime=line.mtime, due=line.due, subdeck=subdeck, step=step)
        cards.append(card)
    deck = Deck(
        id=new.deck_id,
        name=new.deck_name,
        description=release.description,
        cards=tuple(cards),
        notetypes_mtime=new.notetypes_mtime,
    )
    return Assigned(deck, new, replace(changes, first=not old.notes))


def merged_twins(rendered: Iterable[Rendered]) -> list[Rendered]:
    """Notes that are the same to a learner become one that knows all its places."""
    every = tuple(rendered)
    asking = Counter(map(_asked, every))
    merged: dict[tuple[object, ...], Rendered] = {}
    for number, note in enumerate(every):
        asked = _asked(note)
        same = (*asked, number if asking[asked] == 1 else content_hash(note))
        first = merged.setdefault(same, note)
        if first is not note:
            tags = tuple(dict.fromkeys((*first.tags, *note.tags)))
            merged[same] = replace(first, places=(*first.places, *note.places), tags=tags)
    return list(merged.values())


def _asked(note: Rendered) -> tuple[object, ...]:
    return note.kind, note.key.headings, note.key.anchor, note.explicit_id


def _files(line: LockedNote, known: LockedNote | None, unread: frozenset[str]) -> tuple[str, ...]:
    """Where the note stands, and where it stood in sources that this run did not see."""
    unseen = unread.intersection(known.files) if known and unread else ()
    return line.files if len(line.files) == 1 and not unseen else tuple(sorted({*line.files, *unseen}))


def _guids(lines: Sequence[LockedNote], found: Sequence[LockedNote | None], old: Lock) -> list[str]:
    """From the lock first; a new note gets one that no note of this deck ever had."""
    taken = {note.guid for note in old.notes}
    # a thousand notes with one key would each try what the others tried, were the attempts not remembered
    attempts: dict[tuple[Key, str | None], Iterator[int]] = defaultdict(count)
    result = []
    for line, known in zip(lines, found, strict=True):
        tries = attempts[line.key, line.id] if known is None else ()
        fresh = (guid(old.deck_id, line.key, line.id, attempt) for attempt in tries)
        mine = known.guid if known else next(one for one in fresh if one not in taken)
        taken.add(mine)
        result.append(mine)
    return result


def _hash_as_learnt(note: Rendered, hashes: Collection[str]) -> str:
    """The hash by which a note is known: with its spare card, if the lock has it so."""
    learnt = content_hash(note.with_spare()) if hashes and note.spare else ""
    return learnt if learnt in hashes else content_hash(note)


def as_learnt(note: Rendered, known: LockedNote | None, retire: bool) -> Rendered:
    """The note with its spare reverse card, if learners have that: a card whose field is emptied shows them nothing."""
    return note.with_spare() if known and REVERSE in known.ordinals and not retire else note


@dataclass(frozen=True, slots=True)
class _Given:
    """What a note is given in this release, or was given in an earlier one."""

    guid: str
    due: int
    files: tuple[str, ...]
    subdeck: str
    perhaps: str


def _draft(
    rendered: Rendered, line: LockedNote, given: _Given, known: LockedNote | None, where: str, release: Release
) -> Draft:
    """The note with the numbers and the stamp that learners know, and its line, which was `known` so far.

    The line is made at once: made of one another, these took half of the time of an update.
    """
    written, holes = renumbered(as_learnt(rendered, known, release.retire), known.holes if known else ())
    # `line.hash` may be that of the note with its spare card
    content = line.hash if written is rendered and not rendered.spare else content_hash(written)
    source, checked = written.fields[_SOURCE], written.fields[_CHECKED]
    marks = tuple([tag for tag in written.tags if tag.startswith(MARK)])
    words, mtime, own_id = written.words, release.now, line.id
    could_be_checked = UNVERIFIED not in marks
    if known:
        own_id = line.id or known.id
        stands = (source, checked, marks) == (known.source, known.checked, known.marks)
        if known.hash == content and VerdictKind.SKIPPED in words:
            words = known.words  # another torch has nothing to say of it
        if content != known.hash or (release.restamp and not stands):
            # strictly newer than what learners have, or Anki would not take it
            mtime = max(release.now, known.newest + 1)
        else:
            mtime = known.mtime
            if not stands:  # "checked on torch 2.13.0" stays true
                source, checked, marks = known.source, known.checked, known.marks
                fields = list(written.fields)
                fields[_SOURCE], fields[_CHECKED] = source, checked
                tags = (*(tag for tag in written.tags if not tag.startswith(MARK)), *marks)
                written = replace(written, fields=tuple(fields), tags=tags)
    made = LockedNote(
        guid=given.guid,
        kind=line.kind,
        headings=line.headings,
        anchor=line.anchor,
        mtime=mtime,
        hash=content,
        due=given.due,
        id=own_id,
        title=_plain(written.fields[0]),
        answer=line.answer,
        answer_hash=line.answer_hash,
        files=given.files,
        subdeck=given.subdeck,
        ordinals=written.ordinals,
        holes=holes,
        source=source,
        checked=checked,
        marks=marks,
        words=words,
        perhaps=given.perhaps,
    )
    made = known if known and made == known else made  # whose text is at hand
    return Draft(written, made, known, where, could_be_checked and UNVERIFIED in marks)


def _plain(markup: str) -> str:
    """HTML of a field as one line of text."""
    if "<" in markup or "&" in markup:
        markup = unescaped(untagged(markup, " "))
    return " ".join(markup.split())


def _lines(drafts: Iterable[Draft], old: Lock, now: int, unread: frozenset[str]) -> tuple[LockedNote, ...]:
    """The lines of the next lock: nothing ever leaves it, so that whatever comes back is itself."""
    lines = {one.line.guid: one.line for one in drafts}
    for note in old.notes:
        if note.guid not in lines:
            away = note.gone is None and unread.isdisjoint(note.files)
            lines[note.guid] = replace(note, gone=max(now, note.mtime)) if away else note
    return tuple(lines[guid] for guid in sorted(lines))
