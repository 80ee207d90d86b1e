"""Identity: which line of the lock each note is, so that what learners know of it stays with it.

Notes with an equal key are told apart by what they say and where they stand, never by their order alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from deckgen.identity.content import digest
from deckgen.identity.likeness import compare, decided, renames
from deckgen.identity.lock import Lock, LockedNote
from deckgen.model.deck import Change, Kind, Rendered, kind_of, search
from deckgen.model.errors import UsageError
from deckgen.model.note import Note, Standing, back

ANSWER_LENGTH = 160
"""Characters of an answer that the lock keeps: enough to know it by, little enough to read."""
TWIN = 0.5
"""Likeness in rank from which on a note is known again among those of its key."""
MOST = 10_000
"""Pairs that are compared word by word; a thousand notes that all ask "Example" are told apart by traits only."""

Traits = Callable[[LockedNote], Iterable[tuple[object, ...]]]

_BY_TWINS: Sequence[Traits] = (
    lambda one: ((one.hash, file) for file in one.files),
    lambda one: ((one.hash,),),
    lambda one: ((one.answer_hash, file) for file in one.files),
    lambda one: ((file,) for file in one.files),
)
"""What notes of one key are known by, the surest first; each counts only where one line and one note have it."""


def line_of(note: Note | Rendered, kind: Kind, answer: str, files: Iterable[str], content: str = "") -> LockedNote:
    """A note that seeks its line in the lock, in the form of one: without GUID, times and place."""
    beginning, answer_hash = _answer(answer)
    return LockedNote(
        guid="",
        kind=kind,
        headings=note.key.headings,
        anchor=note.key.anchor,
        mtime=0,
        hash=content,
        due=0,
        id=note.explicit_id,
        answer=beginning,
        answer_hash=answer_hash,
        files=tuple(files),
    )


@lru_cache(maxsize=4096)
def _answer(text: str) -> tuple[str, str]:
    """The beginning of an answer and its digest; a note is looked for several times in one run."""
    line = " ".join(text.split())
    return line[:ANSWER_LENGTH], digest(line)


@dataclass(slots=True)
class Identities:
    """For each note, in order, its line of the lock; None for a new one."""

    notes: Sequence[LockedNote]
    found: list[LockedNote | None]
    renamed: set[int] = field(default_factory=set)
    """Those whose question was reworded; under other headings alone a note is only moved."""
    doubts: dict[int, tuple[LockedNote, float]] = field(default_factory=dict)
    """New notes, each with the vanished one that it may be, and how alike they are: for the author to tell."""
    warnings: list[str] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)
    """GUIDs of the lines that are found: looked for among all notes for each question, they made this quadratic."""

    def take(self, number: int, line: LockedNote) -> None:
        """This note is that line."""
        self.found[number] = line
        self._taken.add(line.guid)

    def left(self, lines: Iterable[LockedNote], numbers: Iterable[int]) -> tuple[list[LockedNote], list[int]]:
        """The lines that no note has yet, and the notes that have no line yet."""
        free = [line for line in lines if line.guid not in self._taken]
        return free, [number for number in numbers if self.found[number] is None]

    def asking(self) -> dict[tuple[object, ...], list[int]]:
        """The notes that have no line yet, by what they ask."""
        asking: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for number, one in enumerate(self.notes):
            if self.found[number] is None:
                asking[_asked(one)].append(number)
        return asking

    def take_lone(self, lines: Iterable[LockedNote], numbers: Iterable[int], traits: Traits) -> None:
        """Takes the pairs that alone share a trait."""
        spare, over = self.left(lines, numbers)
        lines_by, notes_by = defaultdict(list), defaultdict(list)
        for line in spare:
            for trait in traits(line):
                lines_by[trait].append(line)
        for number in over:
            for trait in traits(self.notes[number]):
                notes_by[trait].append(number)
        for trait, (number, *others) in notes_by.items():
            found = lines_by.get(trait, [])
            if not others and len(found) == 1 and self.found[number] is None and found[0].guid not in self._taken:
                self.take(number, found[0])

    def by_key(self, lines: Iterable[LockedNote]) -> None:
        """Lines that no note has yet and that ask the same."""
        by_key: dict[tuple[object, ...], list[LockedNote]] = defaultdict(list)
        for line in self.left(lines, ())[0]:
            by_key[_asked(line)].append(line)
        for key, numbers in self.asking().items() if by_key else ():
            if key in by_key:
                self._tell_apart(by_key[key], numbers)

    def _tell_apart(self, lines: Sequence[LockedNote], numbers: Sequence[int]) -> None:
        """Which of the lines, all of one key, each of the notes with that key is."""
        nameless = any(self.notes[number].id is None for number in numbers)
        lines = [line for line in lines if line.id is None or nameless]
        if len(lines) == len(numbers) == 1:
            self.take(numbers[0], lines[0])
            return
        for traits in _BY_TWINS:
            self.take_lone(lines, numbers, traits)
        spare, over = self.left(lines, numbers)
        if len(spare) * len(over) > MOST:
            return
        pairs = [compare(line, self.notes[number], i, number) for i, line in enumerate(spare) for number in over]
        sure, doubtful = decided([pair for pair in pairs if pair.rank >= TWIN], 0.0)
        for pair in sure:
            self.take(pair.new, spare[pair.old])
        rest, over = self.left(spare, over)
        if len(rest) == len(over) == 1:  # the last note is the last line
            self.take(over[0], rest[0])
        elif rest:
            self.doubts |= {pair.new: (spare[pair.old], pair.rank) for pair in doubtful if pair.new in over}

    def by_rewording(self, vanished: Sequence[LockedNote]) -> None:
        fresh = [number for number, line in enumerate(self.found) if line is None]
        sure, doubtful = renames(vanished, [self.notes[number] for number in fresh])
        for pair in sure:
            number, old = fresh[pair.new], vanished[pair.old]
            self.take(number, old)
            if old.anchor != self.notes[number].anchor:
                self.renamed.add(number)
        self.doubts |= {fresh[pair.new]: (vanished[pair.old], pair.alike) for pair in doubtful}


def _asked(note: LockedNote) -> tuple[object, ...]:
    """Kind and key, as a tuple: it hashes in a tenth of the time."""
    return note.kind, note.headings, note.anchor


def identify(
    notes: Sequence[LockedNote], where: Sequence[str], locked: Collection[LockedNote], unread: frozenset[str]
) -> Identities:
    """Finds each note in the lock: by its own id, by its key, by a reworded question, by what it was before it went.

    `where` the notes stand, as in `notes.md:47`. `unread` are files that were not looked at in this run: notes in them
    have not vanished. Raises UsageError if two notes claim one id.
    """
    identities = Identities(notes, [None] * len(notes))
    _by_id(identities, where, locked)
    for numbers in identities.asking().values():
        if len(numbers) > 1:
            first, second = (where[number] for number in numbers[:2])
            others = "" if len(numbers) == 2 else f" and {len(numbers) - 2} more"
            identities.warnings.append(
                f"{second}: asks `{notes[numbers[1]].anchor[:60]}` under the same headings as {first}{others}; "
                "to keep them apart for good, give each a name: <!-- deckgen: id=... -->"
            )
    left, _ = identities.left(locked, ())
    gone = [note for note in left if note.gone is not None]
    identities.by_key(note for note in left if note.gone is None)
    vanished = [
        note
        for note in identities.left(left, ())[0]
        if note.gone is None and note.id is None and unread.isdisjoint(note.files)
    ]
    # a note that learners have may have moved to where a removed one asked the same
    asking = {(note.kind, note.anchor) for note in vanished}
    identities.by_key(note for note in gone if (note.kind, note.anchor) not in asking)
    identities.by_rewording(vanished)
    identities.by_key(note for note in gone if (note.kind, note.anchor) in asking)
    # a removed note that comes back elsewhere: it asks and answers the same, and it alone
    nameless = [note for note in gone if note.id is None]
    identities.take_lone(nameless, range(len(notes)), lambda one: ((one.kind, one.anchor, one.answer_hash),))
    return identities


def _by_id(identities: Identities, where: Sequence[str], locked: Iterable[LockedNote]) -> None:
    """An explicit id wins over everything, so long as the note type is the same."""
    lines = {(note.kind, note.id): note for note in sorted(locked, key=lambda note: (note.gone is None, note.newest))}
    known: dict[str, str] = {}
    for number, one in enumerate(identities.notes):
        if one.id is None:
            continue
        other = known.setdefault(one.id, where[number])
        if other != where[number]:
            hint = "an id names one note only: give one of them another"
            raise UsageError(f"the id `{one.id}` is taken by the note at {other}", where[number], hint)
        line = lines.get((one.kind, one.id))
        if line:
            identities.take(number, line)


def are_learnt(notes: Sequence[Note], lock: Lock, unread: Collection[str] = ()) -> tuple[bool, ...]:
    """For each note of a deck, in order, whether any package so far had it, reworded or not.

    One that was removed since is known, too: no import took it from those who had it. `notes` are all notes of
    the deck, since a reworded note is known by what else has gone; `unread` files as in `Release`. A suggestion is no
    removed note that comes back, and takes no line from a note that is none. Raises UsageError if two notes claim one id.
    """
    lines = [line_of(note, kind_of(note), back(note), [place.source for place in note.places]) for note in notes]
    where = [f"{note.source}:{note.span.first}" for note in notes]
    ever, live = ({_asked(line) for line in some} for some in (lock.notes, lock.live))
    suggested = [note.standing is Standing.SUGGESTED for note in notes]
    if all(_asked(line) in (live if only else ever) for line, only in zip(lines, suggested, strict=True)):
        return (True,) * len(notes)  # as in nearly every build: nothing is new, and nothing need be compared
    new = [at for at, only in enumerate(suggested) if only and _asked(lines[at]) not in live]
    found: dict[int, LockedNote] = {}
    for numbers, some in ((sorted({*range(len(notes))}.difference(new)), lock.notes), (new, lock.live)):
        taken = {line.guid for line in found.values()}
        left = [line for line in some if line.guid not in taken]
        made = identify([lines[at] for at in numbers], [where[at] for at in numbers], left, frozenset(unread))
        found |= {at: line for at, line in zip(numbers, made.found, strict=True) if line}
    return tuple(at in found for at in range(len(notes)))


# --- what the author says of two notes: they are one, or two ---

_NAMED_BY: Sequence[Callable[[LockedNote, str], bool]] = (
    lambda note, name: note.guid == name,
    lambda note, name: note.id == name,
    lambda note, name: name in (note.anchor, note.title),
    lambda note, name: note.guid.startswith(name) and len(name) >= 4,
    lambda note, name: name.casefold() in f"{note.anchor}\n{note.title}".casefold(),
)
"""What a note may be called on the command line, the surest first."""


def adopt(lock: Lock, old: str, new: str) -> Lock:
    """The lock in which the note `new` has the identity of `old`: its GUID, and so its history.

    Both are named by GUID, by their own id, or by their question. The content is as in `old`, so that the next
    build finds it changed and sends it to learners. Raises UsageError if a name fits none or several.
    """
    former = _named(lock, old, [note for note in lock.notes if note.gone is not None], list(lock.notes))
    latter = _named(lock, new, list(lock.live))
    if former.guid == latter.guid:
        raise UsageError("both names mean the same note", lock.name, f"it is `{former.title}`")
    if former.gone is None:
        hint = "a note must be gone from the sources before another can take its place: build first"
        raise UsageError(f"`{former.title}` is still in the deck", lock.name, hint)
    if former.kind != latter.kind:
        message = f"`{former.title}` is of kind {former.kind}, `{latter.title}` of kind {latter.kind}"
        raise UsageError(message, lock.name, "Anki cannot turn one note type into another")
    adopted = replace(
        latter,
        guid=former.guid,
        mtime=former.newest,
        hash=former.hash,
        due=former.due,
        subdeck=former.subdeck,
        ordinals=former.ordinals,
        holes=former.holes,
        perhaps="",
    )
    # learners who imported the new note meanwhile have it twice: its line stays, as that of a removed note, but
    # asks nothing any more, or a note that comes back to this place would be taken for it
    left = replace(latter, gone=latter.mtime, headings=(), anchor="", answer_hash="", perhaps="")
    others = [note for note in lock.notes if note.guid not in (former.guid, latter.guid)]
    return replace(lock, notes=tuple(sorted((*others, adopted, left), key=lambda note: note.guid)))


def keep_apart(lock: Lock, old: str, new: str) -> Lock:
    """The lock in which nobody asks any more whether the note `new` is `old`. Raises UsageError as `adopt`."""
    latter = _named(lock, new, [note for note in lock.live if note.perhaps])
    _named(lock, old, [note for note in lock.notes if note.guid == latter.perhaps])
    apart = replace(latter, perhaps="")
    return replace(lock, notes=tuple(apart if note is latter else note for note in lock.notes))


def copies(before: Lock, after: Lock) -> str:
    """An Anki search for the copies of notes that gave their place to an old one: never learnt, as they are new."""
    live = {note.guid for note in before.live}
    left = [note for note in after.notes if note.gone is not None and note.guid in live]
    found = [Change(guid=note.guid, kind=note.kind, title=note.title, where="") for note in left]
    return f"({search(tuple(found))}) is:new"


def _named(lock: Lock, name: str, *among: Sequence[LockedNote]) -> LockedNote:
    """The note of that name in the first of these where there is any."""
    for notes, fits in ((notes, fits) for notes in among for fits in _NAMED_BY):
        found = [note for note in notes if fits(note, name)]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(f"{note.guid} ({note.title[:40]})" for note in found[:5])
            raise UsageError(f"`{name}` may mean {len(found)} notes", lock.name, f"name one by GUID: {several}")
    raise UsageError(f"no note is called `{name}`", lock.name, "name it by GUID, by its id, or by its question")
