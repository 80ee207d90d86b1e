"""Pictures of tensors: storage and strides, shapes that meet, reductions and picking."""

from __future__ import annotations

import torch

from bench.pictures.svg import BLUE, CELL, GREEN, GREY, INK, ORANGE, PLAIN, WIDTH, Fill, arrow, frame, grid, panel, text


def centred(columns: int) -> float:
    """Where a grid begins that stands in the middle."""
    return (WIDTH - columns * CELL) / 2


def stored(view: torch.Tensor) -> str:
    """The storage of a tensor as a row, what a view of it takes from there in blue, and the view below."""
    flat = torch.tensor(view.untyped_storage(), dtype=torch.uint8).view(view.dtype).tolist()
    seen = set(view.flatten().tolist())
    rows = view.tolist() if view.dim() == 2 else [view.tolist()]
    return panel(
        90 + len(rows) * CELL,
        grid(centred(len(flat)), 15, [flat], lambda _, j: BLUE if flat[j] in seen else PLAIN),
        arrow(WIDTH / 2, 50, WIDTH / 2, 70),
        grid(centred(len(rows[0])), 75, rows, lambda *_: BLUE),
    )


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
    return panel(30 + 4 * CELL, grid(centred(4), 15, rows, lambda i, j: BLUE if rows[i][j] in on else PLAIN))


def broadcast() -> str:
    """A column and a row, and the sum of both with one number left out."""
    column, row = torch.tensor([[0], [10], [20]]), torch.tensor([[1, 2, 3, 4]])
    total: list[list[object]] = (column + row).tolist()
    total[1][2] = "?"
    left = centred(4)
    return panel(
        165,
        text(left - 28, 30, "+", size=18),
        grid(left, 15, row.tolist(), lambda *_: ORANGE),
        grid(left - 43, 58, column.tolist(), lambda *_: BLUE),
        grid(left, 58, total, lambda i, j: GREEN if total[i][j] == "?" else PLAIN),
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
        140,
        text(95, 22, "x"),
        grid(50, 35, x.tolist(), picked),
        text(215, 22, "index"),
        grid(200, 35, index.tolist(), lambda *_: ORANGE),
    )


def windows() -> str:
    """Windows of three elements that move by two."""
    x = torch.arange(7)
    found = x.unfold(0, 3, 2).tolist()
    return panel(
        60 + len(found) * (CELL + 8),
        grid(centred(7), 15, [x.tolist()]),
        *(grid(centred(7) + row[0] * CELL, 55 + i * (CELL + 8), [row], lambda *_: BLUE) for i, row in enumerate(found)),
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


PICTURES = {
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
