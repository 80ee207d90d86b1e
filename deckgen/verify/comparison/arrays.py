"""`tensor(...)` and `array(...)` literals against live tensors and arrays."""

from __future__ import annotations

from deckgen.model.observation import Value
from deckgen.model.verdict import Word as Verdict
from deckgen.verify import devices
from deckgen.verify.comparison import angles, eigen, support
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.literals import flat, is_array_name, key, live
from deckgen.verify.comparison.numbers import Differs, close, real, written_as_integer
from deckgen.verify.comparison.values import (
    ArrayLiteral,
    compare_data,
    literal,
    same_elements,
    shape_text,
    written_shape,
)
from deckgen.written import Angle, Call, Node, Number, Quoted


def compare_array(claimed: Node, seen: Node, again: Node | None, found: Findings) -> None:
    """Compare a claimed literal, or an author's shorthand for one, with what torch shows.

    Raises `Differs` for another shape, dtype, flag or element.
    """
    whole = isinstance(claimed, Call)
    ours = literal(claimed) if isinstance(claimed, Call) else ArrayLiteral(claimed, {})
    theirs = literal(seen) if isinstance(seen, Call) else ArrayLiteral(seen, {})
    if whole and isinstance(seen, Call) and claimed.name.rsplit(".")[-1] != seen.name.rsplit(".")[-1]:  # type: ignore[union-attr]
        raise Differs(f"`{claimed.name}` claimed, torch shows `{seen.name}`")  # type: ignore[union-attr]
    value = live(seen, found)
    if value is None or value.shape is None or value.data is None:
        _compare_text(ours, theirs, again, found)
    else:
        second = found.live_again.get(key(again)) if again is not None else None
        _compare_live(ours, theirs.data, value, second, found, whole=whole)
    if whole:
        _options(ours, theirs, again, value, found)


def _compare_live(
    ours: ArrayLiteral, shown: Node | None, value: Value, second: Value | None, found: Findings, *, whole: bool
) -> None:
    shape, data = value.shape or (), value.data or ()
    if ours.data is None:
        raise Differs("no data is claimed")
    volatile = (
        found.unstable
        or found.random
        or (second is not None and not same_elements(second.data, value.data))
        or (found.lucky and _may_agree_by_chance(value, found))
    )
    strict = whole and all(map(written_as_integer, support.leaves(ours.data)))
    try:
        drift = compare_data(ours.data, shown, shape, data, value.dtype, strict=strict)
    except Differs:
        if found.vectors and eigen.same_but_for_signs(support.leaves(ours.data), written_shape(ours.data), value):
            found.note(Verdict.HOLDS_PATTERN, eigen.SIGNS)
            return
        if not volatile:
            raise
        _structure(ours.data, value, second, found)
        return
    if volatile:
        found.note(Verdict.HOLDS_STRUCTURE)
    elif drift:
        found.note(Verdict.DRIFT_DIGITS, "last digits differ")


def _may_agree_by_chance(value: Value, found: Findings) -> bool:
    """A few truth values, or integers made of random numbers, prove nothing by agreeing in two runs."""
    if value.dtype == "bool":
        return True
    return found.indices and value.dtype is not None and not value.dtype.startswith(("float", "complex", "bfloat"))


def _structure(data: Node, value: Value, second: Value | None, found: Findings) -> None:
    """A random tensor: shape, kind of number, and the support that both runs show."""
    claimed, shape = written_shape(data), value.shape or ()
    if claimed is None:
        raise Differs("the claimed brackets are not a rectangular array of numbers")
    same = len(claimed) == len(shape) and all(c in (None, s) for c, s in zip(claimed, shape, strict=True))
    if not same and not (second is not None and second.shape != value.shape):
        raise Differs(f"shape {shape_text(claimed)} claimed, torch has {shape_text(shape)}")
    support.check_elements(support.leaves(data), value, second, found.sample)
    found.note(Verdict.HOLDS_STRUCTURE)


