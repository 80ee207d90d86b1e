"""Random samples: what is known of them by the call that draws them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed
from deckgen.verify.bindings import bindings, expression, statement
from deckgen.verify.comparison.initial import bound
from deckgen.verify.sources import called


@dataclass(frozen=True, slots=True)
class Sample:
    """Bounds of each element (`high` is excluded), and whether all of `low..high` occur once."""

    low: float
    high: float
    permutation: bool = False


@lru_cache(maxsize=512)
def sample(code: str, line: int | None, target: str | None) -> Sample | None:
    """What the statement at a line shows, if that is directly a sample of `rand`, `randint` or `randperm`."""
    tree = parsed(code)
    if tree is None or line is None:
        return None
    node = expression(target) or _shown(statement(tree, line))
    for _ in range(3):
        if isinstance(node, ast.Name):
            values = bindings(code, line).get(node.id, [])
            node = values[-1] if len(values) == 1 else None
    if isinstance(node, ast.Attribute):
        return _weights(node, code, line)
    return _sampled(node) if isinstance(node, ast.Call) else None


_OF_LAYER = pattern(r"(?:weight|bias)(?:_[ih]h(?:_l\d+)?)?")


def _weights(node: ast.Attribute, code: str, line: int) -> Sample | None:
    """Of `layer.weight`, where the layer is as it was made."""
    layer: ast.AST | None = node.value
    if isinstance(layer, ast.Name):
        values = bindings(code, line).get(layer.id, [])
        layer = values[-1] if len(values) == 1 else None
    if not isinstance(layer, ast.Call) or not _OF_LAYER.fullmatch(node.attr):
        return None
    high = bound(layer, called(layer), [_integer(one) for one in layer.args[:3]], code)
    return None if high is None else Sample(-high, high)


def _shown(node: ast.stmt | None) -> ast.AST | None:
    """The one object that a statement prints or shows."""
    if not isinstance(node, ast.Expr):
        return None
    value = node.value
    if isinstance(value, ast.Call) and called(value) == "print":
        return value.args[-1] if value.args else None
    return value


_BOUNDS = {
    **dict.fromkeys(("bernoulli", "bernoulli_"), Sample(0, 1.5)),
    **dict.fromkeys(
        ("relu", "relu_", "abs", "square", "exp", "sqrt", "norm", "softplus", "std", "var"), Sample(0, inf)
    ),
    **dict.fromkeys(("sigmoid", "softmax"), Sample(0, 1.00005)),
    **dict.fromkeys(("sin", "cos", "tanh", "cosine_similarity"), Sample(-1.00005, 1.00005)),
}


def _sampled(call: ast.Call) -> Sample | None:
    name = called(call)
    numbers = [_integer(argument) for argument in call.args]
    if name in ("rand", "rand_like"):
        return Sample(0, 1)
    if name == "randperm" and numbers and numbers[0] is not None:
        return Sample(0, numbers[0], permutation=True)
    if name == "randint":
        return _drawn_integers(call, [number for number in numbers[:2] if number is not None])
    if name == "uniform_" and isinstance(call.func, ast.Attribute) and len(numbers) == 2:
        low, high = (_real(one) for one in call.args)
        return None if low is None or high is None else Sample(low, high + _ROUNDING)
    return _BOUNDS.get(name)


def _drawn_integers(call: ast.Call, numbers: list[int]) -> Sample | None:
    """`randint(10, ...)`, `randint(0, 10, ...)`, `randint(low=0, high=10, ...)`."""
    named = {one.arg: _integer(one.value) for one in call.keywords}
    high = named["high"] if "high" in named else numbers.pop() if numbers else None
    low = named["low"] if "low" in named else numbers.pop() if numbers else 0
    return None if low is None or high is None else Sample(low, high)


def _real(node: ast.AST) -> float | None:
    try:
        value = ast.literal_eval(node) if isinstance(node, ast.Constant | ast.UnaryOp) else None
    except ValueError:
        return None
    return float(value) if isinstance(value, int | float) else None


_ROUNDING = 1e-4
"""Four digits are shown, and the last may be rounded up to the bound."""


def _integer(node: ast.AST) -> int | None:
    try:
        value = ast.literal_eval(node) if isinstance(node, ast.Constant | ast.UnaryOp | ast.BinOp) else None
    except ValueError:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
