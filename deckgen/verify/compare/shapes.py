"""Claims about shapes alone."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.model.claim import Claim, HasShape
from deckgen.model.observation import Value
from deckgen.verify.compare.arrays import integers, shape_text
from deckgen.verify.compare.numbers import Differs
from deckgen.written import parse
from deckgen.written.values import is_size

Shape = tuple[int, ...]


def shapes_text(value: Value) -> str:
    """What torch has, in the form in which shapes are claimed."""
    seen = _shapes(value)
    return value.repr[:200] if seen is None else _listed(seen)


def compare_shapes(claim: HasShape, value: Value, again: Value | None) -> None:
    """Raises `Differs` where the shapes are others than claimed."""
    seen, claimed = _shapes(value), claim.shapes
    if seen is None:
        raise Differs(f"shape {_listed(claimed)} claimed, but it is a {value.type.rsplit('.', 1)[-1]}")
    if again is not None and _shapes(again) != seen:
        return  # its shape is random itself
    text = _listed(seen)
    if len(claimed) > 1 and len(seen) != len(claimed):
        raise Differs(f"{len(claimed)} shapes claimed, torch has {len(seen)}: {text}")
    if len(claimed) == 1 and len(seen) > 1:  # one for all of them, or that of the whole
        seen = [claimed[0]] if all(shape == claimed[0] for shape in seen) else [value.shape or ()]
    if tuple(seen) != claimed:
        raise Differs(f"shape {_listed(claimed)} claimed, torch has {text}")


def meant_shape(claim: Claim, values: Sequence[Value]) -> tuple[str, str] | None:
    """(difference, observed shape) where a value claimed in brackets can only be a shape: `[4, 6]` beside a matrix."""
    nodes = parse(claim.text) if len(values) == 1 and values[0].kind == "tensor" and is_size(claim.text) else ()
    texts = integers(nodes[0]) if len(nodes) == 1 else None
    shape = values[0].shape if texts else None
    if not texts or shape is None or len(shape) < 2 or len(shape) != len(texts):
        return None
    return f"shape {shape_text([*map(int, texts)])} claimed, torch has {shape_text(shape)}", shape_text(shape)


def is_bracketed(claim: Claim) -> bool:
    """True for numbers in brackets and nothing else: `(3,)`, `[2, 3]`, `torch.Size([2])`."""
    return not isinstance(claim, HasShape) and is_size(claim.text)


def _listed(shapes: Sequence[Shape]) -> str:
    return ", ".join(map(shape_text, shapes))


def _shapes(value: Value) -> list[Shape] | None:
    """The shapes of a tensor, of a sequence of tensors, or the numbers of a size or a tuple of numbers."""
    if value.kind in ("tensor", "array", "size", "number", "bool"):
        return [value.shape or ()]
    if value.kind != "sequence" or not value.items:
        return None
    if all(item.kind == "number" and item.dtype == "int" for item in value.items):
        return [tuple(one for item in value.items for one in item.data or () if isinstance(one, int))]
    inner = [_shapes(item) for item in value.items]
    return None if None in inner else [shape for shapes in inner for shape in shapes or ()]
