"""Packages and locks on their way to the disk, when every deck is ready."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.files import DeckFolder
from deckgen.model.deck import Deck, NoteType
from deckgen.model.errors import UsageError
from deckgen.model.results import Decision, Delivered
from deckgen.text.pattern import pattern

if TYPE_CHECKING:
    from deckgen.identity import Assigned, Lock

LONGEST_SEARCH = 300
"""Characters of a search for removed notes that are shown; a longer one is written to a file."""
LONGEST_STEM = 200
"""Bytes: a file's name may have 255, with its ending and the mark of a file that is half-written."""


_WORDS = pattern(r', "words": \[[^\]]*\]')
"""What the checks said of a note, in its line of the lock."""


@dataclass(frozen=True, slots=True)
class BuiltDeck:
    """A deck on its way to the disk."""

    folder: DeckFolder
    decisions: tuple[Decision, ...]
    assigned: Assigned
    lock_text: str
    old_lock_text: str | None
    old_lock: Lock | None
    warnings: tuple[str, ...]

    @property
    def package(self) -> str:
        """Name of its package: a deck that was renamed keeps it, as it keeps its name in Anki."""
        return f"{stem(self.folder, self.assigned.lock.deck_name)}.apkg"

    @property
    def is_stale(self) -> bool:
        """True if the lock that was read is not, or no longer, the one that belongs to these notes."""
        return self.lock_text != self.old_lock_text

    @property
    def as_locked(self) -> BuiltDeck:
        """With the lock that was read, if what the checks say is all that is new: it reaches no learner, and a newer torch or
        deckgen may say it.
        """
        old = self.old_lock_text
        same = old is not None and _WORDS.sub("", old) == _WORDS.sub("", self.lock_text)
        return replace(self, lock_text=old) if old is not None and same else self


def stem(folder: DeckFolder, name: str = "") -> str:
    """What is written for a deck is called after it, or after its `name`; for some of its files after these too, beside the whole deck's."""
    return stem_of(".".join(filter(None, (name or folder.name, folder.part))))


def stem_of(name: str) -> str:
    """A name as that of a file."""
    kept = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
    short = kept.encode()[:LONGEST_STEM].decode(errors="ignore").strip("-.")
    first, dot, rest = short.partition(".")
    return files.as_name(f"{first}_{dot}{rest}" if first.upper() in RESERVED else short) or "notes"


RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}
"""What no file may be called on Windows, whatever its ending."""


def write_outputs(made: Sequence[BuiltDeck], output: Path, bundles: Iterable[tuple[str, Deck]] = ()) -> Delivered:
    """Packages first: a lock that knows of notes nobody ever got would be the worse half.

    `bundles` = packages of several of these decks, by name.

    Raises UsageError if somebody wrote a lock since it was read: another user, another machine, a person.
    """
    from deckgen.render import NOTETYPES

    for one in made:
        if one.folder.lock_text() != one.old_lock_text:
            message = "was written by somebody else while this build ran; nothing was written"
            raise UsageError(message, one.folder.lock.as_posix(), "build again")
    new: list[tuple[Path, bytes]] = []
    written: list[Path] = []
    current: list[Path] = []
    searches: dict[str, Path] = {}
    whole = [(one.package, one.assigned.deck) for one in made]
    names: set[str] = set()
    for name, deck in (*whole, *((f"{stem_of(name)}.apkg", deck) for name, deck in bundles)):
        if not deck.cards:
            continue
        path = output / name
        if name.casefold() in names:  # a deck that was renamed, and another that has its old name
            hint = (
                f"give one of them another name: in deck.toml, in the `deck` line of a lock, or in {files.BUNDLES_NAME}"
            )
            raise UsageError("two packages would be this file; nothing was written", path.as_posix(), hint)
        names.add(name.casefold())
        data = packed(deck, tuple(NOTETYPES.values()), path)
        (current if data is None else written).append(path)
        if data is not None:
            new.append((path, data))
    for one in made:
        deck, search = one.assigned.deck, one.assigned.changes.search
        if deck.cards and len(search) > LONGEST_SEARCH:
            searches[deck.name] = output / f"{Path(one.package).stem}-removed.txt"
            new.append((searches[deck.name], f"{search}\n".encode()))
        if deck.cards and one.is_stale:
            new.append((files.real(one.folder.lock), one.lock_text.encode()))
    files.write_together(new)
    distant = tuple(one.folder.lock for one in made if one.folder.is_read_only)
    return Delivered(written=tuple(written), current=tuple(current), searches=searches, distant=distant)


def packed(deck: Deck, notetypes: Collection[NoteType], path: Path) -> bytes | None:
    """The package of a deck; None if that is what `path` is already.

    Raises EngineError if the deck is not what Anki would make of it.
    """
    from deckgen.pack import fingerprint, is_current, package

    mark = fingerprint(deck, notetypes)
    try:
        with files.opened(path) as file:
            if is_current(file, mark):
                return None
    except OSError:
        pass
    return package(deck, notetypes, mark)


def refuse_distant(output: Path) -> None:
    """Raises UsageError for a folder by a plain name that is a link to a place elsewhere: whose link is it?"""
    plain = not output.is_absolute() and ".." not in output.parts
    if plain and not files.lies_inside(output, (files.real(Path()),)):
        raise UsageError("leads out of this folder", output.as_posix(), "name the place itself with -o")


def refuse_overwriting(folders: Sequence[DeckFolder], output: Path, ending: str, bundles: Iterable[str] = ()) -> None:
    """Raises UsageError if what is written for one deck, or for several together, would overwrite what is written for another."""
    same: dict[str, list[DeckFolder]] = defaultdict(list)
    for folder in folders:
        same[stem(folder).casefold()].append(folder)
    for name in bundles:
        if taken := same.get(stem_of(name).casefold()):
            what = (output / f"{stem_of(name)}{ending}").as_posix()
            hint = f"give it another name in {files.BUNDLES_NAME}"
            raise UsageError(f"a package of several decks and one of {taken[0].typed} would be this file", what, hint)
    for found in same.values():
        if len(found) > 1:
            names = ", ".join(folder.typed for folder in found)
            hint = "give each a `name` of its own in its deck.toml"
            if any(folder.named for folder in found):
                hint = (
                    "name their folder instead to make one deck of them, or each by itself with a place of its own (-o)"
                )
            what = (output / f"{stem(found[0])}{ending}").as_posix()
            raise UsageError(f"{len(found)} decks would be this file: {names}", what, hint)


def refuse_second_deck(folder: DeckFolder) -> None:
    """Raises UsageError for a first build of a deck whose files were built as decks of their own: whoever has those would get their
    cards twice.
    """
    locks, new = folder.second_locks, folder.lock.as_posix()
    if locks and not folder.lock.exists():
        notes, it = ("its notes were", "it") if len(locks) == 1 else ("the notes of each were", "one of them")
        message = f"{notes} built as a deck of their own; in the deck of the folder learners would get them twice"
        hint = f"delete what nobody has imported; else move {it} to {new}, or go on building files by themselves"
        raise UsageError(message, ", ".join(lock.as_posix() for lock in locks), hint)


def refuse_lost_lock(package: Path, lock: Path) -> None:
    """Raises UsageError if a package was built with a lock that is no longer there."""
    if package.exists():
        lost = "its lock is gone: its notes would come to Anki as new ones, without what was learnt"
        hint = "put the lock back from your backup or version control; to begin anew, remove the package"
        raise UsageError(f"{package.as_posix()} was built before, but {lost}", lock.as_posix(), hint)
