"""Claims about shapes alone."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.model.claim import Claim, HasShape
from deckgen.model.observation import Value
from deckgen.text.pattern import pattern
from deckgen.verify.comparison.literals import integers
from deckgen.verify.comparison.numbers import Differs
from deckgen.verify.comparison.values import shape_text
from deckgen.written.parsing import parse
from deckgen.written.values import is_size


def shapes_text(value: Value) -> str:
    """What torch has, in the form in which shapes are claimed."""
    seen = _shapes(value)
    return ", ".join(map(shape_text, seen)) if seen is not None else value.repr[:200]


def compare_shapes(claim: HasShape, value: Value, again: Value | None) -> None:
    """Raises `Differs` where the shapes are others than claimed."""
    seen, text = _shapes(value), shapes_text(value)
    if seen is None:
        raise Differs(f"shape {_listed(claim.shapes)} claimed, but it is a {value.type.rsplit('.', 1)[-1]}")
    if again is not None and _shapes(again) != seen:
        return  # its shape is random itself
    if len(claim.shapes) > 1 and len(seen) != len(claim.shapes):
        raise Differs(f"{len(claim.shapes)} shapes claimed, torch has {len(seen)}: {text}")
    if len(claim.shapes) == 1 and len(seen) > 1:
        seen = seen if all(shape == claim.shapes[0] for shape in seen) else [value.shape or ()]
        seen = seen[:1]
    if tuple(seen) != claim.shapes:
        raise Differs(f"shape {_listed(claim.shapes)} claimed, torch has {text}")


def meant_shape(claim: Claim, values: Sequence[Value]) -> tuple[str, str] | None:
    """(difference, observed shape) where a value claimed in brackets can only be a shape: `[4, 6]` beside a matrix."""
    nodes = parse(claim.text) if len(values) == 1 and _BRACKETS.fullmatch(claim.text) else ()
    texts = integers(nodes[0]) if len(nodes) == 1 else None
    shape = values[0].shape if texts and values[0].kind == "tensor" else None
    if not texts or shape is None or len(shape) < 2 or len(shape) != len(texts):
        return None
    return f"shape {shape_text([*map(int, texts)])} claimed, torch has {shape_text(shape)}", shape_text(shape)


def is_bracketed(claim: Claim) -> bool:
    """True for numbers in brackets and nothing else: `(3,)`, `[2, 3]`, `torch.Size([2])`."""
    return not isinstance(claim, HasShape) and is_size(claim.text)


_BRACKETS = pattern(r"\s*[(\[（［][\d\s,，]{1,100}[)\]）］]\s*")


def _listed(shapes: tuple[tuple[int, ...], ...]) -> str:
    return ", ".join(map(shape_text, shapes))


def _shapes(value: Value) -> list[tuple[int, ...]] | None:
    """The shapes of a tensor, of a sequence of tensors, or the numbers of a size or a tuple of numbers."""
    if value.kind in ("tensor", "array", "size"):
        return [value.shape or ()]
    if value.kind in ("number", "bool"):
        return [()]
    if value.kind == "sequence" and value.items:
        if all(item.kind == "number" and item.dtype == "int" for item in value.items):
            return [
                tuple(
                    int(item.data[0])
                    for item in value.items
                    if item.data and not isinstance(item.data[0], complex | str)
                )
            ]
        inner = [shapes for item in value.items if (shapes := _shapes(item)) is not None]
        return [shape for shapes in inner for shape in shapes] if len(inner) == len(value.items) else None
    return None
