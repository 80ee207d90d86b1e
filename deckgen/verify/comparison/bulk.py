"""Many elements at once: which of a thousand are worth a closer look.

Whether an element is near enough is decided in `numbers.matches` alone. Here those are passed over that are
near beyond doubt, some twenty times as fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat

from deckgen.text.pattern import pattern
from deckgen.verify.comparison.numbers import Scalar

_DECIMALS = pattern(r"\.(\d*)")
_DIGITS = str.maketrans("123456789E", "000000000e")
_TRUTH = {"True": True, "False": False}


def suspects(texts: Sequence[str], values: Sequence[Scalar], *, strict: bool) -> Sequence[int]:
    """Places at which a written element may differ from the live one, in order; all, where nothing is certain.

    `strict` as in `numbers.matches`: a whole literal, in which `2` is no float.
    """
    kinds = set(map(type, values))
    if len(texts) != len(values) or len(kinds) != 1:
        return range(len(values))
    look = _LOOKS.get(kinds.pop())
    found = look(texts, values, strict) if look else None
    return range(len(values)) if found is None else found


def _integers(texts: Sequence[str], values: Sequence[Scalar], _strict: bool) -> list[int] | None:
    try:
        claimed = list(map(int, texts))
    except ValueError:
        return None
    return _unequal(claimed, values)


def _truths(texts: Sequence[str], values: Sequence[Scalar], _strict: bool) -> list[int] | None:
    if not _TRUTH.keys() >= set(texts):
        return None
    return _unequal([_TRUTH[text] for text in texts], values)


def _unequal(claimed: Sequence[object], values: Sequence[object]) -> list[int]:
    if list(claimed) == list(values):
        return []
    return [at for at, (one, other) in enumerate(zip(claimed, values, strict=True)) if one != other]


def _reals(texts: Sequence[str], values: Sequence[Scalar], strict: bool) -> list[int] | None:
    """Those farther off than half a unit of the last digit, or on the other side of zero; if strict, those without a point."""
    try:
        claimed = list(map(float, texts))
    except ValueError:
        return None
    looks = set(" ".join(texts).translate(_DIGITS).split())
    halves = _halves(texts, looks)
    floats = [value for value in values if isinstance(value, float)]
    triples = zip(claimed, floats, halves, strict=False)
    # not `>`: nothing is near nan
    far = [
        at
        for at, (one, other, half) in enumerate(triples)
        if not abs(one - other) <= half or (one * other <= 0 and one != other)
    ]
    if strict and not all("." in look for look in looks):
        pointless = {at for at, text in enumerate(texts) if "." not in text}
        return sorted(pointless.union(far))
    return far


def _halves(texts: Sequence[str], looks: Iterable[str]) -> Sequence[float] | repeat[float]:
    """Half a unit of the last digit written: of each, or of the finest one for all.

    `looks` are the different texts with all digits the same: few, where there are thousands of numbers.
    """
    decimals = max((len(found[1]) for look in looks if (found := _DECIMALS.search(look))), default=0)
    if not decimals:
        return repeat(0.0)
    half = "0." + "0" * decimals + "5"
    if not any("e" in look for look in looks):
        return repeat(float(half))
    return [float(f"{half}e{text.lower().partition('e')[2] or 0}") for text in texts]


_LOOKS = {int: _integers, bool: _truths, float: _reals}
