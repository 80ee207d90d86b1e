"""`deckgen init`: a folder becomes a deck. What exists is never overwritten, and notes get no example among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from deckgen import files
from deckgen.app.rulings import lock_of, now
from deckgen.files import CONFIG_NAME, DeckFolder
from deckgen.identity import new_deck_id
from deckgen.model.errors import UsageError
from deckgen.scaffold import deck_toml, first_cards, workflow


def init(folder: Path, waits: Callable[[Path], None]) -> Iterator[str]:
    """Writes the first files and says what to do next, line by line. Raises UsageError if it is a deck already.

    A build of the folder comes first, and `waits` is told: the deck's id is that of the lock which it may just write.
    """
    config = folder / CONFIG_NAME
    if config.exists():
        raise UsageError("is there already; nothing was written", config.as_posix(), "it is a deck: edit this file")
    name = files.as_text(folder.resolve().name) or "notes"
    decks = files.deck_folders([str(folder)]) if folder.exists() else ()
    checks = _workflow(folder)
    with files.alone([deck.lock for deck in decks], waits):
        fresh = {config: deck_toml(name, _known_id(folder, decks) or new_deck_id())}
        if not any(deck.files for deck in decks):
            fresh[folder / "shapes.md"] = first_cards(name)
        fresh |= checks
        for path, text in fresh.items():
            files.write_whole(path, text.encode())
            yield f"wrote {path.as_posix()}"
    for path in checks:
        yield f"  edit DECKGEN in {path.as_posix()} before you push it: from where CI installs deckgen"
    yield ""
    for command in ("inspect", "verify", "build"):
        yield f"  deckgen {command} {folder.as_posix()}"


def _known_id(folder: Path, decks: tuple[DeckFolder, ...]) -> int | None:
    """The id under which learners have this deck, if it was ever built."""
    locks = (lock_of(deck, now()) for deck in decks if deck.whole and deck.root == folder)
    return next((lock.deck_id for lock in locks if lock), None)


def _workflow(folder: Path) -> dict[Path, str]:
    """Where the forge looks for it: at the root of the repository, else of what may become one."""
    here = folder.resolve()
    root = next((above for above in (here, *here.parents) if (above / ".git").exists()), here)
    relative = files.as_text(here.relative_to(root).as_posix())
    place = folder if root == here else root
    path = place / ".github" / "workflows" / ("notes.yml" if root == here else f"{here.name}.yml")
    return {} if path.exists() or not files.lies_inside(path, (root,)) else {path: workflow(relative)}
