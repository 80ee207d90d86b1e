"""Pictures of tensors: storage and strides, shapes that meet, reductions and picking."""

from __future__ import annotations

import torch

from bench.pictures.svg import (
    BLUE,
    CELL,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PLAIN,
    WIDTH,
    Fill,
    Gap,
    arrow,
    frame,
    grid,
    panel,
    sizes,
    solved,
    text,
)


def centred(columns: int) -> float:
    """Where a grid begins that stands in the middle."""
    return (WIDTH - columns * CELL) / 2


def stored(view: torch.Tensor) -> str:
    """The storage of a tensor as a row, what a view of it takes from there in blue, and the view below."""
    flat = torch.tensor(view.untyped_storage(), dtype=torch.uint8).view(view.dtype).tolist()
    seen = set(view.flatten().tolist())
    rows = view.tolist() if view.dim() == 2 else [view.tolist()]
    return panel(
        96 + len(rows) * CELL,
        grid(centred(len(flat)), 15, [flat], lambda _, j: BLUE if flat[j] in seen else PLAIN),
        arrow(WIDTH / 2, 50, WIDTH / 2, 70),
        grid(centred(len(rows[0])), 75, rows, lambda *_: BLUE),
        solved(*_jumps(view, centred(len(rows[0])), 75)),
    )


def _jumps(view: torch.Tensor, left: float, top: float) -> list[str]:
    """How far the next element of a row and of a column is in the storage: right of a grid and below it."""
    *down, across = view.stride()
    columns, rows = view.shape[-1], view.shape[0] if down else 1
    right, below = left + columns * CELL, top + rows * CELL
    parts = [arrow(left + 4, below + 9, left + 40, below + 9), text(left + 54, below + 9, f"+{across}", size=12)]
    if down:
        parts += [arrow(right + 12, top + 4, right + 12, top + 40), text(right + 30, top + 22, f"+{down[0]}", size=12)]
    return parts


def strides() -> str:
    """Rows that lie one behind the other."""
    return stored(torch.arange(6).view(2, 3))


def transposed() -> str:
    """Columns that lie one behind the other."""
    return stored(torch.arange(6).view(2, 3).t())


def expanded() -> str:
    """One row of storage, seen twice."""
    return stored(torch.arange(3).expand(2, 3))


def every_second() -> str:
    """A slice with a step, which does not begin at the front."""
    return stored(torch.arange(8)[1::2])


def diagonal() -> str:
    """The diagonal of a square, as a view."""
    x = torch.arange(16).view(4, 4)
    on = set(x.diagonal().tolist())
    rows = x.tolist()
    step = x.diagonal().stride(0)
    left = centred(4) + 4 * CELL + 12
    return panel(
        30 + 4 * CELL,
        grid(centred(4), 15, rows, lambda i, j: BLUE if rows[i][j] in on else PLAIN),
        solved(*(text(left + 14, 30 + CELL * (i + 0.5), f"+{step}", size=12) for i in range(3))),
    )


def broadcast() -> str:
    """A column and a row, and the sum of both with one number left out."""
    column, row = torch.tensor([[0], [10], [20]]), torch.tensor([[1, 2, 3, 4]])
    total: list[list[object]] = (column + row).tolist()
    total[1][2] = Gap(total[1][2])
    left = centred(4)
    return panel(
        165,
        text(left - 28, 30, "+", size=18),
        grid(left, 15, row.tolist(), lambda *_: ORANGE),
        grid(left - 43, 58, column.tolist(), lambda *_: BLUE),
        grid(left, 58, total, lambda i, j: GREEN if isinstance(total[i][j], Gap) else PLAIN),
    )


def reduced() -> str:
    """Sums that run down the columns."""
    x = torch.arange(6).view(2, 3)
    left = centred(3)
    return panel(
        160,
        grid(left, 15, x.tolist(), lambda *_: BLUE),
        *(arrow(left + (j + 0.5) * CELL, 80, left + (j + 0.5) * CELL, 110) for j in range(3)),
        grid(left, 115, [x.sum(dim=0).tolist()], lambda *_: ORANGE),
    )


def joined() -> str:
    """Two squares side by side in one tensor."""
    a, b = torch.arange(4).view(2, 2), torch.arange(4, 8).view(2, 2)
    both = torch.cat([a, b], dim=1)
    left = centred(4)
    return panel(
        175,
        grid(left - 20, 15, a.tolist(), lambda *_: BLUE),
        grid(left + 2 * CELL + 20, 15, b.tolist(), lambda *_: ORANGE),
        arrow(WIDTH / 2, 80, WIDTH / 2, 100),
        grid(left, 105, both.tolist(), lambda _, j: BLUE if j < 2 else ORANGE),
    )


def gathered() -> str:
    """Values, the index of one per row, and the picked ones in colour."""
    x, index = torch.tensor([[5, 6, 7], [8, 9, 4], [3, 2, 1]]), torch.tensor([[2], [0], [1]])
    picked: Fill = lambda i, j: GREEN if j == index[i, 0] else PLAIN  # noqa: E731 - one thought, used once
    return panel(
        150,
        text(95, 18, "x"),
        grid(50, 30, x.tolist(), picked),
        text(215, 18, "index"),
        grid(200, 30, index.tolist(), lambda *_: ORANGE),
        solved(*(text(50 + (j + 0.5) * CELL, 134, j, size=12) for j in range(3)), text(160, 134, "dim 1", size=12)),
    )


