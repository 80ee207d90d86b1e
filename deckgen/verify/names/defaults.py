"""Defaults as notes state them against those of the live signatures, by value."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from deckgen.verify.names.written import Argument

_WORDS = {"true": True, "false": False, "none": None, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
_NO_VALUE = frozenset({"required", "optional", "default", "auto", "null", "empty", "same", "yes", "no", "all", "any"})
"""Words in a column of defaults that may stand for no value, or for any."""
_USUALLY_LEFT_OUT = frozenset({"device", "dtype", "layout", "requires_grad", "pin_memory", "memory_format", "out"})
_LONGEST = 60


class _Unknown:
    """What cannot be compared: a sentinel, a function, an expression."""


_UNKNOWN = _Unknown()


def wrong_defaults(claimed: Mapping[str, str], fact: Mapping[str, Any]) -> dict[str, str]:
    """Parameter -> torch's default as text, of every claimed default that no signature of the object has.

    A live `None` contradicts nothing: often it stands for "worked out later" (`shuffle=None` is documented as
    False). Nor does a parameter without a default, or one that a signature gives something that has no literal.
    """
    found: dict[str, str] = {}
    for name, text in claimed.items():
        live = _live(name, fact)
        value = _value(text, bare=any(isinstance(_value(one), str) for one in live))
        if live and not isinstance(value, _Unknown) and all(_differ(value, _value(one), text) for one in live):
            found[name] = live[0]
    return found


def comparable(name: str, text: str, fact: Mapping[str, Any]) -> bool:
    """True if a claimed default can be right or wrong: both it and torch's are values."""
    live = _live(name, fact)
    value = _value(text, bare=any(isinstance(_value(one), str) for one in live))
    known = [_value(one) for one in live]
    return (
        not isinstance(value, _Unknown)
        and any(not isinstance(one, _Unknown) for one in known)
        and any(one is not None or value is None for one in known)
    )


def signature_defaults(arguments: Sequence[Argument], fact: Mapping[str, Any]) -> dict[str, str]:
    """The defaults that a name is written with, if what is written can only be its signature.

    `nn.Softmax(dim=1)` and `SGD(params, lr=0.1)` show a use. A signature names the parameters in their order without
    a gap, perhaps not the last, and most of the defaults are right.
    """
    claimed = listed_defaults(arguments, fact)
    if len(claimed) < 3:
        return {}
    written = [argument.name for argument in arguments]
    wrong = wrong_defaults(claimed, fact)
    whole = any(_is_whole(written, one["parameters"]) for one in fact["signatures"])
    return claimed if len(wrong) * 3 <= len(claimed) and (whole or next(iter(claimed)) not in wrong) else {}


def listed_defaults(arguments: Sequence[Argument], fact: Mapping[str, Any]) -> dict[str, str]:
    """The defaults that a name is written with, if it is written like a signature: the parameters' own names in order.

    What a use would just as well be written like; `deckgen.verify.names.company` tells by the rows around it.
    """
    written = [argument.name for argument in arguments]
    claimed = {argument.name: argument.value for argument in arguments if argument.kind == "keyword"}
    plain = not any(argument.kind in ("value", "rest") for argument in arguments)
    fits = plain and any(_enumerates(written, claimed, one["parameters"]) for one in fact["signatures"])
    return claimed if fits else {}


def _names(written: Sequence[str], parameters: Sequence[Sequence[Any]]) -> list[str]:
    return [str(name) for name, _, _ in parameters if name not in _USUALLY_LEFT_OUT or name in written]


def _is_whole(written: Sequence[str], parameters: Sequence[Sequence[Any]]) -> bool:
    """`Adam(params, lr=0.01, betas=(0.9, 0.999), eps=1e-8)` is not: there a use sets what comes first."""
    return _names(written, parameters) == list(written)


def _enumerates(written: Sequence[str], claimed: Mapping[str, str], parameters: Sequence[Sequence[Any]]) -> bool:
    names = _names(written, parameters)
    required = {str(name) for name, kind, default in parameters if default is None and kind not in ("*", "**")}
    return names[: len(written)] == list(written) and not required & claimed.keys()


def _live(name: str, fact: Mapping[str, Any]) -> list[str]:
    """Every default that the signatures give a parameter, as text."""
    return [
        str(default)
        for one in fact["signatures"]
        for parameter, _, default in one["parameters"]
        if parameter == name and default is not None
    ]


def _value(text: str, *, bare: bool = False) -> object:
    """The value of a literal; with `bare`, a lone word is a text whose quotes were left out."""
    text = text.strip().replace("−", "-")
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if bare and re.fullmatch(r"[a-z][a-z_]*", text):
        return _UNKNOWN if text in _NO_VALUE else text
    if len(text) > _LONGEST or not re.match(r"[-+.\d'\"(\[]", text):
        return _UNKNOWN
    try:
        return _plain(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return _UNKNOWN


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return tuple(value)
    return value if isinstance(value, str | int | float) else _UNKNOWN


def _differ(claimed: object, live: object, text: str) -> bool:
    """True if both are known and of a kind that can be compared, and are not the same."""
    if live is None or isinstance(live, _Unknown):
        return False
    if claimed is None:
        return True
    if isinstance(claimed, bool) and not isinstance(live, bool) and isinstance(live, int | float):
        return claimed != bool(live)  # `BatchNorm has a momentum by default`
    if isinstance(claimed, str) or isinstance(live, str):
        return isinstance(claimed, str) and isinstance(live, str) and claimed != live
    one, other = _elements(claimed), _elements(live)
    length = max(len(one), len(other))
    one, other = (each * length if len(each) == 1 else each for each in (one, other))
    return len(one) != length or len(other) != length or any(map(_apart, one, other, [text] * length))


def _elements(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _apart(claimed: object, live: object, text: str) -> bool:
    """Numbers may be rounded to the digits written, if there are two or more: 0.33 for a third."""
    if not isinstance(claimed, int | float) or not isinstance(live, int | float):
        return claimed != live
    digits = re.fullmatch(r"[-+]?0?\.0*([1-9]\d+)", text)
    rounding = 0.5 * 10.0 ** -len(text.partition(".")[2]) if digits else 0.0
    return not math.isclose(claimed, live, rel_tol=1e-9, abs_tol=rounding)
