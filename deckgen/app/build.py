"""The way from verdicts to packages: decide, render, keep, pack.

Everything is made in memory first; then packages and locks are written, each whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from deckgen import cache as recall
from deckgen import files
from deckgen.app.delivery import deliver, refuse_distant, refuse_lost_locks, refuse_same_names
from deckgen.app.loaded import Loaded, Options
from deckgen.app.loading import load
from deckgen.app.looks import rendered
from deckgen.app.making import make, stem
from deckgen.app.pipeline import Step, notices, results_of, verified
from deckgen.app.rulings import lock_of, losses, now, parsed, rulings
from deckgen.files import Request
from deckgen.model.decision import Disposition
from deckgen.model.difference import Snapshot
from deckgen.model.errors import UsageError
from deckgen.model.results import NOTHING_RAN, Delivered, Results
from deckgen.model.verdict import Checked, Verification

if TYPE_CHECKING:
    from deckgen.identity import Lock
    from deckgen.model.changes import Changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build made."""

    results: Results
    delivered: Delivered
    changes: tuple[tuple[str, str, Changes], ...]
    """(deck name, how it is named on the command line, what changes for its learners), one per deck."""
    locks: tuple[Path, ...]
    wrote_nothing: bool
    answers: Mapping[Request, str]
    """What the notes were given from beside them, each with a digest."""


def build(options: Options, step: Step) -> Built:
    """The whole way. Packages and locks are written only when every deck is ready. To be called `alone`."""
    loaded = load(options)
    at = now()
    texts = [deck.folder.lock_text() for deck in loaded]
    locks = [parsed(text, deck.folder, at) for text, deck in zip(texts, loaded, strict=True)]
    verification, warnings = _checked(loaded, options, step)
    made = [make(*one, verification, options, at) for one in zip(loaded, texts, locks, strict=True)]
    refuse_distant(options.output)
    refuse_same_names(made, options.output)
    refuse_lost_locks(made, locks, options.output)
    stale = [one.folder.lock.as_posix() for one in made if one.is_stale] if options.locked else []
    results = replace(
        results_of(loaded, verification, ran=not options.no_run),
        lost=() if options.no_run else tuple(losses(zip((one.decisions for one in made), locks, strict=True))),
        decisions=tuple(decision for one in made for decision in one.decisions),
        warnings=(*warnings, *(warning for one in made for warning in one.warnings)),
        stale=tuple(stale),
    )
    changes = tuple((one.assigned.deck.name, one.folder.typed, one.assigned.changes) for one in made)
    delivered = Delivered() if stale else deliver(made, options.output)
    return Built(
        results=results,
        delivered=delivered,
        changes=changes,
        locks=tuple(one.folder.lock for one in made),
        wrote_nothing=bool(stale) or not (delivered.written or any(one.is_stale for one in made)),
        answers={request: digest for deck in loaded for request, digest in deck.beside.answers.items()},
    )


@contextmanager
def alone(options: Options, waits: Callable[[Path], None]) -> Iterator[bool]:
    """Keeps everybody else from building these decks; gives whether somebody was, who is waited for and told of."""
    while True:
        locks = _locks(options)
        with files.alone(locks, waits) as waited:
            if not waited or locks == _locks(options):
                yield waited
                return


def _locks(options: Options) -> list[Path]:
    return [folder.lock for folder in files.deck_folders(options.paths, options.lock)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Previewed:
    """What a preview made."""

    results: Results
    written: tuple[Path, ...]


def preview(options: Options, step: Step) -> Previewed:
    """One page a deck of all its cards, withheld ones among them; the lock stays as it is."""
    from deckgen.render.preview import page

    refuse_distant(options.output)
    loaded = load(options)
    verification, warnings = _checked(loaded, options, step)
    written = []
    for deck in loaded:
        lock = lock_of(deck.folder, now())
        decisions = rulings(deck, lock, verification, options)
        shown = [
            replace(one, disposition=Disposition.SHIP) if one.disposition is Disposition.WITHHOLD else one
            for one in decisions
        ]
        text = page(zip(decisions, rendered(deck, shown, recall.Folder(None)), strict=True), name=deck.folder.name)
        path = options.output / f"{stem(deck.folder)}.html"
        files.write_whole(path, text.encode())
        written.append(path)
    results = replace(results_of(loaded, verification, ran=not options.no_run), warnings=warnings)
    return Previewed(results=results, written=tuple(written))


def adopt(old: str, new: str, options: Options) -> tuple[Path, str]:
    """Writes the lock in which NEW has the identity of OLD. Raises UsageError. To be called `alone`, as `part` is.

    Its path, and an Anki search for the copies that those have who imported NEW before.
    """
    from deckgen.identity import adopt as adopted
    from deckgen.identity import copies, format_lock

    path, lock = _only_lock(options)
    made = adopted(lock, old, new)
    files.write_through(path, format_lock(made).encode())
    return path, copies(lock, made)


def part(old: str, new: str, options: Options) -> Path:
    """Writes the lock in which NEW and OLD are two notes for good; its path. Raises UsageError."""
    from deckgen.identity import format_lock
    from deckgen.identity import part as parted

    path, lock = _only_lock(options)
    files.write_through(path, format_lock(parted(lock, old, new)).encode())
    return path


def _only_lock(options: Options) -> tuple[Path, Lock]:
    folders = files.deck_folders(options.paths, options.lock)
    if len(folders) != 1:
        raise UsageError("several decks are here", options.paths[0], "name one of them")
    lock = lock_of(folders[0], now())
    if lock is None:
        raise UsageError("there is no lock yet", folders[0].lock.as_posix(), "run `deckgen build` first")
    return folders[0].lock, lock


def snapshots(old: Path, new: Path) -> tuple[Snapshot, Snapshot]:
    """Two packages, or two locks, for comparing. Raises SourceError and UsageError."""
    with files.package(old) as one, files.package(new) as other:
        kinds = ["a package" if _is_package(file) else "no package" for file in (one, other)]
        if kinds[0] != kinds[1]:
            hint = "compare two packages, or two locks: a lock has no fields to compare"
            raise UsageError(f"is {kinds[1]}, and {old.as_posix()} is {kinds[0]}", new.as_posix(), hint)
        return _snapshot(one, old), _snapshot(other, new)


def _is_package(file: BinaryIO) -> bool:
    start = file.read(2)
    file.seek(0)
    return start == b"PK"


def _snapshot(file: BinaryIO, path: Path) -> Snapshot:
    from deckgen import compare
    from deckgen import identity as keep

    name = path.as_posix()
    if _is_package(file):
        return compare.snapshot(file, name)
    data = file.read(files.SIZE_LIMIT + 1)
    if len(data) > files.SIZE_LIMIT:
        raise UsageError(f"larger than {files.SIZE_LIMIT // 2**20} MiB: no lock is", name)
    return keep.snapshot(keep.parse_lock(files.utf8(data, name), name, now()))


def _checked(loaded: Sequence[Loaded], options: Options, step: Step) -> tuple[Verification, tuple[str, ...]]:
    return (_nothing_checked(loaded), notices(loaded)) if options.no_run else verified(loaded, options, step)


def _nothing_checked(loaded: Sequence[Loaded]) -> Verification:
    names = [extraction.document.source.name for deck in loaded for extraction in deck.extractions]
    sources = tuple(Checked(source=name, runs={}, verdicts=(), apis=()) for name in names)
    return Verification(environment=NOTHING_RAN, sources=sources)
