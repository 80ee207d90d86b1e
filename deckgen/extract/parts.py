"""What is left of a list: an idiom takes out the items that it made notes of, with all below them.

A list may hold a quiz, a question and a definition side by side; what one idiom leaves is for those that follow.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from deckgen.extract.page import Page
from deckgen.model.document import Block, Item, Items, Prose
from deckgen.model.source import Span

_KINDS = (Prose, Items)
"""Blocks that notes are made of line by line."""


def number_of(begin: Sequence[int], place: int) -> int:
    """Number of the item (or part) that a line of the block stands in; `begin` are the places where each begins."""
    return bisect_right(begin, place) - 1


def items_of(page: Page, index: int, parts: Iterable[int]) -> Iterator[int]:
    """Numbers of the items of whole parts: top-level items with all below them."""
    items, heads = page.item_starts(index), page.part_starts(index)
    for part in parts:
        stop = bisect_left(items, heads[part + 1]) if part + 1 < len(heads) else len(items)
        yield from range(bisect_left(items, heads[part]), stop)


def items_on(block: Block, lines: Iterable[int]) -> Collection[int]:
    """Numbers of the items that begin on lines of the source; all of them in a source of one line."""
    items = block.items if isinstance(block, Items) else ()
    if len({item.span.start for item in items}) < len(items):
        return range(len(items))
    begin = {item.span.start: at for at, item in enumerate(items)}
    return [begin[line] for line in lines if line in begin]


def left_of(page: Page, taken: Mapping[int, Collection[int]]) -> dict[int, Block]:
    """What is left of each list of which something is, by its index; `taken` are the numbers of its items."""
    left: dict[int, Block] = {}
    for index, numbers in taken.items():
        block = page.blocks[index]
        rest = _without(block.items, frozenset(numbers)) if isinstance(block, Items) else []
        if rest and isinstance(block, Items):
            left[index] = replace(block, items=tuple(rest), span=Span(rest[0].span.start, rest[-1].span.stop))
    return left


def _without(items: Sequence[Item], taken: Collection[int]) -> list[Item]:
    """The items that are not taken and not below one that is; nor one that had items below it and has none left."""
    left: list[Item] = []
    gone = _gone(items, taken)
    below = -1  # the depth of the next item that is kept
    for at in range(len(items) - 1, -1, -1):
        bare = _has_children(items, at) and below <= items[at].depth
        if at not in gone and not bare:
            left.append(items[at])
            below = items[at].depth
    return left[::-1]


def _has_children(items: Sequence[Item], at: int) -> bool:
    return at + 1 < len(items) and items[at + 1].depth > items[at].depth


def _gone(items: Sequence[Item], taken: Collection[int]) -> set[int]:
    gone: set[int] = set()
    depth: int | None = None
    for at, item in enumerate(items):
        if depth is not None and item.depth <= depth:
            depth = None
        if depth is None and at in taken:
            depth = item.depth
        gone.update([at] if depth is not None else [])
    return gone
