"""Numbers and tensor literals: what a written value says, element by element.

The tolerance is half a unit of the last digit *written* plus what `torch.testing.assert_close`
grants the dtype. `1.` says "a whole number" and has no digit to be lenient about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deckgen.written import Call, Dots, Group, Mark, Node, Number, Row, Word

Scalar = float | int | bool | complex | str
Closeness = Literal["same", "digits", "far"]

# rtol and atol of torch.testing.assert_close, by dtype
_TOLERANCE = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex128": (1e-7, 1e-7),
    "float": (1e-7, 1e-7),
    "complex": (1e-7, 1e-7),
    "quint8": (1.3e-6, 1e-5),
    "qint8": (1.3e-6, 1e-5),
}
_WRITTEN = re.compile(r"[-+]?\d*(?P<point>\.)?(?P<decimals>\d*)(?:[eE](?P<exponent>[-+]?\d+))?$")
_DECIMALS = re.compile(r"\.(\d*)")
_COMPLEX = re.compile(r"([-+]?[\d.]+(?:e[-+]?\d+)?|[-+]?nan|[-+]?inf)([-+]-?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf))j$")


class Differs(Exception):  # noqa: N818 - it is an answer, not an error
    """What was written and what is there differ; the message says where, in one line."""


def tolerance(dtype: str | None) -> tuple[float, float]:
    """(rtol, atol) for a dtype by its short name."""
    return _TOLERANCE.get(dtype or "", (1.3e-6, 1e-5))


def real(text: str) -> float:
    """A written real number; `0.20…` is what is left of it."""
    return float(text.rstrip("…"))


def integer(text: str) -> int:
    """A written integer. Raises `Differs` for one with thousands of digits: equal texts never come here."""
    if len(text) > 4000:
        raise Differs(f"a number of {len(text)} digits is claimed or shown")
    return int(text)


def written_as_integer(text: str) -> bool:
    """True for `3`, False for `3.`, `3e2`, `nan`."""
    return text.lstrip("+-").isdigit()


def unit(text: str) -> float:
    """The worth of the last digit written: 0.01 for `3.14`, 1e-5 for `1e-05`, 0 for `1.` and `3`."""
    found = _WRITTEN.match(text.rstrip("…"))
    if not found:
        return 0.0
    exponent = found["exponent"]
    if not found["decimals"] and exponent is None:
        return 0.0
    decimals = len(found["decimals"]) if found["point"] else 0
    return 10.0 ** (int(exponent or 0) - decimals) if abs(int(exponent or 0)) < 400 else 0.0


def close(text: str, value: float, rtol: float, atol: float) -> Closeness:
    """How near a written real number is to a live one."""
    claimed = real(text)
    if claimed == value or (math.isnan(claimed) and math.isnan(value)):
        return "same"
    if not (math.isfinite(claimed) and math.isfinite(value)):
        return "far"
    step = unit(text)
    half = step if text.endswith("…") else step / 2
    slack = (min(atol, half) if step else atol) + rtol * abs(value) + 1e-12 * abs(value)
    difference = abs(claimed - value)
    if difference <= half + slack:
        return "same"
    return "digits" if step and difference <= 3 * half + slack else "far"


def close_complex(text: str, value: complex, rtol: float, atol: float) -> Closeness:
    """The same for `1.5000-2.j`: the worse of both parts."""
    found = _COMPLEX.match(text)
    if not found:
        if text.endswith("j"):
            parts: tuple[str, str] = ("0.", text[:-1])
        else:
            parts = (text, "0.")
    else:
        parts = (found[1], found[2].replace("+-", "-").replace("--", ""))
    answers = {close(parts[0], value.real, rtol, atol), close(parts[1], value.imag, rtol, atol)}
    return "far" if "far" in answers else "digits" if "digits" in answers else "same"


def matches(text: str, value: Scalar, dtype: str | None, *, strict: bool) -> Closeness:
    """How near one written element is to a live one. Raises `Differs` if it is of another kind.

    `strict` holds for a whole literal, whose dtype shows in how numbers are written; an author's
    shorthand may write `2` for `2.`.
    """
    if isinstance(value, str):
        return "same" if text == value else "far"
    if isinstance(value, bool):
        return _boolean(text, value, strict=strict)
    if text in ("True", "False"):
        raise Differs(f"{text} claimed, where torch has the number {value}")
    rtol, atol = tolerance(dtype)
    if isinstance(value, complex):
        return close_complex(text, value, rtol, atol)
    if text.endswith("j"):
        raise Differs(f"complex {text} claimed, where torch has {value}")
    if isinstance(value, int):
        if not written_as_integer(text):
            raise Differs(f"a float is claimed ({text}), torch has the integer {value}")
        return "same" if integer(text) == value else "far"
    if strict and written_as_integer(text):
        raise Differs(f"an integer is claimed ({text}), torch has the float {value:g}")
    return close(text, value, rtol, atol)


def _boolean(text: str, value: bool, *, strict: bool) -> Closeness:
    if text in ("True", "False"):
        return "same" if (text == "True") == value else "far"
    if not strict and text in ("0", "1"):
        return "same" if bool(int(text)) == value else "far"
    raise Differs(f"the number {text} claimed, torch has {value}: comparisons give bool since torch 1.2")


# --- literals ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayLiteral:
    """`tensor(data, key=...)` taken apart."""

    data: Node | None
    options: dict[str, tuple[Node, ...]]


def literal(call: Call) -> ArrayLiteral:
    """The data and the keyword arguments of a tensor or array literal."""
    data: Node | None = None
    options: dict[str, tuple[Node, ...]] = {}
    for item in call.group.items:
        if len(item) >= 3 and isinstance(item[0], Word) and item[1] == Mark("="):
            options[item[0].text] = item[2:]
        elif data is None and item:
            data = item[0] if len(item) == 1 else _scaled(item)
    return ArrayLiteral(data, options)


def _scaled(item: tuple[Node, ...]) -> Node | None:
    """`1.00000e-07 * [2.8, 3.1]`, as torch wrote small numbers before 0.4: the factor put into each element."""
    if len(item) != 3 or item[1] != Mark("*") or not isinstance(item[0], Number):
        return None
    factor = re.fullmatch(r"1\.?0*e([-+]?\d+)", item[0].text)
    if factor is None:
        return None
    if isinstance(item[2], Number):
        return Number(f"{item[2].text}e{factor[1]}")
    return Row(tuple(f"{text}e{factor[1]}" for text in item[2].texts)) if isinstance(item[2], Row) else None


def written_shape(node: Node) -> tuple[int | None, ...] | None:
    """The shape that nested brackets say; None for a dimension that is left out by `...`.

    None if they are ragged or hold something else than numbers.
    """
    node = without_parentheses(node)
    if isinstance(node, Row):
        return (len(node.texts),)
    if isinstance(node, Number) or (isinstance(node, Word) and node.text in ("True", "False")):
        return ()
    if not isinstance(node, Group) or node.bracket not in "[(":
        return None
    inner: tuple[int | None, ...] | None = None
    elided = False
    for item in node.items:
        if len(item) != 1:
            return None
        if isinstance(item[0], Dots):
            elided = True
            continue
        shape = written_shape(item[0])
        if shape is None or (inner is not None and not _compatible(shape, inner)):
            return None
        inner = shape
    return (None if elided else len(node.items), *(inner or ()))


def without_parentheses(node: Node) -> Node:
    """torch printed complex elements as `(1.+2.j)` before 1.8."""
    if isinstance(node, Group) and node.bracket == "(" and len(node.items) == 1 and len(node.items[0]) == 1:
        inside = node.items[0][0]
        if isinstance(inside, Number) and inside.text.endswith("j"):
            return inside
    return node


def _compatible(one: tuple[int | None, ...], other: tuple[int | None, ...]) -> bool:
    return len(one) == len(other) and all(a == b or a is None or b is None for a, b in zip(one, other, strict=True))


def shape_text(shape: Sequence[int | None]) -> str:
    """`(2, ...)`: for messages."""
    inside = ", ".join("..." if size is None else str(size) for size in shape)
    return f"({inside},)" if len(shape) == 1 else f"({inside})"


def compare_data(
    node: Node, shape: tuple[int, ...], data: Sequence[Scalar], dtype: str | None, *, strict: bool
) -> bool:
    """Compare nested brackets with live elements. True if only last digits drift; else it holds.

    Raises `Differs` for another shape first, then at the first element that is off.
    """
    claimed = written_shape(node)
    if claimed is None:
        raise Differs("the claimed brackets are not a rectangular array of numbers")
    if 0 in shape and claimed in ((0,), ()):
        return False
    if len(claimed) != len(shape) or any(c not in (None, s) for c, s in zip(claimed, shape, strict=False)):
        raise Differs(f"shape {shape_text(claimed)} claimed, torch has {shape_text(shape)}")
    if None not in claimed and shape and _row_is_close(_flat(node), data, strict):
        return False
    return _walk(node, shape, 0, data, dtype, strict)


def _walk(
    node: Node, shape: tuple[int, ...], start: int, data: Sequence[Scalar], dtype: str | None, strict: bool
) -> bool:
    if not shape:
        return _element(_text(node), start, data, dtype, strict)
    drift = False
    if isinstance(node, Row):
        for offset, text in enumerate(node.texts):
            drift = _element(text, start + offset, data, dtype, strict) or drift
        return drift
    stride = math.prod(shape[1:])
    for index, child in _places(node, shape[0]):
        drift = _walk(child, shape[1:], start + index * stride, data, dtype, strict) or drift
    return drift


def _flat(node: Node) -> list[str]:
    """The texts of a rectangular bracket; the shape has been checked."""
    if isinstance(node, Row):
        return list(node.texts)
    if isinstance(node, Group) and node.items and isinstance(node.items[0][0], Row | Group):
        return [text for item in node.items for text in _flat(item[0])]
    return [_text(item[0]) for item in node.items] if isinstance(node, Group) else [_text(node)]


def _row_is_close(texts: Sequence[str], values: Sequence[Scalar], strict: bool) -> bool:
    """True if all elements are within half a unit of the finest digit written; False says nothing.

    The common case in one pass: a thousand numbers are compared in half a millisecond.
    """
    kinds = set(map(type, values))
    if kinds == {int}:
        return all(map(written_as_integer, texts)) and list(map(integer, texts)) == list(values)
    if kinds != {float} or strict:
        return False
    joined = " ".join(texts)
    if "e" in joined or "…" in joined or "n" in joined:
        return False
    decimals = max(map(len, _DECIMALS.findall(joined)), default=0)
    half = 0.5 * 10.0**-decimals if decimals else 0.0
    floats = [value for value in values if isinstance(value, float)]
    return all(abs(float(text) - value) <= half for text, value in zip(texts, floats, strict=True))


def same_elements(one: Sequence[Scalar] | None, other: Sequence[Scalar] | None) -> bool:
    """Equality under which nan equals nan."""
    if one == other:
        return True
    if one is None or other is None or len(one) != len(other):
        return False
    return all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))  # noqa: PLR0124 - nan


def _places(node: Node, size: int) -> list[tuple[int, Node]]:
    """(index, child) of a bracket's items; those behind `...` count from the end."""
    items = [item[0] for item in node.items] if isinstance(node, Group) else []
    gap = next((at for at, item in enumerate(items) if isinstance(item, Dots)), None)
    if gap is None:
        return list(enumerate(items))
    if len(items) - 1 > size:
        raise Differs(f"{len(items) - 1} items shown around `...`, torch has {size}")
    behind = len(items) - gap - 1
    return [*enumerate(items[:gap]), *((size - behind + at, item) for at, item in enumerate(items[gap + 1 :]))]


def _text(node: Node) -> str:
    node = without_parentheses(node)
    if isinstance(node, Number | Word):
        return node.text
    raise Differs("brackets claimed where torch has one number")


def _element(text: str, at: int, data: Sequence[Scalar], dtype: str | None, strict: bool) -> bool:
    answer = matches(text, data[at], dtype, strict=strict)
    if answer == "far":
        raise Differs(f"{text} claimed, torch has {shown(data[at])}" + (f" (element {at})" if len(data) > 1 else ""))
    return answer == "digits"


def shown(value: Scalar) -> str:
    """A live element for a message, with six digits at most."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
