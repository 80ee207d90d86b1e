"""`tensor(...)` and `array(...)` literals: the shape that written brackets say, and their elements against live ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.model.claim import Claim, HasShape
from deckgen.model.observation import Value
from deckgen.model.verdict import VerdictKind
from deckgen.verify.compare.drawn import check_drawn, check_elements, check_pool, check_relations
from deckgen.verify.compare.findings import Findings
from deckgen.verify.compare.numbers import Differs, Scalar, close_element, integer, is_integer, real
from deckgen.written import Call, Dots, Group, Node, Number, Row, Word, parse
from deckgen.written.values import is_size

_ARRAYS = frozenset({"tensor", "array", "np.array", "torch.tensor", "numpy.array"})
SIGNS = "the signs of eigenvectors and singular vectors are the machine's"
Shape = tuple[int | None, ...]


# --- literals -----------------------------------------------------------------------------------------


def is_array(node: Node, found: Findings) -> bool:
    """True if an observed node shows a tensor or an array."""
    return (
        node.name in _ARRAYS
        if isinstance(node, Call)
        else isinstance(node, Row | Group) and live(node, found) is not None
    )


def may_be_array(node: Node) -> bool:
    """True for a literal, and for what authors write in its place: its brackets alone, or its one number."""
    match node:
        case Call(name):
            return name in _ARRAYS
        case Group(bracket):
            return bracket == "["
        case Word(text):
            return text in ("True", "False")
        case _:
            return isinstance(node, Row | Number)


def live(node: Node, found: Findings) -> Value | None:
    """The object that an observed literal shows, if it was described."""
    return found.live.get(text_of(node))


def text_of(node: Node) -> str:
    """The text of a literal without blanks; brackets of numbers with commas, as numpy's `str` leaves them out."""
    match node:
        case Call():
            return "".join(node.text.split())
        case Row(texts):
            return "[" + ",".join(texts) + "]"
        case Group(bracket, items):
            return bracket + ",".join(text_of(item[0]) if len(item) == 1 else "?" for item in items) + "]"
        case _:
            return getattr(node, "text", "?")


def integers(node: Node) -> tuple[str, ...] | None:
    """The texts of a bracket that holds nothing but integers."""
    if isinstance(node, Row):
        texts = node.texts
    elif isinstance(node, Group) and all(len(item) == 1 and isinstance(item[0], Number) for item in node.items):
        texts = tuple(item[0].text for item in node.items if isinstance(item[0], Number))
    else:
        return None
    return texts if all(map(is_integer, texts)) else None


def written_shape(node: Node | None) -> Shape | None:
    """The shape that nested brackets say, with None for a dimension that is left out by `...`; None if they are ragged or
    hold something else than numbers.
    """
    match node:
        case Row(texts):
            return (len(texts),)
        case Number() | Word("True" | "False"):
            return ()
        case Group("[" | "(", items) if all(len(item) == 1 for item in items):
            children = [item[0] for item in items if not isinstance(item[0], Dots)]
            shapes = {written_shape(child) for child in children}
            whole = {shape for shape in shapes if shape is None or None not in shape}
            if len(whole) > 1 or len({len(shape or ()) for shape in shapes}) > 1 or None in shapes:
                return None
            inner = next(iter(whole or shapes), None) or ()
            return (len(items) if len(children) == len(items) else None, *inner)
    return None


def shape_text(shape: Sequence[int | None]) -> str:
    """`(2, ...)`: for messages."""
    inside = ", ".join("..." if size is None else str(size) for size in shape)
    return f"({inside},)" if len(shape) == 1 else f"({inside})"


def fits(claimed: Shape, shape: Sequence[int | None]) -> bool:
    """True if a written shape is a live one, but for what is left out."""
    return len(claimed) == len(shape) and all(one in (None, other) for one, other in zip(claimed, shape, strict=True))


def elements(node: Node, shape: Sequence[int], start: int = 0) -> Iterator[tuple[int, str]]:
    """(place in row-major order, text) of each written element; what stands behind `...` counts from the end."""
    if isinstance(node, Row):
        yield from enumerate(node.texts, start)
    elif isinstance(node, Group) and shape:
        children = [item[0] for item in node.items]
        gap = next((at for at, child in enumerate(children) if isinstance(child, Dots)), len(children))
        if gap < len(children) and len(children) - 1 > shape[0]:
            raise Differs(f"{len(children) - 1} items shown around `...`, torch has {shape[0]}")
        for at, child in enumerate(children):
            if at != gap:
                index = at if at < gap else shape[0] - len(children) + at
                yield from elements(child, shape[1:], start + index * math.prod(shape[1:]))
    elif isinstance(node, Number | Word):
        yield start, node.text


