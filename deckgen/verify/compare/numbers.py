"""How near a written number is to a live one.

A written number holds if rounding the live one to the digits *written* gives it, plus what `torch.testing.assert_close`
grants the dtype. `1.` says "a whole number" and has no digit to be lenient about. Behind `≈`, `约` and before `...` a
number may also be cut off instead of rounded. Zero and the sign are digits that nothing rounds away.
"""

from __future__ import annotations

import math
import struct
from typing import Literal

from deckgen.text.pattern import pattern

Scalar = float | int | bool | complex | str
Closeness = Literal["same", "digits", "far"]

SINGLE = (1.3e-6, 1e-5)
"""rtol and atol of torch.testing.assert_close for float32 and all that is computed in it."""
_DOUBLE, _PYTHON, _HALF = (1e-7, 1e-7), (1e-8, 1e-7), (0.0, 0.0)
TOLERANCE = {
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
    rtol, atol = TOLERANCE.get(dtype or "", SINGLE)
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
