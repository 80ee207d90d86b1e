"""Identity: which line of the lock each note is, so that what learners know of it stays with it.

Which notes learners already have, asked before anything is rendered: those must not be withheld in silence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from deckgen.identity.candidate import ANSWER_LENGTH, Candidate, digest
from deckgen.identity.key_collisions import Told, tell_apart
from deckgen.identity.lock import Lock, LockedNote
from deckgen.identity.renames import renames
from deckgen.model.deck import Kind, kind_of
from deckgen.model.errors import UsageError
from deckgen.model.note import Note, back


@dataclass(frozen=True, slots=True)
class Doubt:
    """A vanished note and a new one that may be the same: for the author to tell."""

    old: LockedNote
    new: int
    """Index of the new note."""
    likeness: float


@dataclass(slots=True)
class Identities:
    """For each note, in order, its line of the lock; None for a new one."""

    found: list[LockedNote | None]
    renamed: set[int] = field(default_factory=set)
    """Those whose question was reworded; under other headings alone a note is only moved."""
    doubts: list[Doubt] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def identify(candidates: Sequence[Candidate], locked: Collection[LockedNote], unread: frozenset[str]) -> Identities:
    """Finds each note in the lock: by its own id, by its key, by a reworded question, by what it was before it went.

    `unread` are files that were not looked at in this run: notes in them have not vanished. Raises
    UsageError if two notes claim one id.
    """
    identities = Identities([None] * len(candidates))
    _check_ids(candidates)
    taken = _by_id(candidates, locked, identities)
    left = [note for note in locked if note.guid not in taken]
    gone = [note for note in left if note.gone is not None]
    _warn_of_twins(candidates, identities)
    taken |= _by_key(candidates, [note for note in left if note.gone is None], identities)
    vanished = [
        note
        for note in left
        if note.guid not in taken and note.gone is None and note.id is None and not unread.intersection(note.files)
    ]
    # a note that learners have may have moved to where a removed one asked the same
    asking = {(note.kind, note.anchor) for note in vanished}
    _by_key(candidates, [note for note in gone if (note.kind, note.anchor) not in asking], identities)
    _by_rewording(candidates, vanished, identities)
    _by_key(candidates, [note for note in gone if (note.kind, note.anchor) in asking], identities)
    _by_return(candidates, gone, identities)
    return identities


def _check_ids(candidates: Sequence[Candidate]) -> None:
    known: dict[str, str] = {}
    for one in candidates:
        if one.explicit_id is None:
            continue
        other = known.setdefault(one.explicit_id, one.where)
        if other != one.where:
            hint = "an id names one note only: give one of them another"
            raise UsageError(f"the id `{one.explicit_id}` is taken by the note at {other}", one.where, hint)


def _by_id(candidates: Sequence[Candidate], locked: Iterable[LockedNote], identities: Identities) -> set[str]:
    """An explicit id wins over everything, so long as the note type is the same."""
    ids: dict[tuple[Kind, str | None], LockedNote] = {
        (note.kind, note.id): note for note in sorted(locked, key=_live_last) if note.id
    }
    taken = set()
    for number, one in enumerate(candidates):
        note = ids.get((one.kind, one.explicit_id))
        if note:
            identities.found[number] = note
            taken.add(note.guid)
    return taken


def _live_last(note: LockedNote) -> tuple[bool, int]:
    return note.gone is None, note.newest


_Asking = tuple[Kind, tuple[str, ...], str]
"""Kind and key, as a tuple: it hashes in a tenth of the time."""


def _warn_of_twins(candidates: Sequence[Candidate], identities: Identities) -> None:
    for numbers in _asking(candidates, identities).values():
        if len(numbers) > 1:
            identities.warnings.append(_twins(candidates, numbers))


def _asking(candidates: Sequence[Candidate], identities: Identities) -> dict[_Asking, list[int]]:
    """The notes that have no line yet, by what they ask."""
    asking: dict[_Asking, list[int]] = defaultdict(list)
    for number, one in enumerate(candidates):
        if identities.found[number] is None:
            asking[one.kind, one.key.headings, one.key.anchor].append(number)
    return asking


def _by_key(candidates: Sequence[Candidate], notes: Sequence[LockedNote], identities: Identities) -> set[str]:
    """Lines that no note has yet and that ask the same; the GUIDs of all that are taken by now."""
    taken = {note.guid for note in identities.found if note}
    lines: dict[_Asking, list[LockedNote]] = defaultdict(list)
    for note in notes:
        if note.guid not in taken:
            lines[note.kind, note.headings, note.anchor].append(note)
    for key, numbers in _asking(candidates, identities).items() if lines else ():
        group = lines.get(key, ())
        if len(numbers) == len(group) == 1:  # as nearly always; `tell_apart` would say the same
            if group[0].id is None or candidates[numbers[0]].explicit_id is None:
                identities.found[numbers[0]] = group[0]
        elif group:
            _take(tell_apart(group, {number: candidates[number] for number in numbers}), identities)
    return {note.guid for note in identities.found if note}


def _take(told: Told, identities: Identities) -> None:
    for number, line in told.found.items():
        identities.found[number] = line
    identities.doubts += [Doubt(*doubt) for doubt in told.doubtful]


def _twins(candidates: Sequence[Candidate], numbers: Sequence[int]) -> str:
    first, second = (candidates[number] for number in numbers[:2])
    others = "" if len(numbers) == 2 else f" and {len(numbers) - 2} more"
    return (
        f"{second.where}: asks `{second.key.anchor[:60]}` under the same headings as {first.where}{others}; "
        "to keep them apart for good, give each a name: <!-- deckgen: id=... -->"
    )


def _by_return(candidates: Sequence[Candidate], gone: Sequence[LockedNote], identities: Identities) -> None:
    """A removed note that comes back elsewhere: it asks and answers the same, and it alone."""
    taken = {note.guid for note in identities.found if note}
    lines: dict[tuple[Kind, str, str], list[LockedNote]] = defaultdict(list)
    for note in gone:
        if note.id is None and note.guid not in taken:
            lines[note.kind, note.anchor, note.answer_hash].append(note)
    fresh: dict[tuple[Kind, str, str], list[int]] = defaultdict(list)
    for number, one in enumerate(candidates) if lines else ():
        if identities.found[number] is None:
            fresh[one.kind, one.key.anchor, one.answer_hash].append(number)
    for same, numbers in fresh.items():
        notes = lines.get(same, ())
        if len(numbers) == len(notes) == 1:
            identities.found[numbers[0]] = notes[0]


def _by_rewording(candidates: Sequence[Candidate], vanished: Sequence[LockedNote], identities: Identities) -> None:
    fresh = [number for number, note in enumerate(identities.found) if note is None]
    result = renames(vanished, [candidates[number] for number in fresh])
    for pair in result.sure:
        identities.found[fresh[pair.new]] = vanished[pair.old]
        if vanished[pair.old].anchor != candidates[fresh[pair.new]].key.anchor:
            identities.renamed.add(fresh[pair.new])
    identities.doubts += [Doubt(vanished[pair.old], fresh[pair.new], pair.alike) for pair in result.doubtful]


def known(notes: Sequence[Note], lock: Lock, unread: Collection[str] = ()) -> tuple[bool, ...]:
    """For each note of a deck, in order, whether any package so far had it, reworded or not.

    One that was removed since is known, too: no import took it from those who had it. `notes` are all notes of
    the deck, since a reworded note is known by what else has gone; `unread` files as in `Release`. Raises
    UsageError if two notes claim one id.
    """
    keys = {(line.kind, line.headings, line.anchor) for line in lock.notes}
    if all((kind_of(note), note.key.headings, note.key.anchor) in keys for note in notes):
        return (True,) * len(notes)  # as in nearly every build: nothing is new, and nothing need be compared
    found = identify([_candidate(note) for note in notes], lock.notes, frozenset(unread)).found
    return tuple(line is not None for line in found)


def _candidate(note: Note) -> Candidate:
    answer = " ".join(back(note).split())
    return Candidate(
        kind=kind_of(note),
        key=note.key,
        explicit_id=note.explicit_id,
        answer=answer[:ANSWER_LENGTH],
        answer_hash=digest(answer),
        where=f"{note.source}:{note.span.first}",
        title="",
        hash="",
        files=tuple(place.source for place in note.places),
    )
