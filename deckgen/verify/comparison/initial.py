"""Initial weights: between which bounds torch's own layers draw them (`reset_parameters` in torch/nn/modules)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from math import sqrt

from deckgen.text.pattern import pattern

_CHANGED = pattern(
    r"\.step\(|\binit\.|[a-z0-9]_\(|\.data\s*[-+*/]?=|load_state|(?:weight|bias)\w*(?:\[[^\]]*\])?\s*[-+*/]?=[^=]|\bapply\("
)
"""What changes weights, or may."""
_MARGIN = 1e-4
"""Of rounding to the four digits that are shown."""

Fan = Callable[[Sequence[int | None]], int | None]


def _conv(dimensions: int) -> Fan:
    def fan(sizes: Sequence[int | None]) -> int | None:
        if len(sizes) < 3 or sizes[0] is None or sizes[2] is None:
            return None
        return int(sizes[0] * sizes[2] ** dimensions)

    return fan


def _at(place: int) -> Fan:
    return lambda sizes: sizes[place] if len(sizes) > place else None


FANS: Mapping[str, Fan] = {
    "Linear": _at(0),
    "Bilinear": _at(0),
    "Conv1d": _conv(1),
    "Conv2d": _conv(2),
    "Conv3d": _conv(3),
    **dict.fromkeys(("RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"), _at(1)),
}
"""Layers that draw weight and bias uniformly from within plus and minus 1/sqrt(n), and that n by their first sizes."""


def bound(layer: ast.Call, name: str, sizes: Sequence[int | None], code: str) -> float | None:
    """The bound of the weights of a layer that is as it was made, with a margin for rounding; None if it is not known."""
    fan = FANS.get(name)
    known = {"bias", "batch_first", "num_layers", "stride", "padding", "bidirectional", "dtype", "device", "dropout"}
    told = {one.arg for one in layer.keywords}
    if fan is None or not told <= known or len(layer.args) > len(sizes) or _CHANGED.search(code):
        return None
    count = fan(sizes)
    return 1 / sqrt(count) + _MARGIN if count and count > 0 else None
