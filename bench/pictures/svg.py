"""Drawings as text: a panel of its own colour with grids, arrows, boxes and curves, legible at 360 px.

A drawing is one description of all its variants (`variants.py`): what is asked for is a `Gap`, what only the solved picture
shows is `solved`. Lengths are pixels of a phone, from the upper left corner of the panel.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

WIDTH = 320
"""No picture is wider: a card has 360 pixels, less its margins."""
ENLARGED = 1.375
"""How much larger a picture is where there is room for it."""
CELL = 30
INK, LINE, PANEL = "#1f2328", "#8c959f", "#ffffff"
PLAIN, BLUE, ORANGE, GREEN, GREY = "#ffffff", "#b6e3ff", "#ffd8b5", "#aceebb", "#d8dee4"
"""What a cell is filled with; ink on each has a contrast of more than 7 to 1."""
CURVES = "#0969da", "#bc4c00", "#1a7f37"

Fill = Callable[[int, int], str]
"""The colour of the cell in a row and a column."""


@dataclass(frozen=True)
class Gap:
    """What is asked for: a question mark, which the solved picture fills."""

    value: object


def asked(part: str) -> str:
    """A part of the picture of the question alone."""
    return f"<!--asked-->{part}<!--end-->"


def solved(*parts: str) -> str:
    """Parts of the solved picture alone."""
    return "".join(f"<!--solved-->{part}<!--end-->" for part in parts)


def plain(_row: int, _column: int) -> str:
    """Every cell in the colour of paper."""
    return PLAIN


def panel(height: int, *parts: str) -> str:
    """The whole picture."""
    size = f'width="{WIDTH * ENLARGED:g}" height="{height * ENLARGED:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" {size} '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" text-anchor="middle">\n'
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{INK}"/></marker>\n'
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" fill="{PANEL}" stroke="{LINE}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: object, *, size: int = 13, anchor: str = "middle") -> str:
    """Words whose middle (or `start`, or `end`) is at x, and whose line is centred on y."""
    if isinstance(words, Gap):
        return asked(text(x, y, "?", size=size, anchor=anchor)) + solved(
            text(x, y, words.value, size=size, anchor=anchor)
        )
    return (
        f'<text x="{_short(x)}" y="{_short(y + size * 0.35)}" font-size="{size}" text-anchor="{anchor}" fill="{INK}">'
        f"{html.escape(str(words))}</text>"
    )


def grid(
    x: float, y: float, rows: Sequence[Sequence[object]], fill: Fill = plain, cell: int = CELL, size: int = 13
) -> str:
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
                parts.append(text(left + cell / 2, top + cell / 2, value, size=size))
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


def sizes(x: float, y: float, values: Sequence[object], fill: str = BLUE, width: int = 34) -> str:
    """A shape: its sizes in boxes, side by side from x; None leaves a place free."""
    return "".join(
        f'<rect x="{_short(x + at * (width + 6))}" y="{_short(y - 14)}" width="{width}" height="28" rx="6" fill="{fill}" stroke="{LINE}"/>'
        + text(x + at * (width + 6) + width / 2, y, value)
        for at, value in enumerate(values)
        if value is not None
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
    names: Sequence[str] = (),
    limit: float | None = None,
) -> str:
    """A picture of curves; `across` and `up` are the ranges of the axes, `marks` where each has a number.

    `names` are those of the curves, and `limit` is what a curve comes near to and what is asked for.
    """
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
    if limit is not None:
        height = place(0, limit)[1]
        parts.append(f'<path d="M{left} {_short(height)}H{right}" stroke="{LINE}" fill="none" stroke-dasharray="5 4"/>')
        parts.append(text(left - 6, height, Gap(_number(limit)), size=12, anchor="end"))
    for number, name in enumerate(names):
        parts.append(
            f'<rect x="{left + 14}" y="{bottom + 30 + 16 * number}" width="14" height="4" fill="{CURVES[number]}"/>'
        )
        parts.append(text(left + 34, bottom + 32 + 16 * number, name, size=12, anchor="start"))
    for colour, curve in zip(CURVES, curves, strict=False):
        points = "L".join(f"{_short(x)} {_short(y)}" for x, y in (place(*point) for point in curve))
        parts.append(f'<path d="M{points}" stroke="{colour}" stroke-width="2" fill="none" stroke-linejoin="round"/>')
    return panel(bottom + 24 + (len(names) and 12 + 16 * len(names)), *parts)


def _number(value: float) -> str:
    return f"{value:g}"


def _short(value: float) -> str:
    """Tenths of a pixel, without zeros behind the point."""
    return f"{value:.1f}".rstrip("0").rstrip(".")
