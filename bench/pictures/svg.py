"""Drawings as text: a panel of its own colour with grids, arrows, boxes and curves, legible by day, by night and at 360 px.

Nothing but numbers and names of torch is written on a picture: cards of all languages share it.
Lengths are pixels of a phone, from the upper left corner of the panel.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence

WIDTH = 320
"""No picture is wider: a card has 360 pixels, less its margins."""
CELL = 30
INK, LINE, PANEL = "#1f2328", "#8c959f", "#ffffff"
PLAIN, BLUE, ORANGE, GREEN, GREY = "#ffffff", "#b6e3ff", "#ffd8b5", "#aceebb", "#d8dee4"
"""What a cell is filled with; ink on each has a contrast of more than 7 to 1."""
CURVES = "#0969da", "#bc4c00", "#1a7f37"

Fill = Callable[[int, int], str]
"""The colour of the cell in a row and a column."""


def plain(_row: int, _column: int) -> str:
    """Every cell in the colour of paper."""
    return PLAIN


def panel(height: int, *parts: str) -> str:
    """The whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" text-anchor="middle">\n'
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{INK}"/></marker>\n'
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" fill="{PANEL}" stroke="{LINE}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: object, *, size: int = 13, anchor: str = "middle") -> str:
    """Words whose middle (or `start`, or `end`) is at x, and whose line is centred on y."""
    return (
        f'<text x="{_short(x)}" y="{_short(y + size * 0.35)}" font-size="{size}" text-anchor="{anchor}" fill="{INK}">'
        f"{html.escape(str(words))}</text>"
    )


def grid(x: float, y: float, rows: Sequence[Sequence[object]], fill: Fill = plain, cell: int = CELL) -> str:
    """Cells with what stands in them; None leaves a cell out."""
    parts = []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if value is None:
                continue
            left, top = x + j * cell, y + i * cell
            parts.append(
                f'<rect x="{_short(left)}" y="{_short(top)}" width="{cell}" height="{cell}" fill="{fill(i, j)}" stroke="{LINE}"/>'
            )
            if value != "":
                parts.append(text(left + cell / 2, top + cell / 2, value))
    return "\n".join(parts)


def frame(x: float, y: float, width: float, height: float, colour: str = INK) -> str:
    """A border round some cells."""
    return (
        f'<rect x="{_short(x)}" y="{_short(y)}" width="{_short(width)}" height="{_short(height)}" fill="none" '
        f'stroke="{colour}" stroke-width="2.5"/>'
    )


def box(x: float, y: float, words: str, fill: str, width: int = 130) -> str:
    """A rounded box with its middle at (x, y)."""
    return (
        f'<rect x="{_short(x - width / 2)}" y="{_short(y - 14)}" width="{width}" height="28" rx="6" fill="{fill}" stroke="{LINE}"/>'
        + text(x, y, words, size=11)
    )


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """A line with a tip at its end."""
    return (
        f'<path d="M{_short(x)} {_short(y)}L{_short(to_x)} {_short(to_y)}" stroke="{INK}" stroke-width="1.5" '
        'marker-end="url(#tip)"/>'
    )


def plot(
    curves: Iterable[Sequence[tuple[float, float]]],
    across: tuple[float, float],
    up: tuple[float, float],
    marks: Sequence[tuple[float, float]] = (),
) -> str:
    """A picture of curves; `across` and `up` are the ranges of the axes, `marks` where each has a number."""
    left, top, right, bottom = 44, 16, WIDTH - 16, 160

    def place(x: float, y: float) -> tuple[float, float]:
        width, height = across[1] - across[0], up[1] - up[0]
        return left + (x - across[0]) / width * (right - left), bottom - (y - up[0]) / height * (bottom - top)

    zero_x, zero_y = place(max(across[0], min(0, across[1])), max(up[0], min(0, up[1])))
    parts = [
        f'<path d="M{left} {_short(zero_y)}H{right}M{_short(zero_x)} {bottom}V{top}" stroke="{LINE}" fill="none"/>',
        *(text(place(x, 0)[0], bottom + 12, _number(x), size=11) for x in sorted({x for x, _ in marks})),
        *(text(left - 6, place(0, y)[1], _number(y), size=11, anchor="end") for y in sorted({y for _, y in marks})),
    ]
    for colour, curve in zip(CURVES, curves, strict=False):
        points = "L".join(f"{_short(x)} {_short(y)}" for x, y in (place(*point) for point in curve))
        parts.append(f'<path d="M{points}" stroke="{colour}" stroke-width="2" fill="none" stroke-linejoin="round"/>')
    return panel(bottom + 24, *parts)


def _number(value: float) -> str:
    return f"{value:g}"


def _short(value: float) -> str:
    """Tenths of a pixel, without zeros behind the point."""
    return f"{value:.1f}".rstrip("0").rstrip(".")