def _compare_text(ours: ArrayLiteral, theirs: ArrayLiteral, again: Node | None, found: Findings) -> None:
    """Without live elements (too many, sparse, printed inside a string): text against text."""
    if ours.data is None or theirs.data is None:
        if ours.data is not theirs.data:
            raise Differs("the literal is claimed with other data")
        return
    ours_shape, shape = written_shape(ours.data), written_shape(theirs.data)
    again_data = literal(again).data if isinstance(again, Call) else again
    repeated_shape = written_shape(again_data) if again_data is not None else shape
    if ours_shape != shape and repeated_shape == shape:
        raise Differs(f"shape {shape_text(ours_shape or ())} claimed, torch shows {shape_text(shape or ())}")
    texts, other = support.leaves(ours.data), support.leaves(theirs.data)
    repeated = support.leaves(again_data) if again_data is not None else other
    volatile = repeated != other or found.unstable or (found.random and again is None)
    if texts == other and not volatile:
        return
    if len(texts) != len(other) and not volatile:
        raise Differs(f"{len(texts)} elements claimed, torch shows {len(other)}")
    if volatile:
        found.note(Verdict.HOLDS_STRUCTURE)
        support.check_kinds(texts, other)
        return
    for one, two in zip(texts, other, strict=True):
        if support.text_differs(one, two):
            raise Differs(f"{one} claimed, torch shows {two}")


def _options(
    ours: ArrayLiteral, theirs: ArrayLiteral, again: Node | None, value: Value | None, found: Findings
) -> None:
    """Compare `dtype=`, `device=`, `grad_fn=`, `requires_grad=`, `size=` and their like."""
    repeated = literal(again).options if isinstance(again, Call) else {}
    for name in [*ours.options, *(name for name in theirs.options if name not in ours.options)]:
        one, other = ours.options.get(name), theirs.options.get(name)
        if one == other:
            continue
        if _option_meets(name, one, other, repeated.get(name), found):
            continue
        if name == "device":
            _device_option(one, other, found)
        elif name == "grad_fn" and one and other:
            _grad_fn(one[0], other[0], found)
        elif other is None and name == "dtype" and value is not None and _say(one) == f"torch.{value.dtype}":
            found.note(Verdict.DRIFT_FORMAT, f"torch no longer shows {name}={_say(one)}")
        elif one is None and found.brief and name == "grad_fn" and not ours.options:
            continue  # `print(y)  # tensor([2.])` is about the values
        elif one is None:
            raise Differs(f"torch shows {name}={_say(other)}, which is not claimed")
        elif other is None:
            raise Differs(f"{name}={_say(one)} claimed, torch shows none")
        else:
            raise Differs(f"{name}={_say(one)} claimed, torch says {_say(other)}")


_OF_SPARSE = frozenset({"indices", "values", "nnz", "crow_indices", "col_indices", "ccol_indices", "row_indices"})


def _option_meets(
    name: str,
    one: tuple[Node, ...] | None,
    other: tuple[Node, ...] | None,
    again: tuple[Node, ...] | None,
    found: Findings,
) -> bool:
    """True if both sides say the same: tensors inside a sparse one, numbers, what differs from run to run."""
    if not (one and other and len(one) == len(other) == 1):
        return False
    if name in _OF_SPARSE and found.lucky:
        support.check_kinds(_leaves(one[0]), _leaves(other[0]))
        found.note(Verdict.HOLDS_STRUCTURE)  # how many are not zero is random as well
        return True
    if isinstance(one[0], Call) and isinstance(other[0], Call) and is_array_name(other[0].name):
        compare_array(one[0], other[0], again[0] if again else None, found)
        return True
    if again is not None and again != other and type(one[0]) is type(other[0]):
        found.note(Verdict.HOLDS_STRUCTURE)
        return True
    if isinstance(one[0], Number) and isinstance(other[0], Number) and not written_as_integer(other[0].text):
        return close(one[0].text, real(other[0].text), 1.3e-6, 1e-7) == "same"
    return False


def _leaves(node: Node) -> list[str]:
    data = literal(node).data if isinstance(node, Call) else node
    return support.leaves(data) if data is not None else []


def _say(nodes: tuple[Node, ...] | None) -> str:
    words = [getattr(node, "text", None) or _inside(node) for node in nodes or ()]
    return " ".join(words)


def _inside(node: Node) -> str:
    if isinstance(node, Angle):
        return "<" + _say(node.nodes) + ">"
    return flat(node)


def _grad_fn(one: Node, other: Node, found: Findings) -> None:
    names = [_say(node.nodes) if isinstance(node, Angle) else _say((node,)) for node in (one, other)]
    if names[0] == names[1]:
        return
    if not angles.grad_fn_names_meet(names[0], names[1]):
        raise Differs(f"grad_fn=<{names[0]}> claimed, torch says <{names[1]}>")
    found.note(Verdict.DRIFT_FORMAT, f"<{names[0]}> is now called <{names[1]}>")


def _device_option(one: tuple[Node, ...] | None, other: tuple[Node, ...] | None, found: Findings) -> None:
    ours = one[0].text if one and isinstance(one[0], Quoted) else "cpu"
    theirs = other[0].text if other and isinstance(other[0], Quoted) else "cpu"
    devices.devices_meet(ours, theirs, found)
