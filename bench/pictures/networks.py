"""Pictures of layers: masks, convolutions and pooling, normalisation, activations, packed sequences."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from bench.pictures.svg import BLUE, CELL, GREEN, GREY, ORANGE, PLAIN, WIDTH, arrow, frame, grid, panel, plot, text


def attention(mask: torch.Tensor) -> str:
    """Queries as rows, keys as columns; blue where the query may look."""
    size = len(mask)
    left = (WIDTH - size * CELL) / 2
    return panel(
        45 + size * CELL,
        text(WIDTH / 2, 16, "key", size=12),
        text(left - 28, 30 + size * CELL / 2, "query", size=12),
        grid(left, 30, [[""] * size] * size, lambda i, j: BLUE if mask[i, j] else PLAIN),
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
    result[0][1] = "?"
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
        135,
        text(WIDTH / 2, 16, "step", size=12),
        grid(left, 30, [[""] * 4] * 3, lambda i, j: BLUE if i < sizes[j] else PLAIN),
        text(left - 32, 75, "batch", size=12),
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


PICTURES = {
    "causal": causal,
    "padded-keys": padded_keys,
    "sliding": sliding,
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
