"""Delivery: packages and locks on their way to the disk, when every deck is ready."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.deck import Deck, NoteType
from deckgen.errors import UsageError
from deckgen.results import Delivered
from deckgen.run.making import Made, stem

if TYPE_CHECKING:
    from deckgen.keep import Lock

TOLD = 300
"""Characters of a search for removed notes that are told; a longer one is written down."""


def deliver(made: Sequence[Made], output: Path) -> Delivered:
    """Packages first: a lock that knows of notes nobody ever got would be the worse half."""
    from deckgen.render import NOTETYPES

    written: list[Path] = []
    current: list[Path] = []
    searches: dict[str, Path] = {}
    for one in made:
        if not one.assigned.deck.cards:
            continue
        path = output / one.package
        new = write_package(one.assigned.deck, tuple(NOTETYPES.values()), path)
        (written if new else current).append(path)
        search = one.assigned.changes.search
        if len(search) > TOLD:
            searches[one.assigned.deck.name] = output / f"{stem(one.folder)}-removed.txt"
            files.write_whole(searches[one.assigned.deck.name], f"{search}\n".encode())
        if one.is_stale:
            files.write_through(one.folder.lock, one.lock_text.encode())
    distant = tuple(one.folder.lock for one in made if one.folder.is_read_only)
    return Delivered(written=tuple(written), current=tuple(current), searches=searches, distant=distant)


def write_package(deck: Deck, notetypes: Collection[NoteType], path: Path) -> bool:
    """Writes `deck` to `path`, in place of what is there; False if that is this very deck and was left alone.

    Raises UsageError if the folder cannot be written, EngineError if the deck is not what Anki would make of it.
    """
    from deckgen.pack import fingerprint, package

    mark = fingerprint(deck, notetypes)
    if _is_current(path, mark):
        return False
    files.write_whole(path, package(deck, notetypes, mark))
    return True


def _is_current(path: Path, mark: bytes) -> bool:
    from deckgen.pack import is_current

    try:
        with files.opened(path) as file:
            return is_current(file, mark)
    except OSError:
        return False


def refuse_same_names(made: Sequence[Made], output: Path) -> None:
    """Raises UsageError if one package would overwrite another."""
    seen: dict[str, Made] = {}
    for one in made:
        other = seen.setdefault(one.package.casefold(), one)
        if other is not one:
            names = f"{other.folder.root.as_posix()} and {one.folder.root.as_posix()}"
            hint = "give one of them another `name` in its deck.toml"
            raise UsageError(f"two decks would be this package: {names}", (output / one.package).as_posix(), hint)


def refuse_lost_locks(made: Sequence[Made], locks: Sequence[Lock | None], output: Path) -> None:
    """Raises UsageError if a package was built before and its lock is gone: all notes would be new to Anki."""
    for one, lock in zip(made, locks, strict=True):
        path = output / one.package
        if lock is None and one.assigned.deck.cards and path.exists():
            raise UsageError(
                f"{path.as_posix()} was built before, but its lock is gone: its notes would come to Anki as new ones, "
                "without what was learnt",
                one.folder.lock.as_posix(),
                "put the lock back from your backup or version control; to begin anew, remove the package",
            )
