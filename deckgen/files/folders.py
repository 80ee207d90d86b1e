"""Decks on disk: which files the command line means, and which deck each belongs to."""

from __future__ import annotations

import glob
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from deckgen.files.reading import PACKAGES, data_folder, lies_inside, places_of, read_text, real
from deckgen.files.walking import CONFIG_NAME, SkippedPaths, files_below, led_out, load_config, matches, refused, walk
from deckgen.model.config import DeckConfig
from deckgen.model.errors import SourceError, UsageError
from deckgen.text.wording import as_typed

LOCK_NAME = "deckgen.lock"
PIPE = "-"
"""The path that means standard input, and what that is called if it is not said."""
MOST_SHOWN = 6
"""Names of files in one message; more are counted."""


@dataclass(frozen=True, slots=True)
class DeckFolder:
    """A deck on disk: where it is rooted, what its author said, and which files belong to this run."""

    root: Path
    places: tuple[Path, ...]
    """Real folders; what is read for the deck lies in one of them."""
    config: DeckConfig
    files: tuple[Path, ...]
    """In the order of `sources`, sorted within each; as typed by the user where possible."""
    name: str
    """From `deck.toml`, else the folder's or file's name."""
    lock: Path
    whole: bool
    """True if `files` are all the files of the deck: only then can a note be found to have gone."""
    named: frozenset[Path] = frozenset()
    """The files that were named on the command line."""
    closed: tuple[Path, ...] = ()
    """Folders below that nobody let us look into: what they hold has not gone."""
    outside: tuple[Path, ...] = ()
    """Links below to folders elsewhere, which were not looked into either."""
    left_out: tuple[Path, ...] = ()
    """Files below that look like notes, but end in what is not searched for."""
    made: tuple[Path, ...] = ()
    """Pages below that a program made."""

    @property
    def refusals(self) -> tuple[SourceError, ...]:
        """What to say of `closed` and `outside`."""
        return (*(refused(path) for path in self.closed), *(led_out(path) for path in self.outside))

    @property
    def notice(self) -> str:
        """What to say of `left_out` and `made`, if anything."""
        made = f"{self._listed(self.made)} (made by a program)" if self.made else ""
        parts = "; ".join(filter(None, (self._listed(self.left_out), made)))
        how = f"name a file to read it, or list its ending in `include` of {CONFIG_NAME}"
        return f"{self.root.as_posix()}: not read: {parts}: {how}" if parts else ""

    @property
    def renamed(self) -> str:
        """What to say before the first build of a file beside the lock of one that is gone; empty if there is no such lock."""
        if len(self.files) != 1 or self.lock != own_lock(self.files[0]) or self.lock.exists():
            return ""
        file = self.files[0]
        locks = self.root.glob(f"*{file.suffix}.{LOCK_NAME}")
        gone = [lock for lock in locks if not lock.with_name(lock.name.removesuffix(f".{LOCK_NAME}")).exists()]
        if len(gone) != 1:
            return ""
        old, new = as_typed(gone[0].as_posix()), as_typed(self.lock.as_posix())
        return (
            f"{file.as_posix()}: has no lock, and the file of {gone[0].name} is gone: if it was renamed, rename its lock, "
            f"too (mv {old} {new}), or its notes come to Anki as new ones"
        )

    def _listed(self, paths: Sequence[Path]) -> str:
        """All names, or how many there are of each ending."""
        if len(paths) <= MOST_SHOWN:
            return ", ".join(self.relative(path) for path in paths)
        counts = Counter(path.suffix.lower() for path in paths)
        return ", ".join(f"{count} {ending}" for ending, count in sorted(counts.items()))

    @property
    def is_read_only(self) -> bool:
        """True if its lock had to go to the user's data folder."""
        data = data_folder()
        return data is not None and self.lock.parent == data / "locks"

    @property
    def part(self) -> str:
        """Which files these are, if they are not all of the deck's: `tensors`, `tensors-and-2-more`."""
        if self.whole:
            return ""
        return as_text(self.files[0].stem) + (f"-and-{len(self.files) - 1}-more" if len(self.files) > 1 else "")

    @property
    def typed(self) -> str:
        """How this deck is named on the command line."""
        if self.whole and not self.named:
            return as_typed(self.root.as_posix())
        if len(self.files) == 1:
            return as_typed(self.files[0].as_posix())
        return f"{as_typed(self.root.as_posix())} --lock {as_typed(self.lock.as_posix())}"

    @property
    def second_locks(self) -> tuple[Path, ...]:
        """Locks of files of this deck that were also built by themselves."""
        return tuple(lock for lock in map(own_lock, self.files) if lock != self.lock and lock.exists())

    def places_for(self, path: Path) -> tuple[Path, ...]:
        """Where one of its files may lie; anywhere (empty) if it was named on the command line."""
        return () if path in self.named else self.places

    def lock_text(self) -> str | None:
        """The text of its lock; None if there is none. Raises UsageError for one that cannot be read.

        A lock beside the notes may be a link, and what it leads to is written: `--lock` may name any place.
        """
        return read_text(self.lock, self.places[:1] if self.lock.parent == self.root else ())

    def relative(self, path: Path) -> str:
        """A file's path inside the deck, with forward slashes: what cards and locks call it."""
        return as_text(Path(os.path.relpath(path, self.root)).as_posix())


