"""What is done with locks and packages besides building: a new deck, notes that are one or two, what an import means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from deckgen import files
from deckgen.app.build import exclusive
from deckgen.app.check import read_lock
from deckgen.app.environments import NEWEST
from deckgen.app.options import Options, Waiting, now, silent
from deckgen.files import CONFIG_NAME
from deckgen.model.difference import Difference, Snapshot
from deckgen.model.errors import UsageError
from deckgen.scaffold import ADDRESS, deck_toml, first_cards, matrix_workflow, workflow
from deckgen.text.wording import as_typed

if TYPE_CHECKING:
    from deckgen.identity import Lock


def adopt(old: str, new: str, options: Options, waiting: Waiting = silent) -> tuple[Path, str]:
    """Writes the lock in which the note NEW has the identity of OLD. Raises UsageError.

    Its path, and an Anki search for the copies that those have who imported NEW before.
    """
    from deckgen import identity

    with exclusive(options, waiting):
        path, lock = _only_lock(options)
        made = identity.adopt(lock, old, new)
        files.write_through(path, identity.format_lock(made).encode())
    return path, identity.copies(lock, made)


def part(old: str, new: str, options: Options, waiting: Waiting = silent) -> Path:
    """Writes the lock in which NEW and OLD are two notes for good; its path. Raises UsageError."""
    from deckgen import identity

    with exclusive(options, waiting):
        path, lock = _only_lock(options)
        files.write_through(path, identity.format_lock(identity.keep_apart(lock, old, new)).encode())
    return path


def _only_lock(options: Options) -> tuple[Path, Lock]:
    first, *others = files.deck_folders(options.paths, options.lock)
    if others:
        raise UsageError("several decks are here", options.paths[0], "name one of them")
    _, lock = read_lock(first)
    if lock is None:
        raise UsageError("there is no lock yet", first.lock.as_posix(), "run `deckgen build` first")
    return first.lock, lock


def diff(old: str | Path, new: str | Path) -> Difference:
    """What importing NEW means for someone who has OLD; both packages, or both locks. Raises SourceError and UsageError."""
    from deckgen import compare

    return compare.compare(*snapshots(Path(old), Path(new)))


def snapshots(old: Path, new: Path) -> tuple[Snapshot, Snapshot]:
    """Two packages, or two locks, for comparing. Raises SourceError and UsageError."""
    with files.package(old) as one, files.package(new) as other:
        kinds = ["a package" if _is_package(file) else "no package" for file in (one, other)]
        if kinds[0] != kinds[1]:
            hint = "compare two packages, or two locks: a lock has no fields to compare"
            raise UsageError(f"is {kinds[1]}, and {old.as_posix()} is {kinds[0]}", new.as_posix(), hint)
        return _snapshot(one, old.as_posix()), _snapshot(other, new.as_posix())


def _is_package(file: BinaryIO) -> bool:
    start = file.read(2)
    file.seek(0)
    return start == b"PK"


def _snapshot(file: BinaryIO, name: str) -> Snapshot:
    from deckgen import identity
    from deckgen.compare.package import snapshot

    if _is_package(file):
        return snapshot(file, name)
    data = file.read(files.SIZE_LIMIT + 1)
    if len(data) > files.SIZE_LIMIT:
        raise UsageError(f"larger than {files.SIZE_LIMIT // 2**20} MiB: no lock is", name)
    return identity.snapshot(identity.parse_lock(files.utf8(data, name), name, now()))


def init(folder: str | Path, waiting: Waiting = silent, torches: Sequence[str] = (), parts: int = 1) -> Iterator[str]:
    """Makes a folder a deck: writes the first files and says what to do next, line by line. Raises UsageError.

    Its CI checks the notes under the newest torch, or under each of `torches`, and in so many parts.

    What exists is never overwritten, and notes get no example among them. A build of the folder comes first, and `waiting`
    is called: the deck's id is that of the lock which it may just write, under which learners have the deck.
    """
    from deckgen.identity import new_deck_id
    from deckgen.origin import installed_from

    folder = Path(folder)
    config = folder / CONFIG_NAME
    if config.exists():
        raise UsageError("is there already; nothing was written", config.as_posix(), "it is a deck: edit this file")
    name = files.as_text(folder.resolve().name) or "notes"
    decks = files.deck_folders([str(folder)]) if folder.exists() else ()
    address = installed_from()
    checks = _workflow(folder, address or ADDRESS, torches, parts)
    with files.exclusive([deck.lock for deck in decks], waiting):
        own = (read_lock(deck) for deck in decks if deck.whole and deck.root == folder)
        lock = next((lock for _, lock in own if lock), None)
        fresh = {config: deck_toml(name, lock.deck_id if lock else new_deck_id())}
        if not any(deck.files for deck in decks):
            fresh[folder / "shapes.md"] = first_cards(name)
        for path, text in (*fresh.items(), *checks.items()):
            files.write_whole(path, text.encode())
            yield f"wrote {path.as_posix()}"
    for path in checks if address is None else ():
        yield f"  edit DECKGEN in {path.as_posix()} before you push it: from where CI installs deckgen"
    yield ""
    for command in ("inspect", "verify", "build"):
        yield f"  deckgen {command} {as_typed(folder.as_posix())}"


def _workflow(folder: Path, address: str, torches: Sequence[str], parts: int) -> dict[Path, str]:
    """Where the forge looks for it: at the root of the repository, else of what may become one."""
    here = folder.resolve()
    root = next((above for above in (here, *here.parents) if (above / ".git").exists()), here)
    relative = files.as_text(here.relative_to(root).as_posix())
    place = folder if root == here else root
    path = place / ".github" / "workflows" / ("notes.yml" if root == here else f"{here.name}.yml")
    if path.exists() or not files.lies_inside(path, (root,)):
        return {}
    named = f"./{relative}" if relative.startswith("-") else relative
    if torches or parts > 1:
        return {path: matrix_workflow(named, torches or (NEWEST,), parts, address)}
    return {path: workflow(named, address)}
