"""The lock at the start of a run, and what it means for the notes: between verdicts and packages."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from deckgen.app.loaded import Loaded, Options
from deckgen.decide import Policy, corrections, decide, identity, lost
from deckgen.files import DeckFolder
from deckgen.model.decision import Decision
from deckgen.model.errors import UsageError
from deckgen.model.falsehood import place_of
from deckgen.model.note import Key, Note
from deckgen.model.verdict import Checked, Verification
from deckgen.text.pattern import pattern

if TYPE_CHECKING:
    from deckgen.identity import Lock


def now() -> int:
    """Seconds since 1970, or what SOURCE_DATE_EPOCH says (reproducible-builds.org)."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told is None:
        return int(time.time())
    if not _A_TIME.fullmatch(told):
        raise UsageError(f"`{told}` is not a number of seconds since 1970", "SOURCE_DATE_EPOCH", "such as 1700000000")
    return int(told)


_A_TIME = pattern(r"0*[1-9][0-9]{0,10}")
"""Not 0, which a lock has for no time at all, and no time of which Anki's numbers in milliseconds could not tell."""


def lock_of(folder: DeckFolder, at: int) -> Lock | None:
    """The lock of a deck; None before its first build. Raises UsageError for one that cannot be trusted."""
    return parsed(folder.lock_text(), folder, at)


def parsed(text: str | None, folder: DeckFolder, at: int) -> Lock | None:
    """The lock of a deck, of the text that was read of it."""
    from deckgen.identity import parse_lock

    return None if text is None else parse_lock(text, folder.lock.as_posix(), at)


def rulings(deck: Loaded, lock: Lock | None, verification: Verification, options: Options) -> tuple[Decision, ...]:
    """A decision for every note of a deck; the same note in several sources is one."""
    from deckgen.extract.same_question import merge

    notes = merge(note for extraction in deck.extractions for note in extraction.notes)
    checked = {source.source: source for source in verification.sources}
    notes = _as_learnt(notes, checked, lock) if lock and not options.no_run else notes
    policy = Policy(
        on_contradiction=options.on_contradiction or deck.folder.config.on_contradiction,
        run=not options.no_run,
        shipped=_shipped(notes, lock),
    )
    return decide(notes, checked, verification.environment, policy)


def _shipped(notes: Sequence[Note], lock: Lock | None) -> frozenset[str]:
    """What learners have already, reworded or not."""
    from deckgen.identity import known

    had = known(notes, lock) if lock else [False] * len(notes)
    return frozenset(identity(note.explicit_id, note.key) for note, has in zip(notes, had, strict=True) if has)


def _as_learnt(notes: tuple[Note, ...], checked: Mapping[str, Checked], lock: Lock) -> tuple[Note, ...]:
    """The notes; what was learnt while it was true, and has become false since, under the key that it had then.

    A statement is known by its words, and what is false in it may be one of them.
    """
    from deckgen.identity import known

    taken = {note.key for note in notes}
    trial = [
        true if (true := _true_key(note, pairs)) not in taken else note.key
        for note, pairs in corrections(notes, checked)
    ]
    if all(key == note.key for key, note in zip(trial, notes, strict=True)):
        return notes
    had = known(notes, lock)
    restored = tuple(note if has else replace(note, key=key) for note, key, has in zip(notes, trial, had, strict=True))
    known_so = known(restored, lock)
    return tuple(one if has else note for one, note, has in zip(restored, notes, known_so, strict=True))


def _true_key(note: Note, pairs: Sequence[tuple[str, str]]) -> Key:
    """The key that a note would have if it said what is true."""
    anchor = note.key.anchor
    for false, true in pairs:
        for before, after in (
            (false, true),
            (false.strip("'\""), true.strip("'\"")),
        ):  # keys have no marks at their ends
            if place := place_of(anchor, before):
                anchor = anchor[: place[0]] + after + anchor[place[1] :]
                break
    return Key(note.key.headings, anchor)


def losses(ruled: Iterable[tuple[Sequence[Decision], Lock | None]]) -> Iterator[str]:
    """What was checked at the last build of each deck and is not any more."""
    for decisions, lock in ruled:
        known = {identity(note.id, note.key): note.words for note in lock.live} if lock else {}
        yield from lost(decisions, known)