def as_text(name: str) -> str:
    """The name of a file as cards and locks can hold it: bytes that are not UTF-8 as `\\xe9`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def as_name(text: str) -> str:
    """The same name of a file in every locale: its bytes are UTF-8."""
    return os.fsdecode(text.encode())


def deck_folders(paths: Sequence[str], lock: Path | None = None) -> tuple[DeckFolder, ...]:
    """The decks that the command line means, in its order; files of one deck are joined.

    Raises UsageError for a path that does not exist or a pattern that matches nothing.
    """
    joined: dict[Path, DeckFolder] = {}
    for text in paths:
        found = [Path(text)] if os.path.exists(text) else _matching(text)
        for one in (folder for path in found for folder in _folders_of(path, lock)):
            key = Path(os.path.abspath(one.lock))  # one deck, however it is named
            other = joined.get(key, one)
            whole = next((folder for folder in (other, one) if folder.whole), None)
            joined[key] = replace(
                whole or other,
                files=whole.files if whole else _each_once(other.files, one.files),
                named=other.named | one.named,
            )
    folders = _within_others([*joined.values()])
    return tuple(folder if folder.whole else _completed(folder, lock) for folder in folders)


def _each_once(*files: Sequence[Path]) -> tuple[Path, ...]:
    """All of these, each by the name that came first."""
    every = [path for some in files for path in some]
    return tuple(sorted({Path(os.path.abspath(path)): path for path in reversed(every)}.values()))


def _within_others(folders: Sequence[DeckFolder]) -> list[DeckFolder]:
    """Decks of which none is a part of another: what was named beside its folder is no deck of its own until it has a lock."""
    kept = dict(enumerate(folders))
    for at, part in enumerate(folders if len(folders) > 1 else ()):
        if part.lock.exists() or (part.root / CONFIG_NAME).exists():
            continue
        files = {*map(real, part.files)}
        around = (number for number, other in kept.items() if number != at and files <= {*map(real, other.files)})
        number = next(around, None)
        if number is not None:
            other, named = kept[number], {*map(real, kept.pop(at).named)}
            more = (path for path in other.files if real(path) in named)
            kept[number] = replace(other, named=other.named.union(more))
    return [*kept.values()]


def folder_here(usual: str) -> str:
    """What is meant if nothing is named: the deck in whose folder one stands, else the folder `usual`. Raises UsageError."""
    if _owns(Path()):
        return "."
    if os.path.exists(usual):
        return usual
    hint = "name a file or a folder of notes; `deckgen init` makes this folder a deck"
    if above := next(filter(_owns, real(Path()).parents), None):  # a deck within it would have its notes a second time
        deck = as_typed(_from_here(above))
        hint = f"this folder belongs to the deck of {deck}: name that, or some of its notes"
    raise UsageError(f"nothing was named, and here is neither a {CONFIG_NAME} nor a folder {usual}", hint=hint)


def _from_here(path: Path) -> str:
    """How a path is named from the folder that one stands in; by all of it on another drive of Windows."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:
        return path.as_posix()


def _completed(part: DeckFolder, lock: Path | None) -> DeckFolder:
    """A deck all of whose files were named one by one (`notes/*.md`) is the deck."""
    whole = _folder(part.root, lock)
    if set(map(real, part.files)) != set(map(real, whole.files)):
        return part
    return replace(whole, named=frozenset(whole.files))


