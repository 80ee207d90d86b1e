"""Where new notes go: their subdeck, and `due`, the order in which new cards are met.

Anki knows decks by name alone and studies them in the order of their names, so each is numbered once (`010 Tensors`)
and never renamed. An update never moves a card, so gaps are left between the dues.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from deckgen.identity.lock import LockedSubdeck
from deckgen.text.pattern import pattern

STEP = 1000
"""Distance of the dues of neighbours in a new deck."""
NUMBERED_STEP = 10
"""The same in a deck that is numbered by its name. Anki's check of the database complains of a due of a million."""
APART = 10_000
"""Distance of the first dues of decks that are numbered by their names: a thousand notes of `NUMBERED_STEP` between them."""
SUBDECK_STEP = 10
WIDTH = 3
"""Digits of the number of a subdeck: Anki sorts `100 Views` before `20 Shapes`, and `100` behind `020`."""
_NUMBERED = pattern(r"(?:.*::)?\s*(?P<number>\d{1,2})\s+\S.*")
_DEEPEST = 8
_CONTROL = pattern(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class SourceDeck:
    """A source and where its notes go."""

    source: str
    """As in `Place.source`."""
    file: str
    """Relative to the lock, with forward slashes: what the lock calls it, wherever deckgen is started."""
    title: str = ""
    """What its subdeck is called, without a number; empty = its notes go into the deck itself."""


def subdecks(
    source_decks: Sequence[SourceDeck], known: Sequence[LockedSubdeck], unread: Collection[str] = ()
) -> dict[str, LockedSubdeck]:
    """Every subdeck that is or was, by file: those known, followed wherever their file was renamed, and new ones.

    `source_decks` in document order; a new file between two known ones gets a number between theirs, in steps of ten, or the
    neighbour's own where none is left; digits as many as the known ones have. `unread` files are not in this run but still there: nobody takes over their names.
    """
    found = {subdeck.file: subdeck for subdeck in known}
    here = {*unread, *(one.file for one in source_decks)}
    orphans = {subdeck.title: subdeck for subdeck in known if subdeck.file not in here}
    titled = {one.file: _title(one.title) for one in source_decks if one.title}
    for file, title in titled.items():
        if file not in found and title in orphans:
            found[file] = LockedSubdeck(orphans.pop(title).name, file)
    top = max((subdeck.number for subdeck in known), default=0)
    width = max((len(subdeck.digits) for subdeck in known if subdeck.number < 100), default=WIDTH)
    before = 0
    files = list(titled)
    for index, file in enumerate(files):
        if file not in found:
            after = next((found[later].number for later in files[index:] if later in found), None)
            number = max(1, before)
            if after is None:
                number = top - top % SUBDECK_STEP + SUBDECK_STEP
            elif after > before + 1:
                number = before + (after - before) // 2
            found[file] = LockedSubdeck(f"{number:0{width}} {titled[file]}", file)
        before = found[file].number
        top = max(top, before)
    return dict(sorted(found.items()))


def subdeck_named(deck: str, home: str, name: str) -> str:
    """The subdeck of a note whose author's tool puts it into `deck`; `home` is that of its file, `name` that of the whole deck."""
    parts = [_title(part) for part in deck.split("::") if part.strip()][:_DEEPEST]
    if deck.startswith("::"):
        return "::".join([*filter(None, [home]), *parts])
    own = name.split("::")
    parts = parts[len(own) :] if parts[: len(own)] == own else parts
    return "::".join(parts) or home


def _title(title: str) -> str:
    """`::` would make a subdeck of the subdeck."""
    clean = _CONTROL.sub(" ", title).replace("::", ": ").replace('"', "'")
    return " ".join(clean.split())[:80] or "Notes"


def first_due(deck: str) -> int:
    """Where the dues of a deck begin: those of `PyTorch::02 Autograd` after all of `PyTorch::01 Tensors`, also where a filtered
    deck gathers both.
    """
    found = _NUMBERED.fullmatch(deck)
    return APART * int(found["number"]) if found else 0


def step_between(deck: str) -> int:
    """The distance of the dues of neighbours in a deck of this name, when it is new."""
    return NUMBERED_STEP if _NUMBERED.fullmatch(deck) else STEP


def new_card_order(known: Sequence[int | None], subdecks: Sequence[str], first: int = 0, step: int = STEP) -> list[int]:
    """The `due` of every note in document order; known ones stay, new ones go between their neighbours, those of a new deck behind `first`.

    `subdecks` are the notes' subdecks: only neighbours in one subdeck count, since Anki goes through
    subdecks one by one. Where no gap is left, notes share a number and Anki takes the older one first.
    """
    result = [due or 0 for due in known]
    top = max((due for due in known if due is not None), default=first)
    places: dict[str, list[int]] = defaultdict(list)
    for index, subdeck in enumerate(subdecks):
        places[subdeck].append(index)
    for indices in places.values():
        before: int | None = None
        waiting: list[int] = []
        for index in indices:
            due = known[index]
            if due is None:
                waiting.append(index)
                continue
            for new, value in zip(waiting, _between(before, due, len(waiting), step), strict=True):
                result[new] = value
            before, waiting = due, []
        start = top - top % step if before is None else before
        for place, new in enumerate(waiting, 1):
            result[new] = start + step * place
        top = max(top, *(result[index] for index in indices))
    return result


def _between(before: int | None, after: int, count: int, step: int) -> list[int]:
    if before is None:
        before = max(0, after - step * (count + 1))
    gap = max(0, after - before)
    return [max(1, before + gap * place // (count + 1)) for place in range(1, count + 1)]
