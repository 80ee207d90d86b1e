"""Identity: which line of the lock each note is, so that what learners know of it stays with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from deckgen.deck import Kind
from deckgen.errors import UsageError
from deckgen.keep.candidate import Candidate
from deckgen.keep.lock import LockedNote
from deckgen.keep.renames import renames
from deckgen.keep.twins import Told, tell_apart


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
    """Finds each note in the lock: by its own id, by its key, by a reworded question.

    `unread` are files that were not looked at in this run: notes in them have not vanished. Raises
    UsageError if two notes claim one id.
    """
    identities = Identities([None] * len(candidates))
    _check_ids(candidates)
    taken = _by_id(candidates, locked, identities)
    left = [note for note in locked if note.guid not in taken]
    taken |= _by_key(candidates, left, identities)
    vanished = [
        note
        for note in left
        if note.guid not in taken and note.gone is None and note.id is None and not unread.intersection(note.files)
    ]
    _by_rewording(candidates, vanished, identities)
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


def _by_key(candidates: Sequence[Candidate], left: Sequence[LockedNote], identities: Identities) -> set[str]:
    """Live lines first; a removed note comes back as itself if nothing else has its key."""
    asking: dict[_Asking, list[int]] = defaultdict(list)
    for number, one in enumerate(candidates):
        if identities.found[number] is None:
            asking[one.kind, one.key.headings, one.key.anchor].append(number)
    lines: dict[_Asking, list[LockedNote]] = defaultdict(list)
    for note in left:
        lines[note.kind, note.headings, note.anchor].append(note)
    for key, numbers in asking.items():
        lone = lines.get(key, ())
        if len(numbers) == len(lone) == 1:  # as nearly always; `tell_apart` would say the same
            if lone[0].id is None or candidates[numbers[0]].explicit_id is None:
                identities.found[numbers[0]] = lone[0]
            continue
        if len(numbers) > 1:
            identities.warnings.append(_twins(candidates, numbers))
        live = [note for note in lines[key] if note.gone is None]
        gone = [note for note in lines[key] if note.gone is not None]
        for group in (live, gone):
            asking_still = {number: candidates[number] for number in numbers if identities.found[number] is None}
            if group and asking_still:
                _take(tell_apart(group, asking_still), identities)
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


def _by_rewording(candidates: Sequence[Candidate], vanished: Sequence[LockedNote], identities: Identities) -> None:
    fresh = [number for number, note in enumerate(identities.found) if note is None]
    result = renames(vanished, [candidates[number] for number in fresh])
    for pair in result.sure:
        identities.found[fresh[pair.new]] = vanished[pair.old]
        if vanished[pair.old].anchor != candidates[fresh[pair.new]].key.anchor:
            identities.renamed.add(fresh[pair.new])
    identities.doubts += [Doubt(vanished[pair.old], fresh[pair.new], pair.alike) for pair in result.doubtful]
