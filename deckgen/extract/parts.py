"""Parts of a list: each top-level item with what stands below it.

A list may hold a quiz, a question and a definition side by side. What an idiom makes a note of is taken out
of it; the rest is left to the idioms that follow.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from deckgen.document import Block, Item, Items
from deckgen.source import Span


def part_of(begin: Sequence[int], place: int) -> int:
    """Number of the part that a line of the block stands in; `begin` are the places where the parts begin."""
    return bisect_right(begin, place) - 1


def numbers_at(block: Block, lines: Iterable[int]) -> set[int]:
    """Numbers of the parts that lines of the source stand in."""
    heads = [part[0].span.start for part in parts(block)] if isinstance(block, Items) else []
    return {bisect_right(heads, line) - 1 for line in lines}


def parts(block: Items) -> list[tuple[Item, ...]]:
    """The items of each part."""
    top = min((item.depth for item in block.items), default=0)
    heads = [at for at, item in enumerate(block.items) if item.depth == top]
    return [block.items[a:b] for a, b in zip(heads, [*heads[1:], len(block.items)], strict=True)]


def without(block: Items, taken: Collection[int]) -> Items | None:
    """What is left of a list without the parts of these numbers; None if nothing is."""
    left = [part for number, part in enumerate(parts(block)) if number not in taken]
    items = tuple(chain.from_iterable(left))
    return replace(block, items=items, span=Span(items[0].span.start, items[-1].span.stop)) if items else None


def left_of(blocks: Sequence[Block], taken: Mapping[int, Iterable[int]]) -> dict[int, Block]:
    """What is left of each list, by the list's index; `taken` are the numbers of its parts."""
    left: dict[int, Block] = {}
    for index, numbers in taken.items():
        block = blocks[index]
        rest = without(block, frozenset(numbers)) if isinstance(block, Items) else None
        if rest is not None:
            left[index] = rest
    return left
