"""Tensor literals: the shape that written brackets say, and their elements against live ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deckgen.verify.comparison.bulk import suspects
from deckgen.verify.comparison.numbers import Differs, Scalar, matches
from deckgen.written import Call, Dots, Group, Mark, Node, Number, Row, Word


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
        elif item:
            options[f"argument {len(options) + 2}"] = item  # torch shows one alone
    return ArrayLiteral(data, options)


def _scaled(item: tuple[Node, ...]) -> Node | None:
    """`1.00000e-07 * [2.8, 3.1]`, as torch wrote small numbers before 0.4: the factor put into each element."""
    if len(item) != 3 or item[1] != Mark("*") or not isinstance(item[0], Number):
        return None
    try:
        if isinstance(item[2], Number):
            return Number(_product(item[2].text, item[0].text))
        return Row(tuple(_product(text, item[0].text) for text in item[2].texts)) if isinstance(item[2], Row) else None
    except ValueError:
        return None


def _product(text: str, factor: str) -> str:
    """With as many digits as the element shows."""
    digits = len(text.partition(".")[2])
    return f"{float(text) * float(factor):.{digits}e}"


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
    if len(node.items) > 1 and all(len(item) == 1 and isinstance(item[0], Row) for item in node.items):
        sizes = {len(item[0].texts) for item in node.items if isinstance(item[0], Row)}
        return (len(node.items), sizes.pop()) if len(sizes) == 1 else None
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
    node: Node, shown: Node | None, shape: tuple[int, ...], data: Sequence[Scalar], dtype: str | None, *, strict: bool
) -> bool:
    """Compare nested brackets with live elements. True if only last digits drift; else it holds.

    `shown` is how torch writes the elements: what is written just so holds (`0.0000` of what is nearly zero).
    Raises `Differs` for another shape first, then at the first element that is off.
    """
    claimed = written_shape(node)
    if claimed is None:
        raise Differs("the claimed brackets are not a rectangular array of numbers")
    if 0 in shape and claimed in ((0,), ()):
        return False
    if len(claimed) != len(shape) or any(c not in (None, s) for c, s in zip(claimed, shape, strict=False)):
        raise Differs(f"shape {shape_text(claimed)} claimed, torch has {shape_text(shape)}")
    if None not in claimed and shape and len(data) > 1:
        texts = _flat(node)
        doubtful = suspects(texts, data, strict=strict)
        written = _flat(shown) if doubtful and shown is not None and written_shape(shown) == shape else ()
        doubtful = [at for at in doubtful if at >= len(written) or texts[at] != written[at]]
        drifts = [element(texts[at], at, data, dtype, strict) for at in doubtful]  # raises at the first that is off
        return True in drifts
    return _walk(node, shape, 0, data, dtype, strict)


def _walk(
    node: Node, shape: tuple[int, ...], start: int, data: Sequence[Scalar], dtype: str | None, strict: bool
) -> bool:
    if not shape:
        return element(_text(node), start, data, dtype, strict)
    drift = False
    if isinstance(node, Row):
        for offset, text in enumerate(node.texts):
            drift = element(text, start + offset, data, dtype, strict) or drift
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


def element(text: str, at: int, data: Sequence[Scalar], dtype: str | None, strict: bool) -> bool:
    """Compare one element. True if its last digit drifts; raises `Differs` if it is off."""
    answer = matches(text, data[at], dtype, strict=strict)
    if answer == "far":
        raise Differs(f"{text} claimed, torch has {shown(data[at])}" + (f" (element {at})" if len(data) > 1 else ""))
    return answer == "digits"


def shown(value: Scalar) -> str:
    """A live element for a message, with six digits at most."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
