"""`due`: the order in which new cards are met. An update never moves a card, so gaps are left between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

STEP = 1000
"""Distance of neighbours in a new deck."""


def dues(known: Sequence[int | None], subdecks: Sequence[str]) -> list[int]:
    """The `due` of every note in document order; known ones stay, new ones go between their neighbours.

    `subdecks` are the notes' subdecks: only neighbours in one subdeck count, since Anki goes through
    subdecks one by one. Where no gap is left, notes share a number and Anki takes the older one first.
    """
    result = [due or 0 for due in known]
    top = max(result, default=0)
    places: dict[str, list[int]] = defaultdict(list)
    for index, subdeck in enumerate(subdecks):
        places[subdeck].append(index)
    for indices in places.values():
        values = _filled([known[index] for index in indices], top)
        top = max(top, *values)
        for index, value in zip(indices, values, strict=True):
            result[index] = value
    return result


def _filled(known: Sequence[int | None], top: int) -> list[int]:
    """The dues of one subdeck; `top` is the highest in use anywhere."""
    values: list[int] = []
    waiting = 0
    for due in (*known, None):
        if due is None and len(values) + waiting < len(known):
            waiting += 1
            continue
        before = values[-1] if values else None
        values += _between(before, due, waiting, top)
        waiting = 0
        if due is not None:
            values.append(due)
    return values


def _between(before: int | None, after: int | None, count: int, top: int) -> list[int]:
    if after is None:
        start = top - top % STEP if before is None else before
        return [start + STEP * step for step in range(1, count + 1)]
    if before is None:
        before = max(0, after - STEP * (count + 1))
    gap = max(0, after - before)
    return [max(1, before + gap * step // (count + 1)) for step in range(1, count + 1)]
