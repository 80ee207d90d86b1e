"""The lock at the start of a run, and what it means for the notes: between verdicts and packages."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.decide import Policy, decide, identity, lost
from deckgen.decision import Decision
from deckgen.errors import UsageError
from deckgen.files import DeckFolder
from deckgen.loaded import Loaded, Options
from deckgen.note import Note
from deckgen.verdict import Verification

if TYPE_CHECKING:
    from deckgen.keep import Lock


def now() -> int:
    """Seconds since 1970, or what SOURCE_DATE_EPOCH says (reproducible-builds.org)."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told is None:
        return int(time.time())
    if not told.isdecimal():
        raise UsageError(f"`{told}` is not a number of seconds since 1970", "SOURCE_DATE_EPOCH")
    return int(told)


def lock_of(folder: DeckFolder, at: int) -> Lock | None:
    """The lock of a deck; None before its first build. Raises UsageError for one that cannot be trusted."""
    from deckgen.keep import parse_lock

    text = files.read_text(folder.lock)
    return None if text is None else parse_lock(text, folder.lock.as_posix(), at)


def rulings(deck: Loaded, lock: Lock | None, verification: Verification, options: Options) -> tuple[Decision, ...]:
    """A decision for every note of a deck; the same note in several sources is one."""
    from deckgen.extract.merge import merge

    notes = merge(note for extraction in deck.extractions for note in extraction.notes)
    checked = {source.source: source for source in verification.sources}
    policy = Policy(
        on_contradiction=options.on_contradiction or deck.folder.config.on_contradiction,
        run=not options.no_run,
        shipped=_shipped(notes, lock),
    )
    return decide(notes, checked, verification.environment, policy)


def _shipped(notes: Sequence[Note], lock: Lock | None) -> frozenset[str]:
    """What learners have already, reworded or not."""
    from deckgen.keep import known

    had = known(notes, lock) if lock else [False] * len(notes)
    return frozenset(identity(note.explicit_id, note.key) for note, has in zip(notes, had, strict=True) if has)


def losses(ruled: Iterable[tuple[Sequence[Decision], Lock | None]]) -> Iterator[str]:
    """What was checked at the last build of each deck and is not any more."""
    for decisions, lock in ruled:
        known = {identity(note.id, note.key): note.words for note in lock.live} if lock else {}
        yield from lost(decisions, known)
