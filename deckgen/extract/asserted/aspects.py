"""What is told of an expression: its value, shape, dtype, dimensions or elements, and how these are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from deckgen.extract.asserted.expressions import DTYPE, expression, layer
from deckgen.extract.claims.shapes import written_shape
from deckgen.text.pattern import pattern
from deckgen.written.values import value_prefix

Aspect = Literal["value", "shape", "dtype", "ndim", "numel"]


class ToldValue(NamedTuple):
    """An expression, what is told of it, and the claimed text."""

    expression: str
    aspect: Aspect
    text: str


_BARE_DTYPE = pattern(rf"(?:torch\.)?(?P<name>{DTYPE})")
LITERAL = (
    r"(?:torch\.)?(?:tensor|Size|device)\([^`]{0,300}?\)|\[[^`]{0,300}\]|\([\d\s,]{1,60}\)|True|False|None"
    rf"|(?:torch\.)?{DTYPE}|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
)
"""A value that needs no marks for code: for patterns."""
END = r"(?=\s*(?:$|[。；;（(！!]|[，,](?!\s*[\d\[(-])|\.(?:\s|$)|[—–]|\s(?:because|since|as|so|and|but|not|instead|with|which)\b|因为|而|但|不是))"
"""Where a value ends: what goes on behind it is no part of it."""
SHAPE_WORD = r"(?:形状|尺寸|维度大小|shape|size)"


def told_value(code: str, aspect: Aspect, text: str) -> ToldValue | None:
    """What is told of an expression, if it is one and the text is such a value."""
    whole = expression(code)
    value = _fit(text.strip(), aspect) if whole else None
    if whole is None or value is None or (layer(whole) and not value[:1].isalpha()):
        return None
    if (
        aspect == "value"
        and _BARE_DTYPE.fullmatch(value)
        and not whole.endswith("dtype")
        and not value.startswith("torch.")
    ):
        return ToldValue(whole, "dtype", value)
    return ToldValue(whole, aspect, value)


def _fit(text: str, aspect: Aspect) -> str | None:
    """The text, if it is a value of this kind."""
    if aspect == "shape":
        return text if written_shape(text) is not None else None
    dtype = _BARE_DTYPE.fullmatch(text)
    if aspect == "dtype":
        return text if dtype else None
    if aspect in ("ndim", "numel"):
        return text if text.isdigit() else None
    return text if dtype or value_prefix(text) == len(text) > 0 else None


def probes(told: ToldValue) -> Iterator[str]:
    """The expression to look at, where that is not the value itself."""
    suffix = {"dtype": ".dtype", "ndim": ".dim()", "numel": ".numel()"}.get(told.aspect)
    if suffix and not told.expression.endswith(suffix):
        yield f"({told.expression}){suffix}"