def texts_in(node: Node | None) -> list[str]:
    """The texts of all written elements in row-major order, `...` left out."""
    if isinstance(node, Row):
        return [*node.texts]
    if isinstance(node, Group):
        return [text for item in node.items for child in item for text in texts_in(child)]
    return [node.text] if isinstance(node, Number | Word) else []


# --- elements -----------------------------------------------------------------------------------------


def compare_data(
    claimed: Node,
    seen: Node,
    value: Value | None,
    others: Sequence[tuple[Value | None, Node | None]],
    found: Findings,
    *,
    whole: bool,
) -> None:
    """Compare the data of a claimed literal with what torch shows. Raises `Differs` for another shape or element.

    `value` is the live object, `others` what other runs have in its place; where an object is not known (too many elements,
    sparse, printed inside a string), the text that was shown stands for it.
    """
    shown: list[Node | None] = [node for _, node in others]
    if value is None or value.shape is None or value.data is None:
        if None in (written_shape(seen) or ()) and written_shape(claimed) == written_shape(seen):
            claimed, seen = Row(tuple(texts_in(claimed))), Row(tuple(texts_in(seen)))
            shown = [Row(tuple(texts_in(node))) for node in shown]
        value, others = _as_value(seen), [(None, node) for node in shown]
        if value is None:
            raise Differs(f"`{text_of(claimed)[:60]}` claimed, torch shows `{text_of(seen)[:60]}`")
    runs = [run for live, node in others if (run := live or _as_value(node)) is not None]
    texts, drift = texts_in(claimed), False
    volatile = found.unstable or found.random or found.unset or not all(_same_data(run, value) for run in runs)
    strict = whole and all(map(is_integer, texts))
    if found.beside_code and value.shape and written_shape(claimed) == ():
        alone = len(value.data or ()) == 1
        if not volatile and _is_each(texts[0], value):
            word = VerdictKind.DRIFT_FORMAT if alone else VerdictKind.HOLDS_PATTERN
            found.note(word, "torch shows a tensor whose elements all are that")
            return
        if alone:
            value, runs = replace(value, shape=()), [replace(run, shape=()) for run in runs if run.shape == value.shape]
    try:
        drift = _drifts(claimed, seen, value, strict=strict, by_hand=not whole)
    except Differs:
        if found.vectors and _same_but_for_signs(claimed, value):
            found.note(VerdictKind.HOLDS_PATTERN, SIGNS)
            return
        if not volatile:
            raise
        if all(run.shape == value.shape for run in runs):
            _check_shape(claimed, value)
        check_drawn(texts, value, found.sample)
        if runs and (found.drawn or found.unset):
            _check_against(claimed, [value, *runs], found, strict=strict)
    if volatile or (found.may_be_luck and _may_agree_by_luck(value, found)):
        found.note(VerdictKind.HOLDS_STRUCTURE)
    elif drift:
        found.note(VerdictKind.DRIFT_DIGITS, "last digits differ")


def _check_against(claimed: Node, runs: Sequence[Value], found: Findings, *, strict: bool) -> None:
    """Raises `Differs` for what cannot be another draw of what these runs have drawn."""
    texts, drawn, shape = texts_in(claimed), [one.data or () for one in runs], runs[0].shape or ()
    same_shape = all(one.shape == shape for one in runs)
    if same_shape:
        check_elements([*elements(claimed, shape)], runs, strict=strict, unset=found.unset)
    if not found.unset:
        check_pool(texts, drawn, found.sample, few=found.few)
        check_relations(texts, drawn, shape[-1] if same_shape and shape else 0)


def _may_agree_by_luck(value: Value, found: Findings) -> bool:
    """True for truth values, and for integers made of random numbers."""
    whole = not (value.dtype or "float").startswith(("float", "complex", "bfloat"))
    return value.dtype == "bool" or (found.indices and whole)


def _is_each(text: str, value: Value) -> bool:
    """True for `inf` beside `torch.ones(3) / 0`."""
    try:
        answers = {close_element(text, one, value.dtype, strict=False) for one in value.data or ()}
    except Differs:
        return False
    return answers == {"same"}


