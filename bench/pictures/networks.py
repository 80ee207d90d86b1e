"""Pictures of layers: convolutions and pooling, normalisation, activations, packed sequences."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

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
    plot,
    solved,
    text,
)


def convolution(size: int, *, kernel: int = 3, stride: int = 1, padding: int = 0, dilation: int = 1) -> str:
    """The input with its padding in grey, where the kernel first lies in orange, and a frame where it lies next."""
    whole, cell = size + 2 * padding, 26
    taps = {i * dilation for i in range(kernel)}
    left = (WIDTH - whole * cell) / 2
    reach = (kernel - 1) * dilation + 1

    def fill(i: int, j: int) -> str:
        if i in taps and j in taps:
            return ORANGE
        inside = padding <= i < size + padding and padding <= j < size + padding
        return BLUE if inside else GREY

    where = [] if stride == 1 else [frame(left + stride * cell, 15, reach * cell, reach * cell)]
    return panel(30 + whole * cell, grid(left, 15, [[""] * whole] * whole, fill, cell), *where)


def strided_convolution() -> str:
    """A kernel of 3 that moves by 2 over 5 by 5."""
    return convolution(5, stride=2)


def padded_convolution() -> str:
    """A kernel of 3 over 4 by 4 with a ring of zeros."""
    return convolution(4, padding=1)


def dilated_convolution() -> str:
    """A kernel of 3 with a gap between its taps."""
    return convolution(6, dilation=2)


def pooled() -> str:
    """Four squares of four numbers, and the place of what pooling makes of them."""
    x = torch.tensor([[1, 5, 2, 0], [4, 3, 7, 6], [9, 0, 1, 2], [8, 1, 3, 3]])
    colours = (BLUE, ORANGE), (GREEN, GREY)
    result: list[list[object]] = F.max_pool2d(x[None].float(), 2)[0].int().tolist()
    result[0][1] = Gap(result[0][1])
    return panel(
        150,
        grid(20, 15, x.tolist(), lambda i, j: colours[i // 2][j // 2]),
        arrow(155, 75, 195, 75),
        grid(215, 45, result, lambda i, j: colours[i][j]),
    )


def packed() -> str:
    """Three sequences of a batch, as rows of steps; what is filling is white."""
    lengths = torch.tensor([4, 2, 1])
    sizes = pack_padded_sequence(torch.zeros(3, 4, 1), lengths, batch_first=True).batch_sizes.tolist()
    left = (WIDTH - 4 * CELL) / 2
    return panel(
        145,
        text(WIDTH / 2, 16, "step", size=12),
        grid(left, 30, [[""] * 4] * 3, lambda i, j: BLUE if i < sizes[j] else PLAIN),
        text(left - 32, 75, "batch", size=12),
        solved(*(text(left + (j + 0.5) * CELL, 133, size, size=12) for j, size in enumerate(sizes))),
    )


def normalised(marked: Callable[[int, int], bool]) -> str:
    """Samples as rows, features as columns; the numbers of one mean and variance in orange."""
    left = (WIDTH - 5 * CELL) / 2
    return panel(
        165,
        text(WIDTH / 2, 16, "C", size=12),
        grid(left, 30, [[""] * 5] * 4, lambda i, j: ORANGE if marked(i, j) else PLAIN),
        text(left - 16, 90, "N", size=12),
    )


def over_the_batch() -> str:
    """One feature of all samples: where the gradient of one output of batch normalisation reaches."""
    return normalised(_reach(nn.BatchNorm1d(5, affine=False)))


def over_the_sample() -> str:
    """All features of one sample: where the gradient of one output of layer normalisation reaches."""
    return normalised(_reach(nn.LayerNorm(5, elementwise_affine=False)))


def _reach(norm: nn.Module) -> Callable[[int, int], bool]:
    """On which inputs the output in row 1, column 2 depends."""
    x = torch.sin(torch.arange(20.0)).view(4, 5).requires_grad_()
    norm(x)[1, 2].backward()
    depends = x.grad != 0 if x.grad is not None else torch.zeros(4, 5)
    return lambda i, j: bool(depends[i, j])


def curve(function: Callable[[torch.Tensor], torch.Tensor], low: float, high: float) -> list[tuple[float, float]]:
    """Points of a function of one number."""
    x = torch.linspace(low, high, 121)
    return list(zip(x.tolist(), function(x).tolist(), strict=True))


def relu_and_leaky() -> str:
    """A kink at zero, with a slope on its left."""
    return plot([curve(nn.LeakyReLU(0.2), -3, 3)], (-3, 3), (-1, 3), [(-3, -1), (0, 0), (3, 3)])


def gelu() -> str:
    """Smooth, below zero for a while, and straight on the right."""
    return plot([curve(nn.GELU(), -3, 3)], (-3, 3), (-1, 3), [(-3, -1), (0, 0), (3, 3)])


def tanh_and_sigmoid() -> str:
    """Two curves of the shape of an S with other limits."""
    return plot([curve(torch.tanh, -4, 4), curve(torch.sigmoid, -4, 4)], (-4, 4), (-1, 1), [(-4, -1), (0, 0), (4, 1)])


def losses() -> str:
    """A parabola, a kink, and what is a parabola below 1 and straight above."""
    zero = torch.zeros(())

    def loss(function: Callable[..., torch.Tensor]) -> list[tuple[float, float]]:
        return curve(lambda x: function(x, zero.expand_as(x), reduction="none"), -2, 2)

    return plot([loss(F.mse_loss), loss(F.l1_loss), loss(F.smooth_l1_loss)], (-2, 2), (0, 4), [(-2, 0), (0, 2), (2, 4)])


def unfolded() -> str:
    """A square, and the columns that `unfold` makes of its four windows."""
    x = torch.arange(16.0).view(1, 1, 4, 4)
    columns: list[list[object]] = F.unfold(x, 2, stride=2)[0].int().tolist()
    columns[1][2] = Gap(columns[1][2])
    colours = BLUE, GREY, ORANGE, GREEN
    return panel(
        150,
        grid(15, 15, x[0, 0].int().tolist(), lambda i, j: colours[i // 2 * 2 + j // 2]),
        arrow(142, 75, 178, 75),
        grid(185, 15, columns, lambda _, j: colours[j]),
    )


def reflected() -> str:
    """A row with two elements on each side that are made of it."""
    x = torch.arange(1.0, 5).view(1, 4)
    row: list[object] = F.pad(x, (2, 2), mode="reflect")[0].int().tolist()
    row[0] = Gap(row[0])
    left = (WIDTH - 8 * CELL) / 2
    return panel(
        85,
        grid(left, 28, [row], lambda _, j: BLUE if 2 <= j < 6 else GREY),
        solved(
            f'<path d="M{left + 4.5 * CELL:g} 24C{left + 4 * CELL:g} 2 {left + CELL:g} 2 {left + 0.5 * CELL:g} 24" '
            'stroke="#1f2328" stroke-width="1.5" fill="none" marker-end="url(#tip)"/>',
            f'<path d="M{left + 2.5 * CELL:g} 26V64" stroke="#1f2328" stroke-width="1.5" stroke-dasharray="3 3"/>',
        ),
    )


def spread() -> str:
    """Two numbers, what a transposed convolution writes for each, and the sum."""
    x = torch.tensor([[1.0, 2.0]])
    layer = nn.ConvTranspose1d(1, 1, 3, stride=2, bias=False)
    nn.init.ones_(layer.weight)
    total: list[object] = layer(x)[0].int().tolist()
    total[2] = Gap(total[2])
    left = (WIDTH - 5 * CELL) / 2
    return panel(
        205,
        grid(left + CELL, 12, [[1, "", 2]], lambda _, j: PLAIN if j == 1 else (BLUE, PLAIN, ORANGE)[j]),
        arrow(left + 1.5 * CELL, 45, left + 1.5 * CELL, 62),
        arrow(left + 3.5 * CELL, 45, left + 3.5 * CELL, 99),
        grid(left, 66, [[1, 1, 1]], lambda *_: BLUE),
        grid(left + 2 * CELL, 103, [[2, 2, 2]], lambda *_: ORANGE),
        text(left - 16, 103, "+", size=16),
        grid(left, 160, [total], lambda _, j: GREEN if j == 2 else PLAIN),
        text(left - 16, 175, "="),
    )


def enlarged() -> str:
    """A square, and one of twice its size."""
    x = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    rows: list[list[object]] = F.interpolate(x, scale_factor=2)[0, 0].int().tolist()
    rows[1][2] = Gap(rows[1][2])
    colours = (BLUE, ORANGE), (GREEN, GREY)
    return panel(
        150,
        grid(25, 45, x[0, 0].int().tolist(), lambda i, j: colours[i][j]),
        arrow(100, 75, 145, 75),
        grid(165, 15, rows, lambda i, j: colours[i // 2][j // 2]),
        solved(frame(165 + 2 * CELL, 15, 2 * CELL, 2 * CELL)),
    )


PICTURES = {
    "unfolded": unfolded,
    "reflected": reflected,
    "spread": spread,
    "enlarged": enlarged,
    "strided-convolution": strided_convolution,
    "padded-convolution": padded_convolution,
    "dilated-convolution": dilated_convolution,
    "pooled": pooled,
    "packed": packed,
    "over-the-batch": over_the_batch,
    "over-the-sample": over_the_sample,
    "leaky-relu": relu_and_leaky,
    "gelu": gelu,
    "tanh-and-sigmoid": tanh_and_sigmoid,
    "losses": losses,
}
