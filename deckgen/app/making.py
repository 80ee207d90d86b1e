"""Making: a deck's verdicts in, its package's content and its next lock out, all in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.app.loaded import Loaded, Options
from deckgen.app.loading import recall_folder
from deckgen.app.looks import rendered
from deckgen.app.rulings import rulings
from deckgen.files import DeckFolder
from deckgen.model.decision import Decision
from deckgen.model.verdict import Verification
from deckgen.text.wording import counted

if TYPE_CHECKING:
    from deckgen.identity import Assigned, Lock, Shelf


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A deck on its way to the disk."""

    folder: DeckFolder
    decisions: tuple[Decision, ...]
    assigned: Assigned
    lock_text: str
    old_lock_text: str | None
    warnings: tuple[str, ...]

    @property
    def package(self) -> str:
        """Name of its package."""
        return f"{stem(self.folder)}.apkg"

    @property
    def is_stale(self) -> bool:
        """True if the lock that was read is not, or no longer, the one that belongs to these notes."""
        return self.lock_text != self.old_lock_text


def stem(folder: DeckFolder) -> str:
    """What is written for a deck is called after it; for some of its files after these too, beside the whole deck's."""
    name = ".".join(filter(None, (folder.name, folder.part)))
    kept = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
    short = kept.encode()[:LONGEST_STEM].decode(errors="ignore").strip("-.")
    return files.as_name(short) or "notes"


LONGEST_STEM = 200
"""Bytes: a file's name may have 255, with its ending and the mark of a file that is half-written."""


def make(
    deck: Loaded, text: str | None, lock: Lock | None, verification: Verification, options: Options, now: int
) -> Made:
    """Decides, renders, and gives every note its identity. `text` is what `lock` was read from."""
    from deckgen.identity import format_lock

    folder = deck.folder
    decisions = rulings(deck, lock, verification, options)
    assigned = _assigned(deck, decisions, lock, options, now)
    return Made(
        folder=folder,
        decisions=decisions,
        assigned=assigned,
        lock_text=format_lock(assigned.lock),
        old_lock_text=text,
        warnings=(
            *_twice(folder, lock),
            *_missing_pictures(assigned, _before_files(folder)),
            *assigned.changes.warnings,
        ),
    )


def _assigned(deck: Loaded, decisions: Sequence[Decision], lock: Lock | None, options: Options, now: int) -> Assigned:
    from deckgen.identity import Release, assign, new_deck_id
    from deckgen.render import LOOK_CHANGED, NOTETYPES, distinct

    folder = deck.folder
    looks = rendered(deck, decisions, recall_folder("faces", options))
    release = Release(
        deck_id=folder.config.id or (lock.deck_id if lock else new_deck_id()),
        deck_name=folder.name,
        notetypes=tuple(NOTETYPES.values()),
        look_changed=LOOK_CHANGED,
        now=now,
        shelves=tuple(_shelves(deck)),
        unread=_unread(deck, lock),
        restamp=options.restamp,
        description=f"Made by deckgen from {counted(len(folder.files), 'source')}.",
        folder=_before_files(folder),
        lock_name=folder.lock.as_posix(),
    )
    return assign(distinct(tuple(looks)), lock, release)


def _before_files(folder: DeckFolder) -> str:
    """What turns a file of the deck into a path that the user's editor opens."""
    root = folder.root.as_posix()
    return "" if root == "." else f"{root.rstrip('/')}/"


def _twice(folder: DeckFolder, lock: Lock | None) -> Iterator[str]:
    """A file that is a deck by itself, too: whoever has both decks meets its cards twice."""
    for second in folder.second_locks:
        remedy = f"delete this lock if that deck is no longer used, or `exclude` the file in {folder.root.as_posix()}"
        if lock is None:
            remedy = f"to go on with that deck and its history, move this lock to {folder.lock.as_posix()} now"
        yield f"{second.as_posix()}: its notes were built as a deck of their own; {remedy}"


def _missing_pictures(assigned: Assigned, folder: str) -> Iterator[str]:
    for card in assigned.deck.cards:
        place = card.rendered.places[0]
        for target in card.rendered.missing_media:
            yield f"{folder}{place.source}:{place.span.first}: no such picture in the notes' folder (a file of up to 64 MiB): {target}"


def _shelves(deck: Loaded) -> Iterator[Shelf]:
    """One subdeck a source, if the deck has several."""
    from deckgen.identity import Shelf

    several = len(deck.folder.files) > 1 or not deck.folder.whole
    for extraction in deck.extractions:
        document = extraction.document
        file = deck.folder.relative(Path(document.source.name))
        title = document.title or Path(file).stem
        yield Shelf(file, file, title if several and deck.folder.config.subdecks else "")


def _unread(deck: Loaded, lock: Lock | None) -> frozenset[str]:
    """Files that the lock knows and this run did not see: their notes have not gone."""
    seen = {deck.folder.relative(Path(each.document.source.name)) for each in deck.extractions}
    failed = {deck.folder.relative(path) for path in deck.folder.files} - seen
    known = {file for note in lock.notes for file in note.files} - seen if lock else set()
    closed = [f"{deck.folder.relative(path)}/" for path in (*deck.folder.closed, *deck.folder.outside)]
    failed |= {file for file in known if any(file.startswith(folder) for folder in closed)}
    failed |= known & {deck.folder.relative(path) for path in (*deck.folder.left_out, *deck.folder.made)}
    if not deck.folder.whole:
        failed |= {file for file in known if (deck.folder.root / file).exists()}
    return frozenset(failed)
