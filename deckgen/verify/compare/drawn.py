"""Random values: what must be true of them, whatever was drawn.

The call that draws tells the bounds (`sample`). Two runs with different seeds show what varies; relations that hold in both
(rows that sum to one, zeros or one fixed value) must hold in the notes.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from deckgen.model.observation import Value
from deckgen.text.syntax import parsed
from deckgen.verify.bindings import bindings, expression, statement
from deckgen.verify.compare.numbers import Differs, close, is_integer, real
from deckgen.verify.sources import called


@dataclass(frozen=True, slots=True)
class Sample:
    """Bounds of each element (`high` is excluded), and whether each value of `low..high` occurs once."""

    low: float
    high: float
    permutation: bool = False


_ROUNDING = 5e-5
"""Four digits are shown, and the last may be rounded up to the bound."""
_BOUNDS = {
    **dict.fromkeys(("rand", "rand_like"), Sample(0, 1)),
    **dict.fromkeys(("bernoulli", "bernoulli_"), Sample(0, 1.5)),
    **dict.fromkeys(("relu", "relu_", "abs", "square", "exp", "sqrt", "norm", "std", "var"), Sample(0, inf)),
    **dict.fromkeys(("sigmoid", "softmax"), Sample(0, 1 + _ROUNDING)),
    **dict.fromkeys(("sin", "cos", "tanh", "cosine_similarity"), Sample(-1 - _ROUNDING, 1 + _ROUNDING)),
}
"""By the call that a shown value comes from."""


@lru_cache(maxsize=512)
def sample(code: str, line: int | None, target: str | None) -> Sample | None:
    """What the statement at a line shows, if that is directly a random sample."""
    tree = parsed(code)
    if tree is None or line is None:
        return None
    node: ast.AST | None = expression(target) or statement(tree, line)
    node = node.value if isinstance(node, ast.Expr) else node
    if isinstance(node, ast.Call) and called(node) == "print":
        node = node.args[-1] if node.args else None
    for _ in range(3):
        if isinstance(node, ast.Name):
            values = bindings(code, line).get(node.id, [])
            node = values[-1] if len(values) == 1 else None
    if not isinstance(node, ast.Call):
        return None
    name = called(node)
    return _between(name, node) if name in ("randint", "randperm", "uniform_") else _BOUNDS.get(name)


def _between(name: str, call: ast.Call) -> Sample | None:
    """`randperm(10)`, `randint(10, ...)`, `randint(0, 10, ...)`, `randint(low=0, high=10, ...)`, `uniform_(-1, 1)`."""
    named = {one.arg: one.value for one in call.keywords}
    nodes = [*call.args[:2], *(named[side] for side in ("low", "high") if side in named)]
    numbers = [number for node in nodes if (number := _number(node)) is not None]
    if name == "uniform_":
        return Sample(numbers[0], numbers[1] + _ROUNDING) if len(numbers) == 2 else None
    low, high = (0, *numbers) if len(numbers) == 1 else numbers if len(numbers) == 2 else (None, None)
    return None if low is None or high is None else Sample(low, high, permutation=name == "randperm")


def _number(node: ast.AST) -> int | float | None:
    try:
        value = ast.literal_eval(node) if isinstance(node, ast.Constant | ast.UnaryOp) else None
    except ValueError:
        return None
    return value if isinstance(value, int | float) else None


def kind(text: str) -> str:
    """The kind of a written element."""
    if text in ("True", "False"):
        return "bool"
    return "int" if is_integer(text) else "complex" if text.endswith("j") else "float"


def check_drawn(claimed: Sequence[str], value: Value, second: Value | None, sample: Sample | None) -> None:
    """Raises `Differs` if claimed elements cannot have been drawn."""
    data = value.data or ()
    types = {type(one) for one in data}
    wanted = next((name for one, name in ((bool, "bool"), (int, "int"), (complex, "complex")) if one in types), "float")
    others = {kind(text) for text in claimed} - {wanted}
    if data and others:
        raise Differs(f"{'/'.join(sorted(others))} claimed, torch has {wanted}")
    if wanted not in ("int", "float"):
        return
    for text in claimed if sample is not None else ():
        if sample and not (sample.low <= real(text) < sample.high or "nan" in text):
            raise Differs(f"{text} claimed, which cannot be drawn from [{sample.low:g}, {sample.high:g})")
    if sample is not None and sample.permutation and len(set(claimed)) < len(claimed):
        raise Differs("a permutation holds every number once")
    if second is not None and len(claimed) == len(data) == len(second.data or ()):
        runs = [[float(one) for one in run if isinstance(one, int | float)] for run in (data, second.data or ())]
        _check_mask(claimed, *runs)
        if value.shape and wanted == "float":
            _check_rows(claimed, value.shape[-1], runs)


def _check_mask(claimed: Sequence[str], one: Sequence[float], two: Sequence[float]) -> None:
    """Dropout: where both runs have a number, it is the same one; an element is that or zero."""
    both = [*zip(one, two, strict=True)]
    if any(a != b for a, b in both if a and b) or all(a and b for a, b in both):
        return
    values = {x for pair in both for x in pair if x}
    same = values.pop() if len(values) == 1 and len(both) > 2 else 0.0
    if not same and not any(a and b for a, b in both):
        return
    for text, (a, b) in zip(claimed, both, strict=True):
        fixed = a or b or same
        if fixed and real(text) and close(text, fixed, 1e-4, 1e-4) == "far":
            raise Differs(f"{text} claimed, where torch has 0 or {fixed:g}")


def _check_rows(claimed: Sequence[str], width: int, runs: Sequence[Sequence[float]]) -> None:
    """Softmax: rows that sum to one in both runs sum to one in the notes, but for rounding."""
    rows = [range(at, at + width) for at in range(0, len(claimed), max(width, 1))]
    if width > 1 and all(abs(sum(run[at] for at in row) - 1) <= 1e-4 for run in runs for row in rows):
        for row in rows:
            total = sum(real(claimed[at]) for at in row)
            if abs(total - 1) > 1e-4 * width + 1e-3:
                raise Differs(f"a claimed row sums to {total:g}; torch's rows sum to 1")