def windows() -> str:
    """Windows of three elements that move by two."""
    x = torch.arange(7)
    found = x.unfold(0, 3, 2).tolist()
    return panel(
        60 + len(found) * (CELL + 8),
        grid(centred(7), 15, [x.tolist()]),
        *(grid(centred(7) + row[0] * CELL, 55 + i * (CELL + 8), [row], lambda *_: BLUE) for i, row in enumerate(found)),
        solved(
            text(centred(7) + 4 * CELL + 14, 70, "size=3", size=12, anchor="start"),
            text(centred(7) + 2 * CELL - 8, 108, "step=2", size=12, anchor="end"),
        ),
    )


def folded() -> str:
    """Six elements, once as they are viewed in three rows, once transposed."""
    x = torch.arange(6).view(2, 3)
    return panel(
        130,
        grid(30, 30, x.tolist(), lambda *_: GREY),
        text(75, 110, "x"),
        grid(150, 20, x.view(3, 2).tolist(), lambda *_: BLUE),
        text(180, 120, "a"),
        grid(240, 20, x.t().tolist(), lambda *_: ORANGE),
        text(270, 120, "b"),
    )


def masked() -> str:
    """A matrix of which the cells above zero are framed."""
    x = torch.tensor([[1, -2, 3], [-4, 5, -6]])
    left, rows, chosen = centred(3), x.tolist(), (x > 0).nonzero().tolist()
    return panel(
        90,
        grid(left, 15, rows, lambda i, j: GREEN if x[i, j] > 0 else PLAIN),
        *(frame(left + j * CELL, 15 + i * CELL, CELL, CELL, INK) for i, j in chosen),
    )


def aligned_shapes() -> str:
    """Two shapes, aligned at the right, and the shape of their sum."""
    x, y = (2, 1, 4), (3, 1)
    result = torch.broadcast_shapes(x, y)
    return panel(
        150,
        *(text(92, 30 + 46 * row, name, anchor="end") for row, name in enumerate(("x", "y", "x + y"))),
        sizes(112, 30, x),
        sizes(152, 76, y, ORANGE),
        sizes(112, 122, [Gap(size) for size in result], GREEN),
    )


def layers() -> str:
    """A tensor of three dimensions as two grids, one behind the other in its storage."""
    x = torch.arange(12).view(2, 2, 3)
    deep, down, across = x.stride()
    return panel(
        130,
        text(75, 20, "x[0]"),
        grid(30, 35, x[0].tolist(), lambda *_: BLUE),
        text(245, 20, "x[1]"),
        grid(200, 35, x[1].tolist(), lambda *_: ORANGE),
        solved(
            arrow(126, 50, 194, 50),
            text(160, 38, f"+{deep}", size=12),
            arrow(18, 40, 18, 88),
            text(18, 110, f"+{down}", size=12),
            arrow(36, 108, 74, 108),
            text(94, 108, f"+{across}", size=12),
        ),
    )


def scattered() -> str:
    """Three numbers, the places that they go to, and the row where they arrive."""
    source, index = torch.tensor([7, 8, 9]), torch.tensor([3, 0, 4])
    row: list[object] = torch.zeros(5, dtype=torch.int64).scatter(0, index, source).tolist()
    row[0] = Gap(row[0])
    return panel(
        190,
        text(70, 30, "src", anchor="end"),
        grid(85, 15, [source.tolist()], lambda *_: BLUE),
        text(70, 75, "index", anchor="end"),
        grid(85, 60, [index.tolist()], lambda *_: ORANGE),
        grid(85, 145, [row], lambda _, j: GREEN if j == 0 else PLAIN),
        solved(*(arrow(100 + j * CELL, 93, 100 + place * CELL, 140) for j, place in enumerate(index.tolist()))),
    )


def searched() -> str:
    """A sorted row and the number whose place in it is looked for."""
    x, value = torch.tensor([1, 3, 5, 7, 9]), 6
    place = int(torch.searchsorted(x, torch.tensor(value)))
    left = centred(5)
    return panel(
        125,
        *(text(left + (j + 0.5) * CELL, 18, j, size=11) for j in range(len(x))),
        grid(left, 30, [x.tolist()], lambda _, j: BLUE),
        grid(left + place * CELL - CELL / 2, 85, [[value]], lambda *_: ORANGE),
        solved(
            arrow(left + place * CELL, 83, left + place * CELL, 62), text(left + place * CELL + 50, 100, f"i = {place}")
        ),
    )


def rolled() -> str:
    """A row, and the same row with its end in front."""
    x = torch.arange(6)
    rows = x.tolist(), x.roll(2).tolist()
    left = centred(6)
    return panel(
        130,
        *(
            grid(left, 15 + 70 * row, [values], lambda _, j, values=values: ORANGE if values[j] > 3 else BLUE)
            for row, values in enumerate(rows)
        ),
        solved(*(arrow(left + (j + 0.5) * CELL, 47, left + ((j + 2) % 6 + 0.5) * CELL, 81) for j in range(6))),
    )


PICTURES = {
    "aligned-shapes": aligned_shapes,
    "layers": layers,
    "scattered": scattered,
    "searched": searched,
    "rolled": rolled,
    "strides": strides,
    "transposed": transposed,
    "expanded": expanded,
    "every-second": every_second,
    "diagonal": diagonal,
    "broadcast": broadcast,
    "reduced": reduced,
    "joined": joined,
    "gathered": gathered,
    "windows": windows,
    "folded": folded,
    "masked": masked,
}
