"""Recording what the author decides about notes: in the lock, at once and whole, whoever else writes it."""

from __future__ import annotations

from collections.abc import Iterable
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
    notes: Iterable[tuple[Note, str]],
    wish: Wish | None,
    output: Path = Path("build"),
    waiting: Waiting = silent,
) -> None:
    """Writes one decision about each of these notes into the lock of their deck, all in one write; None takes back what was decided.

    With each note comes the name of the decision that it has so far, if any. A deck without a lock gets one. Raises UsageError.
    """
    from deckgen.identity import Lock, decided, format_lock, new_deck_id

    with files.exclusive([folder.lock], waiting):
        _, lock = read_lock(folder)
        if lock is None:
            refuse_lost_lock(output / f"{stem(folder)}.apkg", folder.lock)
            lock = Lock(deck_id=folder.config.id or new_deck_id(), deck_name=folder.name)
        found = [(note, name, [folder.relative(Path(place.source)) for place in note.places]) for note, name in notes]
        made = decided(lock, found, wish, now())
        files.write_through(folder.lock, format_lock(made).encode())
