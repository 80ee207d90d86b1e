"""How near a written number is to a live one.

A written number holds if rounding the live one to the digits *written* gives it, plus what `torch.testing.assert_close`
grants the dtype. `1.` says "a whole number" and has no digit to be lenient about. Behind `≈`, `约` and before `...` a
number may also be cut off instead of rounded. Zero and the sign are digits that nothing rounds away.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Literal

from deckgen.text.pattern import pattern

Scalar = float | int | bool | complex | str
Closeness = Literal["same", "digits", "far"]

# rtol and atol of torch.testing.assert_close, by dtype
_TOLERANCE = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex128": (1e-7, 1e-7),
    "float": (1e-8, 1e-7),
    "complex": (1e-8, 1e-7),
    "quint8": (1.3e-6, 1e-5),
    "qint8": (1.3e-6, 1e-5),
}
_COMPLEX = pattern(r"([-+]?[\d.]+(?:e[-+]?\d+)?|[-+]?nan|[-+]?inf)([-+]-?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf))j$")


class Differs(Exception):  # noqa: N818 - it is an answer, not an error
    """What was written and what is there differ; the message says where, in one line."""


def tolerance(dtype: str | None) -> tuple[float, float]:
    """(rtol, atol) for a dtype by its short name."""
    return _TOLERANCE.get(dtype or "", (1.3e-6, 1e-5))


DRIFTING = 4
"""Significant digits from which a number that misses by one unit in the last of them has drifted; shorter ones are false."""


_WHOLE = 0.49
"""What may be between two numbers that are one whole number."""


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


def written_as_integer(text: str) -> bool:
    """True for `3`, False for `3.`, `3e2`, `nan`."""
    return text.lstrip("+-").isdecimal()


def unit(text: str) -> float:
    """The worth of the last digit written: 0.01 for `3.14`, 1e-5 for `1e-05`, 0 for `1.` and `3`, 1 for `3…`."""
    mantissa, _, exponent = text.rstrip("…").lower().partition("e")
    point = mantissa.find(".")
    decimals = len(mantissa) - point - 1 if point >= 0 else 0
    if not exponent:
        return 10.0**-decimals if decimals else float(text.endswith("…"))
    power = int(exponent) if exponent.lstrip("+-").isdecimal() else 0
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
    drifts = step and significant(text) >= DRIFTING and difference <= 1.5 * step + slack
    return "digits" if drifts else "far"


def close_complex(text: str, value: complex, rtol: float, atol: float) -> Closeness:
    """The same for `1.5000-2.j`: the worse of both parts."""
    found = _COMPLEX.match(text)
    if not found:
        if text.endswith("j"):
            parts: tuple[str, str] = ("0.", text[:-1])
        else:
            parts = (text, "0.")
    else:
        parts = (found[1], found[2].replace("+-", "-").replace("--", ""))
    answers = {close(parts[0], value.real, rtol, atol), close(parts[1], value.imag, rtol, atol)}
    return "far" if "far" in answers else "digits" if "digits" in answers else "same"


def matches(text: str, value: Scalar, dtype: str | None, *, strict: bool) -> Closeness:
    """How near one written element is to a live one. Raises `Differs` if it is of another kind.

    `strict` holds for a whole literal, whose dtype shows in how numbers are written; an author's
    shorthand may write `2` for `2.`.
    """
    if isinstance(value, str):
        return "same" if text == value else "far"
    if isinstance(value, bool):
        return _boolean(text, value, strict=strict)
    if text in ("True", "False"):
        raise Differs(f"{text} claimed, where torch has the number {value}")
    rtol, atol = tolerance(dtype)
    if isinstance(value, complex):
        return close_complex(text, value, rtol, atol)
    if text.endswith("j"):
        raise Differs(f"complex {text} claimed, where torch has {value}")
    if isinstance(value, int):
        text = text.rstrip("…")
        if not written_as_integer(text):
            raise Differs(f"a float is claimed ({text}), torch has the integer {value}")
        return "same" if integer(text) == value else "far"
    if strict and written_as_integer(text):
        raise Differs(f"an integer is claimed ({text}), torch has the float {value:g}")
    answer = close(text, value, rtol, atol)
    if answer == "same" and dtype in _ROUNDED and not _can_show(text, dtype):
        return close(text, value, 0.0, 0.0)
    return answer


_ROUNDED: dict[str, Callable[[float], float]] = {
    "float16": lambda value: struct.unpack("e", struct.pack("e", value))[0],
    "bfloat16": lambda value: struct.unpack("f", b"\0\0" + struct.pack("I", _bits(value) + 0x8000)[2:])[0],
}
"""The nearest value of a dtype so coarse that its digits show."""


def _bits(value: float) -> int:
    return int(struct.unpack("I", struct.pack("f", value))[0])


def _can_show(text: str, dtype: str) -> bool:
    """False for `3.1416` of bfloat16: whatever was computed, it prints 3.1406 or 3.1562."""
    claimed = real(text)
    try:
        nearest = _ROUNDED[dtype](claimed)
    except (OverflowError, struct.error):
        return True
    return close(text, nearest, 0.0, 0.0) == "same"


def _boolean(text: str, value: bool, *, strict: bool) -> Closeness:
    if text in ("True", "False"):
        return "same" if (text == "True") == value else "far"
    if not strict and text in ("0", "1"):
        return "same" if bool(int(text)) == value else "far"
    raise Differs(f"the number {text} claimed, torch has {value}: comparisons give bool since torch 1.2")