def _matching(pattern: str) -> list[Path]:
    """What a pattern means, each file once: a link to a folder above it would show it forty times."""
    paths = glob.glob(pattern, recursive=True) if glob.has_magic(pattern) else []
    if not paths:
        raise UsageError("no such file or folder", pattern, "name a file of notes, or a folder that has some")
    nearest = sorted(map(Path, paths), key=lambda path: (len(path.parts), path), reverse=True)
    found = sorted({real(path): path for path in nearest}.values())
    fixed = Path(*takewhile(lambda part: not glob.has_magic(part), Path(pattern).parts))
    for path in found:
        if not lies_inside(path, (real(fixed),)):
            message = f"leads out of {fixed.as_posix()}, where `{pattern}` was looked for"
            hint = "name it itself to read it, or write a pattern that leaves it out"
            raise UsageError(message, path.as_posix(), hint)
    return found


def _folders_of(path: Path, lock: Path | None) -> Iterator[DeckFolder]:
    """A file, or the decks of a folder: folders below that have a `deck.toml`, and the rest."""
    if not path.is_dir():
        yield _file(path, lock)
        return
    inner: list[Path] = []
    if not _owns(path):
        below = (folder for folder, _ in walk(path, SkippedPaths(places_of(path))))
        inner = [folder for folder in below if folder != path and os.path.lexists(folder / CONFIG_NAME)]
    yield from (_folder(root, lock) for root in inner)
    rest = _folder(path, lock, skip=frozenset(map(real, inner)))
    if rest.files or rest.refusals or not inner:
        yield rest


def _owns(folder: Path) -> bool:
    # whatever has the name: reading it says what is wrong with what is no file
    return os.path.lexists(folder / CONFIG_NAME) or os.path.lexists(folder / LOCK_NAME)


def _folder(root: Path, lock: Path | None, skip: frozenset[Path] = frozenset()) -> DeckFolder:
    config = load_config(root)
    passed = SkippedPaths(places_of(root))
    places = [root / source for source in config.sources] or [root]
    found = (file for place in places for file in sorted(files_below(place, root, config, skip, passed)))
    files = tuple(dict.fromkeys(found))
    name = config.name or as_text(root.resolve().name) or "notes"
    deck = DeckFolder(root, passed.places, config, files, name, lock or _lock_path(root / LOCK_NAME), True)
    return replace(
        deck,
        closed=tuple(sorted(passed.closed)),
        outside=tuple(path for path in sorted(passed.outside) if not matches(deck.relative(path), config.exclude)),
        left_out=tuple(sorted({*passed.other} - {*files})),
        made=tuple(sorted({*passed.made} - {*files})),
    )


def _file(path: Path, lock: Path | None) -> DeckFolder:
    """A file named outright belongs to the nearest deck above it, else it is a deck of its own."""
    own, above = own_lock(path), None
    if not own.exists() and not path.name.lower().endswith(PACKAGES):  # which belongs to nobody's notes
        above = next(filter(_owns, real(path).parents), None)
    root = Path(_from_here(above)) if above else path.parent
    config = load_config(above) if above else DeckConfig()
    name = config.name or as_text(above.name if above else path.stem)
    lock = lock or _lock_path(root / LOCK_NAME if above else own)
    return DeckFolder(root, places_of(root), config, (path,), name, lock, above is None, frozenset({path}))


def piped(name: str, deck: str, lock: Path | None) -> DeckFolder:
    """Standard input as a deck of its own; without a lock that is named it has none, and its notes are new with each build."""
    path, root = Path(name), Path()
    stem = "notes" if name == PIPE else as_text(path.stem)
    return DeckFolder(
        root, places_of(root), DeckConfig(), (path,), deck or stem, lock or own_lock(path), True, frozenset({path})
    )


def own_lock(path: Path) -> Path:
    """The lock of a file that is a deck by itself."""
    return path.with_name(f"{path.name}.{LOCK_NAME}")


def _lock_path(beside: Path) -> Path:
    """The lock beside the sources; in the user's data folder where that cannot be written.

    The superuser may write anywhere, but a folder without a write bit is meant to stay as it is.
    """
    folder, there = beside.parent, beside.resolve()
    if beside.exists() or (os.access(folder, os.W_OK) and folder.stat().st_mode & 0o222):
        return beside
    data = data_folder()
    if data is None:
        raise UsageError("cannot be written, and you have no home folder", folder.as_posix(), "say where with --lock")
    return data / "locks" / f"{there.parent.name}-{hashlib.sha256(os.fsencode(there)).hexdigest()[:12]}.lock"
