"""Entries of lists that are cards: what stands above and below them, and what is left of the list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from deckgen.extract.text import title
from deckgen.model.document import Item, Items
from deckgen.text.pattern import pattern

_TASK = pattern(r"\[[ xX]\]\s+")
_LABEL = 60
"""Characters of an entry that is the context of those below it."""


def without_box(text: str) -> str:
    """The text of an entry without the box of a task, `[ ]` or `[x]`."""
    return _TASK.sub("", text, count=1) if _TASK.match(text) else text


def labels(items: Sequence[Item], at: int) -> list[str]:
    """The entries that an entry stands below, as its context."""
    return [_label(items[above]) for above in _above(items, at)]


def _label(item: Item) -> str:
    text = title(item.text.partition("\n")[0])
    return text if len(text) <= _LABEL else f"{text[: _LABEL // 2]}…"


def _above(items: Sequence[Item], at: int) -> list[int]:
    """The entries that an entry stands below, the outermost first."""
    found: list[int] = []
    depth = items[at].depth
    for above in range(at - 1, -1, -1):
        if items[above].depth < depth:
            depth = items[above].depth
            found.append(above)
    return found[::-1]


def below(items: Sequence[Item], at: int, cards: Collection[int]) -> Iterator[int]:
    """The entries below an entry that belong to it: neither cards of their own, nor above or below one."""
    stop = next((n for n in range(at + 1, len(items)) if items[n].depth <= items[at].depth), len(items))
    context = {above for one in cards if at < one < stop for above in _above(items, one)}
    for one in range(at + 1, stop):
        if (
            one not in cards
            and one not in context
            and not any(above > at and above in cards for above in _above(items, one))
        ):
            yield one


def bullets(items: Sequence[Item], at: int, which: Sequence[int]) -> str:
    """Entries below an entry as a list."""
    found = [items[one] for one in which]
    return "\n".join(f"{'    ' * (one.depth - items[at].depth - 1)}- {one.text}" for one in found)


def rest(block: Items, cards: Collection[int]) -> Items | None:
    """The entries that are no cards and belong to none, nor only lead to them; None if there are none."""
    items = block.items
    taken = {one for at in cards for one in (at, *below(items, at, cards))}
    leading = {above for at in cards for above in _above(items, at)}
    alive = {at for at in range(len(items)) if at not in taken and at not in leading}
    alive |= {above for at in alive for above in _above(items, at) if above not in taken}
    left = tuple(item for at, item in enumerate(items) if at in alive)
    return replace(block, items=left, span=left[0].span | left[-1].span) if left else None
