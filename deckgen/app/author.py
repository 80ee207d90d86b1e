"""Recording what the author decides about notes: in the lock, at once and whole, whoever else writes it."""

from __future__ import annotations

from pathlib import Path

from deckgen import files
from deckgen.app.check import read_lock
from deckgen.app.options import Waiting, now, silent
from deckgen.app.write_outputs import refuse_lost_lock, stem
from deckgen.files import DeckFolder
from deckgen.model.author import Wish
from deckgen.model.note import Note


def record(
    folder: DeckFolder,
    note: Note,
    wish: Wish | None,
    name: str = "",
    output: Path = Path("build"),
    waiting: Waiting = silent,
) -> None:
    """Writes a decision into the lock of a deck, which gets one if need be; None takes back what was decided.

    `name` is that of the decision that the note has so far, if any. Raises UsageError.
    """
    from deckgen.identity import Lock, decided, format_lock, new_deck_id

    with files.alone([folder.lock], waiting):
        _, lock = read_lock(folder)
        if lock is None:
            refuse_lost_lock(output / f"{stem(folder)}.apkg", folder.lock)
            lock = Lock(deck_id=folder.config.id or new_deck_id(), deck_name=folder.name)
        sources = [folder.relative(Path(place.source)) for place in note.places]
        made = decided(lock, note, sources, wish, name, now())
        files.write_through(folder.lock, format_lock(made).encode())
