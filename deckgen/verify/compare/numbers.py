"""How near a written number is to a live one.

A written number holds if rounding the live one to the digits *written* gives it, plus what `torch.testing.assert_close`
grants the dtype. `1.` says "a whole number" and has no digit to be lenient about. Behind `≈`, `约` and before `...` a
number may also be cut off instead of rounded. Zero and the sign are digits that nothing rounds away.
"""

from __future__ import annotations

import ast
import math
import struct
from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Literal, NamedTuple

from deckgen.model.observation import Value
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed
from deckgen.verify.bindings import bindings, expression, statement
from deckgen.verify.sources import called

Scalar = float | int | bool | complex | str
Closeness = Literal["same", "digits", "far"]

SINGLE = (1.3e-6, 1e-5)
"""rtol and atol of torch.testing.assert_close for float32 and all that is computed in it."""
_DOUBLE, _PYTHON, _HALF = (1e-7, 1e-7), (1e-8, 1e-7), (0.0, 0.0)
_TOLERANCE = {
    "float64": _DOUBLE, "complex128": _DOUBLE, "float": _PYTHON, "complex": _PYTHON, "float16": _HALF, "bfloat16": _HALF,
}  # fmt: skip
"""By dtype, where it is not `SINGLE`. Half precision shows all its digits, so nothing needs to be granted."""
DRIFTING = 4
"""Significant digits from which a number that misses by one unit in the last of them has drifted; shorter ones are false."""
_WHOLE = 0.49
"""What may be between two numbers that are one whole number."""
_REAL = r"[-+]?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf)"
_COMPLEX = pattern(rf"({_REAL})(?=[-+])\+?({_REAL})j$")


class Differs(Exception):  # noqa: N818 - it is an answer, not an error
    """What was written and what is there differ; the message says where, in one line."""


def real(text: str) -> float:
    """A written real number; `0.20…` is what is left of it. Raises `Differs` for what is none, as a snippet may print."""
    try:
        return float(text.rstrip("…"))
    except ValueError:
        raise Differs(f"`{text}` is no number") from None


def integer(text: str) -> int:
    """A written integer. Raises `Differs` for one with thousands of digits: equal texts never come here."""
    if len(text) > 4000:
        raise Differs(f"a number of {len(text)} digits is claimed or shown")
    return int(text)


def is_integer(text: str) -> bool:
    """True for `3`, False for `3.`, `3e2`, `nan`."""
    return text.lstrip("+-").isdecimal()


def unit(text: str) -> float:
    """The worth of the last digit written: 0.01 for `3.14`, 1e-5 for `1e-05`, 0 for `1.` and `3`, 1 for `3…`."""
    mantissa, _, exponent = text.rstrip("…").lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    if not exponent:
        return 10.0**-decimals if decimals else float(text.endswith("…"))
    power = int(exponent) if is_integer(exponent) else 0
    return 10.0 ** (power - decimals) if abs(power) < 400 else 0.0


def significant(text: str) -> int:
    """How many significant digits are written: 4 of `0.1000` and `12.50`, 2 of `0.0010`."""
    mantissa = text.rstrip("…").lower().partition("e")[0]
    return len(mantissa.lstrip("+-").replace(".", "").lstrip("0"))


def close(text: str, value: float, rtol: float, atol: float) -> Closeness:
    """How near a written real number is to a live one.

    `digits`: it has at least `DRIFTING` significant digits and misses by one unit in the last of them.
    """
    claimed = real(text)
    if claimed == value or (math.isnan(claimed) and math.isnan(value)):
        return "same"
    if not (math.isfinite(claimed) and math.isfinite(value)):
        return "far"
    step, difference = unit(text), abs(claimed - value)
    slack = (rtol + 1e-12) * abs(value)
    if claimed * value <= 0:  # one of them is zero, or their signs differ
        return "same" if difference <= (min(atol, step / 2) if step else atol) + slack else "far"
    if not step:  # a whole number is that one, however large
        return "same" if difference <= min(atol + slack, _WHOLE) else "far"
    cut_off = text.endswith("…") and abs(value) > abs(claimed)
    if difference <= (step if cut_off else step / 2) + slack:
        return "same"
    return "digits" if significant(text) >= DRIFTING and difference <= 1.5 * step + slack else "far"


def close_to_shown(text: str, shown: str) -> Closeness:
    """How near a written number is to one that was printed, of which no more is known than its digits."""
    if text == shown:
        return "same"
    if is_integer(shown):
        text = text.rstrip("…")
    if text.endswith("j") or shown.endswith("j") or is_integer(text) != is_integer(shown):
        return "far"
    if is_integer(shown):
        return "same" if integer(text) == integer(shown) else "far"
    if significant(text) >= DRIFTING and shown.startswith(text) and shown[len(text) :].isdigit():
        return "same"  # cut off by hand
    value = real(shown)
    digits = len(shown.strip("+-").replace(".", "").lstrip("0").split("e")[0])
    if digits >= 15 and _is_float32(value):  # a float32 in full: `0.3333333432674408`
        return close(text, value, *SINGLE)
    answer = close(text, value, 1e-8, 1e-7 if unit(shown) else 0.0)
    in_full = 7 <= digits <= 9 and significant(text) >= 7  # by numpy, in as few digits as single precision needs
    return "digits" if answer == "far" and in_full and close(text, value, *SINGLE) == "same" else answer


def _is_float32(value: float) -> bool:
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except (OverflowError, struct.error):
        return False


def close_element(text: str, value: Scalar, dtype: str | None, *, strict: bool) -> Closeness:
    """How near one written element is to a live one. Raises `Differs` if it is of another kind.

    `strict` holds for a whole literal, whose dtype shows in how numbers are written; an author's shorthand may write `2`
    for `2.`, and `1` for `True`.
    """
    if isinstance(value, str):
        return "same" if text == value else "far"
    if isinstance(value, bool):
        if text in ("True", "False") or (text in ("0", "1") and not strict):
            return "same" if (text in ("True", "1")) == value else "far"
        raise Differs(f"the number {text} claimed, torch has {value}: comparisons give bool since torch 1.2")
    if text in ("True", "False"):
        raise Differs(f"{text} claimed, where torch has the number {value}")
    rtol, atol = _TOLERANCE.get(dtype or "", SINGLE)
    if isinstance(value, complex):
        found = _COMPLEX.match(text)
        parts = found.groups() if found else ("0.", text[:-1]) if text.endswith("j") else (text, "0.")
        answers = [close(part, live, rtol, atol) for part, live in zip(parts, (value.real, value.imag), strict=True)]
        return "far" if "far" in answers else "digits" if "digits" in answers else "same"
    if text.endswith("j"):
        raise Differs(f"complex {text} claimed, where torch has {value}")
    if isinstance(value, int):
        text = text.rstrip("…")
        if not is_integer(text):
            raise Differs(f"a float is claimed ({text}), torch has the integer {value}")
        return "same" if integer(text) == value else "far"
    if strict and is_integer(text):
        raise Differs(f"an integer is claimed ({text}), torch has the float {value:g}")
    return close(text, value, rtol, atol)


# --- random values: what must be true of them, whatever was drawn -------------------------------------
#
# The call that draws tells the bounds. Two runs with different seeds show what varies; relations that hold in both (rows that
# sum to one, zeros or one fixed value) must hold in the notes.


class Sample(NamedTuple):
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
