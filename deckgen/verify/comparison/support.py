"""Random values: what must be true of them whatever was drawn.

The call that draws tells the bounds (`samples.sample`); two runs with different seeds show what varies,
and relations that hold in both (rows that sum to one, zeros or one fixed value) must hold in the notes.
"""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.model.observation import Value
from deckgen.verify.comparison.numbers import Differs, close, integer, real, written_as_integer
from deckgen.verify.comparison.samples import Sample
from deckgen.written import Group, Node, Number, Row, Word


def leaves(node: Node) -> list[str]:
    """The texts of all elements in row-major order, `...` left out. Needs no recursion."""
    found: list[str] = []
    todo: list[Node] = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, Row):
            found.extend(one.texts)
        elif isinstance(one, Number | Word):
            found.append(one.text)
        elif isinstance(one, Group):
            todo.extend(child for item in reversed(one.items) for child in reversed(item))
    return found


def check_kinds(claimed: Sequence[str], shown: Sequence[str]) -> None:
    """Raises `Differs` if integers are claimed for floats, truth values for numbers, or the reverse."""
    kinds = {_kind(text) for text in claimed}, {_kind(text) for text in shown}
    if claimed and shown and kinds[0] != kinds[1] and not kinds[0] <= kinds[1]:
        raise Differs(f"{'/'.join(sorted(kinds[0]))} claimed, torch has {'/'.join(sorted(kinds[1]))}")


def _kind(text: str) -> str:
    if text in ("True", "False"):
        return "bool"
    return "int" if written_as_integer(text) else "complex" if text.endswith("j") else "float"


def check_elements(claimed: Sequence[str], value: Value, second: Value | None, sample: Sample | None) -> None:
    """Raises `Differs` if a claimed sample cannot have been drawn."""
    data = list(value.data or ())
    if any(isinstance(one, bool) for one in data):
        wanted = "bool"
    elif any(isinstance(one, int) for one in data):
        wanted = "int"
    else:
        wanted = "complex" if any(isinstance(one, complex) for one in data) else "float"
    kinds = {_kind(text) for text in claimed}
    if data and kinds - {wanted}:
        raise Differs(f"{'/'.join(sorted(kinds - {wanted}))} claimed, torch has {wanted}")
    if sample is not None and wanted in ("int", "float"):
        _drawn_so(claimed, sample)
    if wanted in ("int", "float"):
        if second is not None and len(claimed) == len(data) == len(second.data or ()):
            _masks(claimed, data, second.data or ())
            _rows(claimed, value, second)


def _drawn_so(claimed: Sequence[str], sample: Sample) -> None:
    for text in claimed:
        if not (sample.low <= real(text) < sample.high or "nan" in text):
            raise Differs(f"{text} claimed, which cannot be drawn from [{sample.low:g}, {sample.high:g})")
    if sample.permutation and len(set(claimed)) < len(claimed):
        raise Differs("a permutation holds every number once")


def _masks(claimed: Sequence[str], one: Sequence[object], two: Sequence[object]) -> None:
    """Dropout: an element is zero or one fixed value."""
    both = [(a, b) for a, b in zip(one, two, strict=True) if isinstance(a, int | float) and isinstance(b, int | float)]
    if len(both) != len(one) or any(a != b for a, b in both if a and b) or all(a and b for a, b in both):
        return
    everywhere = {x for pair in both for x in pair if x}
    same = everywhere.pop() if len(everywhere) == 1 and len(both) > 2 else 0
    if not same and not any(a and b for a, b in both):
        return
    for text, (a, b) in zip(claimed, both, strict=True):
        fixed = a or b or same
        if fixed and real(text) and close(text, float(fixed), 1e-4, 1e-4) == "far":
            raise Differs(f"{text} claimed, where torch has 0 or {fixed:g}")


def _rows(claimed: Sequence[str], value: Value, second: Value) -> None:
    """Softmax: rows that sum to one in both runs sum to one in the notes, but for rounding."""
    width = value.shape[-1] if value.shape else 0
    if width < 2 or value.dtype is None or "float" not in value.dtype:
        return
    for data in (value.data or (), second.data or ()):
        reals = [float(x) for x in data if isinstance(x, int | float)]
        sums = [sum(reals[at : at + width]) for at in range(0, len(reals), width)]
        if any(not abs(total - 1) <= 1e-4 for total in sums):
            return
    for at in range(0, len(claimed), width):
        total = sum(map(real, claimed[at : at + width]))
        if abs(total - 1) > 1e-4 * width + 1e-3:
            raise Differs(f"a claimed row sums to {total:g}; torch's rows sum to 1")


def text_differs(claimed: str, shown: str) -> bool:
    """True if two written elements differ by more than half a unit of the claim's last digit."""
    if claimed == shown:
        return False
    if _kind(claimed) != _kind(shown) or _kind(claimed) in ("bool", "complex"):
        return True
    if _kind(claimed) == "int":
        return integer(claimed) != integer(shown)
    return close(claimed, real(shown), 1.3e-6, 1e-5) != "same"
