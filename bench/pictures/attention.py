"""Pictures of attention: masks, shapes, and a cache of keys."""

from __future__ import annotations

import torch
from torch.nn.attention.bias import causal_lower_right

from bench.pictures.svg import (
    BLUE,
    CELL,
    GREEN,
    GREY,
    ORANGE,
    PLAIN,
    WIDTH,
    Gap,
    arrow,
    frame,
    grid,
    panel,
    sizes,
    solved,
    text,
)


def attention(mask: torch.Tensor, *parts: str) -> str:
    """Queries as rows, keys as columns; blue where the query may look."""
    queries, keys = mask.shape
    left = (WIDTH - keys * CELL) / 2
    return panel(
        45 + queries * CELL,
        text(WIDTH / 2, 16, "key", size=12),
        text(left - 28, 30 + queries * CELL / 2, "query", size=12),
        grid(left, 30, [[""] * keys] * queries, lambda i, j: BLUE if mask[i, j] else PLAIN),
        *parts,
    )


def causal() -> str:
    """Every position sees itself and what is before it."""
    return attention(torch.ones(5, 5, dtype=torch.bool).tril())


def padded_keys() -> str:
    """The last two positions are filling that nobody sees."""
    return attention(torch.tensor([True, True, True, False, False]).expand(5, 5))


def sliding() -> str:
    """Every position sees itself and two before it."""
    return attention(torch.ones(6, 6, dtype=torch.bool).tril().triu(-2))


def lower_right() -> str:
    """Two new queries after three keys that are there already."""
    mask: torch.Tensor = causal_lower_right(2, 5)._materialize(torch.device("cpu"))
    return attention(mask)


def prefix() -> str:
    """Everybody sees the first two positions, and what is before."""
    mask = torch.ones(5, 5, dtype=torch.bool).tril()
    mask[:, :2] = True
    return attention(mask, solved(frame((WIDTH - 5 * CELL) / 2, 30, 2 * CELL, 5 * CELL)))


def scores() -> str:
    """The shapes of queries and of keys, and that of the scores."""
    query, key = torch.zeros(2, 4, 5, 8), torch.zeros(2, 4, 7, 8)
    shape: list[object] = list((query @ key.mT).shape)
    shape[2:] = map(Gap, shape[2:])
    return panel(
        150,
        *(text(112, 30 + 46 * row, name, anchor="end") for row, name in enumerate(("query", "key", "scores"))),
        sizes(130, 30, list(query.shape)),
        sizes(130, 76, list(key.shape), ORANGE),
        sizes(130, 122, shape, GREEN),
    )


def cache() -> str:
    """Keys of six tokens, that of a new one, and both in one tensor."""
    old, new = torch.zeros(1, 4, 6, 8), torch.zeros(1, 4, 1, 8)
    shape: list[object] = list(torch.cat([old, new], dim=2).shape)
    shape[2] = Gap(shape[2])
    return panel(
        190,
        grid(45, 15, [[""] * 6], lambda *_: BLUE),
        text(242, 30, "+"),
        grid(260, 15, [[""]], lambda *_: ORANGE),
        sizes(38, 82, list(old.shape), BLUE, 26),
        sizes(180, 82, list(new.shape), ORANGE, 26),
        arrow(WIDTH / 2, 104, WIDTH / 2, 134),
        sizes(98, 160, shape, GREY, 26),
    )


PICTURES = {
    "causal": causal,
    "padded-keys": padded_keys,
    "sliding": sliding,
    "lower-right": lower_right,
    "prefix": prefix,
    "scores": scores,
    "cache": cache,
}