def _drifts(claimed: Node, seen: Node | None, value: Value, *, strict: bool, by_hand: bool) -> bool:
    """True if last digits drift. What is written just as torch writes it holds: `0.0000` of what is nearly zero."""
    shape, data = value.shape or (), value.data or ()
    if 0 in shape and written_shape(claimed) in ((0,), ()):
        return False
    _check_shape(claimed, value)
    shown = dict(elements(seen, shape)) if seen is not None and fits(written_shape(seen) or (-1,), shape) else {}
    drift = False
    for at, text in elements(claimed, shape):
        if shown.get(at) == text:
            continue
        answer = close_element(text, data[at], value.dtype, strict=strict)
        if answer == "digits" and by_hand and close_element(f"{text}…", data[at], value.dtype, strict=strict) == "same":
            answer = "same"  # cut off instead of rounded, as people do
        if answer == "far":
            live = f"{data[at]:.6g}" if isinstance(data[at], float) else str(data[at])
            raise Differs(f"{text} claimed, torch has {live}" + (f" (element {at})" if len(data) > 1 else ""))
        drift = drift or answer == "digits"
    return drift


def _check_shape(claimed: Node, value: Value) -> None:
    written, shape = written_shape(claimed), value.shape or ()
    if written is None:
        raise Differs("the claimed brackets are not a rectangular array of numbers")
    if not fits(written, shape):
        raise Differs(f"shape {shape_text(written)} claimed, torch has {shape_text(shape)}")


def _as_value(node: Node | None) -> Value | None:
    """Shown elements as an object: as far as their digits go."""
    shape = written_shape(node)
    if shape is None or None in shape:
        return None
    texts = texts_in(node)
    whole = all(map(is_integer, texts))
    data: list[Scalar] = [
        text == "True"
        if text in ("True", "False")
        else integer(text)
        if whole
        else text
        if text.endswith("j")
        else real(text)
        for text in texts
    ]
    return Value(kind="tensor", type="", repr="", shape=tuple(size or 0 for size in shape), data=tuple(data))


def _same_data(one: Value, other: Value) -> bool:
    """Equality under which nan equals nan."""
    return one.data == other.data or (one.shape, list(map(str, one.data or ()))) == (
        other.shape,
        list(map(str, other.data or ())),
    )


def _same_but_for_signs(claimed: Node, value: Value) -> bool:
    """True if written elements are the live ones, of which whole rows or whole columns have another sign."""
    if written_shape(claimed) != value.shape or not value.shape:
        return False
    signs = [_sign(text, value, at) for at, text in elements(claimed, value.shape)]
    width, height = value.shape[-1], math.prod(value.shape[-2:])
    rows = [signs[at : at + width] for at in range(0, len(signs), width)]
    columns = [signs[at : at + height][side::width] for at in range(0, len(signs), height) for side in range(width)]
    return None not in signs and any(all(not {1, -1} <= set(line) for line in lines) for lines in (rows, columns))


def _sign(text: str, value: Value, at: int) -> int | None:
    """1 if a written number is the live one, -1 if it is with the other sign, 0 if it is zero, None if it is another."""
    one = value.data[at] if value.data else None
    if not isinstance(one, float | complex):
        return None
    same, other = (close_element(text, each, value.dtype, strict=False) != "far" for each in (one, -one))
    return 0 if same and other else 1 if same else -1 if other else None


# --- claims about shapes alone ------------------------------------------------------------------------


def shapes_text(value: Value) -> str:
    """What torch has, in the form in which shapes are claimed."""
    seen = _shapes(value)
    return value.repr[:200] if seen is None else _listed(seen)


def compare_shapes(claim: HasShape, value: Value, others: Sequence[Value] = ()) -> None:
    """Raises `Differs` where the shapes are others than claimed."""
    seen, claimed = _shapes(value), claim.shapes
    if seen is None:
        raise Differs(f"shape {_listed(claimed)} claimed, but it is a {value.type.rsplit('.', 1)[-1]}")
    if any(_shapes(other) != seen for other in others):
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


def _listed(shapes: Sequence[Sequence[int]]) -> str:
    return ", ".join(map(shape_text, shapes))


def _shapes(value: Value) -> list[tuple[int, ...]] | None:
    """The shapes of a tensor, of a sequence of tensors, or the numbers of a size or a tuple of numbers."""
    if value.kind in ("tensor", "array", "size", "number", "bool"):
        return [value.shape or ()]
    if value.kind != "sequence" or not value.items:
        return None
    if all(item.kind == "number" and item.dtype == "int" for item in value.items):
        return [tuple(one for item in value.items for one in item.data or () if isinstance(one, int))]
    inner = [_shapes(item) for item in value.items]
    return None if None in inner else [shape for shapes in inner for shape in shapes or ()]
