"""The way from verdicts to packages: decide, render, keep, pack.

Everything is made in memory first; then packages and locks are written, each whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.decision import Decision, Ruling
from deckgen.deck import Rendered
from deckgen.difference import Snapshot
from deckgen.errors import UsageError
from deckgen.files import DeckFolder
from deckgen.loaded import Loaded, Options
from deckgen.pipeline import Step, load, results_of, verified
from deckgen.results import NOTHING_RAN, Results
from deckgen.rulings import lock_of, losses, now, rulings
from deckgen.verdict import Checked, Verification
from deckgen.wording import counted

if TYPE_CHECKING:
    from deckgen.keep import Assigned, Changes, Lock, Shelf


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build made."""

    results: Results
    written: tuple[Path, ...]
    changes: tuple[tuple[str, Changes], ...]
    """(deck name, what changes for its learners), one per deck."""


def build(options: Options, step: Step) -> Built:
    """The whole way. Packages and locks are written only when every deck is ready."""
    loaded = load(options)
    at = now()
    locks = [lock_of(deck.folder, at) for deck in loaded]
    verification, warnings = _checked(loaded, options, step)
    made = [_made(deck, lock, verification, options, at) for deck, lock in zip(loaded, locks, strict=True)]
    _refuse_same_names(made, options.output)
    results = replace(
        results_of(loaded, verification, ran=not options.no_run),
        lost=tuple(line for one, lock in zip(made, locks, strict=True) for line in losses(one.decisions, lock)),
        decisions=tuple(decision for one in made for decision in one.decisions),
        warnings=(*warnings, *(warning for one in made for warning in one.warnings)),
    )
    changes = tuple((one.assigned.deck.name, one.assigned.changes) for one in made)
    if options.locked:
        return Built(results=replace(results, stale=_stale(made)), written=_write(made, options), changes=changes)
    return Built(results=results, written=_write(made, options), changes=changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Previewed:
    """What a preview made."""

    results: Results
    written: tuple[Path, ...]


def preview(options: Options, step: Step) -> Previewed:
    """One page a deck of all its cards, withheld ones among them; the lock stays as it is."""
    from deckgen.render.preview import page

    loaded = load(options)
    verification, warnings = _checked(loaded, options, step)
    written = []
    for deck in loaded:
        lock = lock_of(deck.folder, now())
        decisions = rulings(deck, lock, verification, options)
        shown = [replace(decision, ruling=Ruling.SHIP) for decision in decisions]
        text = page(zip(decisions, _rendered(deck, shown), strict=True), name=deck.folder.name)
        path = options.output / f"{_file_name(deck.folder.name)}.html"
        files.write_whole(path, text.encode())
        written.append(path)
    results = replace(results_of(loaded, verification, ran=not options.no_run), warnings=warnings)
    return Previewed(results=results, written=tuple(written))


def adopt(old: str, new: str, options: Options) -> Path:
    """Writes the lock in which NEW has the identity of OLD; returns its path. Raises UsageError."""
    from deckgen.keep import adopt as adopted
    from deckgen.keep import format_lock

    folders = files.deck_folders(options.paths, options.lock)
    if len(folders) != 1:
        raise UsageError("several decks are here", options.paths[0], "name one of them")
    lock = lock_of(folders[0], now())
    if lock is None:
        raise UsageError("there is no lock yet", folders[0].lock.as_posix(), "run `deckgen build` first")
    files.write_whole(folders[0].lock, format_lock(adopted(lock, old, new)).encode())
    return folders[0].lock


def snapshots(old: Path, new: Path) -> tuple[Snapshot, Snapshot]:
    """Two packages, or two locks, for comparing. Raises SourceError and UsageError."""
    data = [files.package(path) for path in (old, new)]
    if len({one.startswith(b"PK") for one in data}) > 1:
        hint = "compare two packages, or two locks: a lock has no fields to compare"
        raise UsageError(f"is a package, and {old.as_posix()} is none, or the other way round", new.as_posix(), hint)
    return _snapshot(data[0], old), _snapshot(data[1], new)


def _snapshot(data: bytes, path: Path) -> Snapshot:
    from deckgen import compare, keep

    if data.startswith(b"PK"):
        return compare.snapshot(data, path.as_posix())
    return keep.snapshot(keep.parse_lock(files.decode(data, path.as_posix()).text, path.as_posix(), now()))


def _checked(loaded: Sequence[Loaded], options: Options, step: Step) -> tuple[Verification, tuple[str, ...]]:
    return (_nothing_checked(loaded), ()) if options.no_run else verified(loaded, options, step)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """A deck on its way to the disk."""

    folder: DeckFolder
    decisions: tuple[Decision, ...]
    assigned: Assigned
    lock_text: str
    old_lock_text: str | None
    warnings: tuple[str, ...]

    @property
    def package(self) -> str:
        """Name of the package: the deck's, as a file name on any system."""
        return f"{_file_name(self.folder.name)}.apkg"


def _file_name(name: str) -> str:
    """A deck's name as a file name on any system."""
    kept = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
    return kept.strip("-.") or "notes"


def _nothing_checked(loaded: Sequence[Loaded]) -> Verification:
    names = [extraction.document.source.name for deck in loaded for extraction in deck.extractions]
    sources = tuple(Checked(source=name, runs={}, verdicts=(), apis=()) for name in names)
    return Verification(environment=NOTHING_RAN, sources=sources)


def _made(deck: Loaded, lock: Lock | None, verification: Verification, options: Options, now: int) -> _Made:

    from deckgen.keep import format_lock

    folder = deck.folder
    decisions = rulings(deck, lock, verification, options)
    assigned = _assigned(deck, decisions, lock, options, now)
    return _Made(
        folder=folder,
        decisions=decisions,
        assigned=assigned,
        lock_text=format_lock(assigned.lock),
        old_lock_text=files.read_text(folder.lock),
        warnings=(*_missing_pictures(assigned), *assigned.changes.warnings),
    )


def _assigned(deck: Loaded, decisions: Sequence[Decision], lock: Lock | None, options: Options, now: int) -> Assigned:
    from deckgen.keep import Release, assign, new_deck_id
    from deckgen.render import NOTETYPES, distinct

    folder = deck.folder
    release = Release(
        deck_id=folder.config.id or (lock.deck_id if lock else new_deck_id()),
        deck_name=folder.name,
        notetypes=tuple(NOTETYPES.values()),
        now=now,
        shelves=tuple(_shelves(deck)),
        unread=_unread(deck, lock),
        restamp=options.restamp,
        description=f"Made by deckgen from {counted(len(folder.files), 'source')}.",
        lock_name=folder.lock.as_posix(),
    )
    return assign(distinct(tuple(_rendered(deck, decisions))), lock, release)


def _rendered(deck: Loaded, decisions: Sequence[Decision]) -> Iterator[Rendered]:
    from deckgen.render import render

    languages = {each.document.source.name: each.document.language for each in deck.extractions}
    for decision in decisions:
        if decision.ruling is Ruling.WITHHOLD:
            continue
        note = decision.note
        language = languages[note.source]
        picture = files.pictures(Path(note.source).parent)
        places = tuple(replace(place, source=deck.folder.relative(Path(place.source))) for place in note.places)
        settled = replace(decision, note=replace(note, places=places))
        yield render(settled, language=language, media=picture, source_url=deck.folder.config.source_url)


def _missing_pictures(assigned: Assigned) -> Iterator[str]:
    for card in assigned.deck.cards:
        place = card.rendered.places[0]
        for target in card.rendered.missing_media:
            yield f"{place.source}:{place.span.first}: picture not found: {target}"


def _shelves(deck: Loaded) -> Iterator[Shelf]:
    """One subdeck a source, if the deck has several."""
    from deckgen.keep import Shelf

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
    if deck.folder.whole or lock is None:
        return frozenset(failed)
    known = {file for note in lock.notes for file in note.files}
    return frozenset(failed | {file for file in known - seen if (deck.folder.root / file).exists()})


def _refuse_same_names(made: Sequence[_Made], output: Path) -> None:
    seen: dict[str, _Made] = {}
    for one in made:
        other = seen.setdefault(one.package.casefold(), one)
        if other is not one:
            names = f"{other.folder.root.as_posix()} and {one.folder.root.as_posix()}"
            hint = "give one of them another `name` in its deck.toml"
            raise UsageError(f"two decks would be this package: {names}", (output / one.package).as_posix(), hint)


def _stale(made: Sequence[_Made]) -> tuple[str, ...]:
    return tuple(one.folder.lock.as_posix() for one in made if one.lock_text != one.old_lock_text)


def _write(made: Sequence[_Made], options: Options) -> tuple[Path, ...]:
    """Packages first: a lock that knows of notes nobody ever got would be the worse half."""
    from deckgen.pack import write
    from deckgen.render import NOTETYPES

    if options.locked and _stale(made):
        return ()
    written = []
    for one in made:
        if not one.assigned.deck.cards:
            continue
        path = options.output / one.package
        write(one.assigned.deck, tuple(NOTETYPES.values()), path)
        written.append(path)
        if one.lock_text != one.old_lock_text:
            files.write_whole(one.folder.lock, one.lock_text.encode())
    return tuple(written)
