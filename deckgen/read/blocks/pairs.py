"""Which token of Markdown ends what another begins."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from deckgen.read.blocks.html import details_balance


def pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """Closing index of every opening token."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.nesting == 1:
            opened.append(index)
        elif token.nesting == -1:
            closing[opened.pop()] = index
    return closing


def details_pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """For raw HTML that opens `<details>`: the index of the raw HTML beside it that closes it."""
    pairs: dict[int, int] = {}
    levels: list[list[tuple[int, int]]] = [[]]
    for index, token in enumerate(tokens):
        if token.nesting == 1:
            levels.append([])
        elif token.nesting == -1:
            levels.pop()
        elif token.type == "html_block" and (change := details_balance(token.content)):
            _balance(levels[-1], index, change, pairs)
    return pairs


def _balance(opened: list[tuple[int, int]], index: int, change: int, pairs: dict[int, int]) -> None:
    """Count `change` at token `index` against the blocks opened before it on the same level."""
    if change > 0:
        opened.append((index, change))
    while change < 0 and opened:
        first, count = opened.pop()
        change += count
        if change > 0:
            opened.append((first, change))
        else:
            pairs[first] = index
