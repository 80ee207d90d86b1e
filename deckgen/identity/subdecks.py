"""Names of subdecks. Anki knows decks by name alone and studies them in the order of their names, so each is
numbered once (`10 Tensors`) and never renamed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from deckgen.identity.lock import LockedSubdeck
from deckgen.text.pattern import pattern

STEP = 10
_CONTROL = pattern(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Shelf:
    """A source and where its notes go."""

    source: str
    """As in `Place.source`."""
    file: str
    """Relative to the lock, with forward slashes: what the lock calls it, wherever deckgen is started."""
    title: str = ""
    """What its subdeck is called, without a number; empty = its notes go into the deck itself."""


def subdecks(
    shelves: Sequence[Shelf], known: Sequence[LockedSubdeck], unread: Collection[str] = ()
) -> tuple[LockedSubdeck, ...]:
    """Every subdeck that is or was: those known, followed wherever their file was renamed, and new ones.

    `shelves` in document order; a new file between two known ones gets a number between theirs. `unread` files
    are not in this run but still there: nobody takes over their names.
    """
    names = {subdeck.file: subdeck.name for subdeck in known}
    here = {*unread, *(shelf.file for shelf in shelves)}
    orphans = {subdeck.title: subdeck for subdeck in known if subdeck.file not in here}
    for shelf in shelves:
        if shelf.title and shelf.file not in names and _title(shelf) in orphans:
            names[shelf.file] = orphans.pop(_title(shelf)).name
    titled = [shelf for shelf in shelves if shelf.title]
    numbers = _numbers([_number(names.get(shelf.file)) for shelf in titled], known)
    for shelf, number in zip(titled, numbers, strict=True):
        names.setdefault(shelf.file, f"{number:02} {_title(shelf)}")
    return tuple(LockedSubdeck(name, file) for file, name in sorted(names.items()))


def _title(shelf: Shelf) -> str:
    """`::` would make a subdeck of the subdeck."""
    clean = _CONTROL.sub(" ", shelf.title).replace("::", ": ").replace('"', "'")
    return " ".join(clean.split())[:80] or "Notes"


def _number(name: str | None) -> int | None:
    return int(name.partition(" ")[0]) if name else None


def _numbers(numbers: Sequence[int | None], known: Sequence[LockedSubdeck]) -> list[int]:
    """Numbers in steps of ten; between neighbours where a number is left, else the neighbour's own."""
    top = max((subdeck.number for subdeck in known), default=0)
    result: list[int] = []
    for index, number in enumerate(numbers):
        before = result[-1] if result else 0
        after = next((later for later in numbers[index:] if later is not None), None)
        result.append(_between(before, after, top) if number is None else number)
        top = max(top, result[-1])
    return result


def _between(before: int, after: int | None, top: int) -> int:
    if after is None:
        return top - top % STEP + STEP
    return before + (after - before) // 2 if after > before + 1 else max(1, before)
