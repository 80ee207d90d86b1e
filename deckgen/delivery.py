"""Delivery: packages and locks on their way to the disk, when every deck is ready."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from deckgen import files
from deckgen.deck import Deck, NoteType
from deckgen.errors import UsageError
from deckgen.making import Made


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The packages of a run."""

    written: tuple[Path, ...] = ()
    current: tuple[Path, ...] = ()
    """Those that were what they should be already, and were left alone."""

    @property
    def packages(self) -> tuple[Path, ...]:
        return (*self.written, *self.current)


def deliver(made: Sequence[Made], output: Path) -> Delivered:
    """Packages first: a lock that knows of notes nobody ever got would be the worse half."""
    from deckgen.render import NOTETYPES

    written: list[Path] = []
    current: list[Path] = []
    for one in made:
        if not one.assigned.deck.cards:
            continue
        path = output / one.package
        new = write_package(one.assigned.deck, tuple(NOTETYPES.values()), path)
        (written if new else current).append(path)
        if one.is_stale:
            files.write_whole(one.folder.lock, one.lock_text.encode())
    return Delivered(written=tuple(written), current=tuple(current))


def write_package(deck: Deck, notetypes: Collection[NoteType], path: Path) -> bool:
    """Writes `deck` to `path`, in place of what is there; False if that is this very deck and was left alone.

    Raises UsageError if the folder cannot be written, EngineError if the deck is not what Anki would make of it.
    """
    from deckgen.pack import fingerprint, is_current, package

    if is_current(path, fingerprint(deck, notetypes)):
        return False
    files.write_whole(path, package(deck, notetypes))
    return True


def refuse_same_names(made: Sequence[Made], output: Path) -> None:
    """Raises UsageError if one package would overwrite another."""
    seen: dict[str, Made] = {}
    for one in made:
        other = seen.setdefault(one.package.casefold(), one)
        if other is not one:
            names = f"{other.folder.root.as_posix()} and {one.folder.root.as_posix()}"
            hint = "give one of them another `name` in its deck.toml"
            raise UsageError(f"two decks would be this package: {names}", (output / one.package).as_posix(), hint)
