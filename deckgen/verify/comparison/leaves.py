"""Comparison of single values: numbers, words, strings, addresses."""

from __future__ import annotations

import re

from deckgen.model.verdict import Word as Verdict
from deckgen.text.pattern import pattern
from deckgen.verify import devices
from deckgen.verify.comparison import angles, arrays, literals
from deckgen.verify.comparison.brief import part
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.numbers import Differs, close, integer, real, unit, written_as_integer
from deckgen.written import Address, Angle, Call, Node, Number, Quoted, Row, Word
from deckgen.written.values import is_device

POINTER = 1 << 16
"""Integers from here on may be addresses."""
_UNITS = frozenset(["ns", "us", "µs", "μs", "ms", "s", "B", "KB", "MB", "GB", "KiB", "MiB", "GiB"])


def number(claimed: Number, seen: Node, again: Node | None, found: Findings) -> None:
    if isinstance(seen, Call | Row) and literals.is_array(seen, found):
        arrays.compare_array(claimed, seen, again, found)
        return
    if isinstance(seen, Address) and found.pointers:
        found.bonds.tie(claimed.text, seen.text)
        found.note(Verdict.HOLDS_PATTERN)
        return
    if not isinstance(seen, Number):
        part(claimed, seen, again, found)
        return
    volatile = isinstance(again, Number) and again.text != seen.text
    if _pointer(claimed, seen, volatile, found):
        found.bonds.tie(claimed.text, seen.text)
        if claimed.text != seen.text:
            found.note(Verdict.HOLDS_PATTERN)
        return
    answer = _numbers_meet(claimed.text, seen.text)
    counted = found.unset and again is not None and not volatile and written_as_integer(seen.text)
    if volatile or (found.unstable and not counted) or (found.random and again is None):
        _volatile_number(claimed.text, seen.text, answer, volatile, found)
    elif answer == "far":
        raise Differs(f"{claimed.text} claimed, torch says {seen.text}")
    elif answer == "digits":
        found.note(Verdict.DRIFT_DIGITS, f"{claimed.text} claimed, torch says {seen.text}")


def _volatile_number(claimed: str, seen: str, answer: str, volatile: bool, found: Findings) -> None:
    if answer == "same" and not volatile:
        return
    if not volatile and not found.unstable and written_as_integer(seen):
        raise Differs(f"{claimed} claimed, torch says {seen}")
    if written_as_integer(claimed) != written_as_integer(seen) and not found.unstable:
        raise Differs(f"{claimed} claimed, torch says {seen}: another kind of number")
    found.note(Verdict.HOLDS_STRUCTURE)


def _numbers_meet(claimed: str, seen: str) -> str:
    if claimed.endswith("…") and written_as_integer(seen):
        claimed = claimed.rstrip("…")
    if claimed == seen:
        return "same"
    if claimed.endswith("j") or seen.endswith("j"):
        return "far"
    if written_as_integer(claimed) != written_as_integer(seen):
        return "far"
    if written_as_integer(seen):
        return "same" if integer(claimed) == integer(seen) else "far"
    value = real(seen)
    return close(claimed, value, *_tolerance(seen, value))


def _tolerance(seen: str, value: float) -> tuple[float, float]:
    """Printed numbers: those that show a float32 in full (`0.3333333432674408`) get its tolerance."""
    digits = len(seen.strip("+-").replace(".", "").lstrip("0").split("e")[0])
    return (1.3e-6, 1e-5) if digits >= 15 and literals.is_float32(value) else (1e-8, 1e-7 if unit(seen) else 0.0)


def _pointer(claimed: Number, seen: Number, volatile: bool, found: Findings) -> bool:
    """True for two integers that are addresses: the source asks for some, or both runs differ in them."""
    if not (written_as_integer(claimed.text) and written_as_integer(seen.text)):
        return False
    large = min(abs(integer(claimed.text)), abs(integer(seen.text))) >= POINTER
    return large and (found.pointers or (volatile and not found.random))


def word(claimed: Word, seen: Node, again: Node | None, found: Findings) -> None:
    if isinstance(seen, Call) and literals.is_array(seen, found) and claimed.text in ("True", "False"):
        arrays.compare_array(claimed, seen, again, found)
        return
    if isinstance(seen, Quoted) and seen.text == claimed.text:
        return
    if isinstance(seen, Call) and seen.name == "dtype" and literals.argument(seen) == Quoted(claimed.text):
        return  # numpy's
    if isinstance(seen, Call) and seen.name == "device" and is_device(claimed.text):
        devices.devices_meet(claimed.text, devices.device_name(seen), found)
        return
    if isinstance(seen, Call) and _is_storage(claimed.text, seen):
        found.note(Verdict.DRIFT_FORMAT, f"`{claimed.text}` prints as `{seen.text}`")
        return
    if isinstance(seen, Angle) and angles.class_name(seen.nodes) == claimed.text:
        return  # as IPython shows a class
    if not isinstance(seen, Word):
        part(claimed, seen, again, found)
        return
    volatile = isinstance(again, Word) and again.text != seen.text
    if volatile or (found.unstable and _same_unit(claimed.text, seen.text)):
        found.note(Verdict.HOLDS_STRUCTURE)
    elif not _words_meet(claimed.text, seen.text, found):
        raise Differs(f"`{claimed.text}` claimed, torch says `{seen.text}`")


def _is_storage(claimed: str, seen: Call) -> bool:
    """`torch.FloatStorage` and `torch.storage.TypedStorage(dtype=torch.float32, ...)`, as torch 2 calls it."""
    kind = _STORAGE.fullmatch(claimed)
    dtype = _ALIASES.get(f"torch.{kind[1].lower()}") if kind else None
    return dtype is not None and seen.name.endswith("TypedStorage") and f"dtype={dtype}," in seen.text


_STORAGE = pattern(r"torch\.(\w+)Storage")


def _words_meet(claimed: str, seen: str, found: Findings) -> bool:
    """True if two words are one, or two names of one thing."""
    if _SYMBOL.fullmatch(claimed) and _SYMBOL.fullmatch(seen):
        found.bonds.tie(claimed, seen)
        found.note(Verdict.HOLDS_PATTERN)
        return True
    if claimed == seen:
        return True
    if is_device(claimed) and is_device(seen):
        devices.devices_meet(claimed, seen, found)
        return True
    if seen.startswith("torch.") and f"torch.{claimed}" == seen:
        return True
    if _ALIASES.get(claimed) == seen:
        found.note(Verdict.DRIFT_FORMAT, f"`{claimed}` prints as `{seen}`")
        return True
    if angles.grad_fn_names_meet(claimed, seen):
        found.note(Verdict.DRIFT_FORMAT, f"`{claimed}` is now called `{seen}`")
        return True
    return False


_ALIASES = {
    "torch.long": "torch.int64", "torch.int": "torch.int32", "torch.short": "torch.int16",
    "torch.float": "torch.float32", "torch.double": "torch.float64", "torch.half": "torch.float16",
    "torch.cfloat": "torch.complex64", "torch.cdouble": "torch.complex128",
}  # fmt: skip


_SYMBOL = pattern(r"[jsu]\d+")
"""Sizes that torch only knows by a running number: `torch.Size([3, j4])` of a nested tensor."""


def _same_unit(claimed: str, seen: str) -> bool:
    """`589.35it` and `12.1it`, `us` and `ms`."""
    if claimed in _UNITS and seen in _UNITS:
        return True
    masked = re.sub(r"[\d.]+", "#", claimed), re.sub(r"[\d.]+", "#", seen)
    return masked[0] == masked[1] and "#" in masked[0]


def quoted(claimed: Quoted, seen: Node, again: Node | None, found: Findings) -> None:
    text = seen.text if isinstance(seen, Quoted | Word | Number) else None
    if text is not None and angles.unescaped(text) == angles.unescaped(claimed.text):
        return
    if isinstance(seen, Call) and seen.name == "device" and is_device(claimed.text):
        devices.devices_meet(claimed.text, devices.device_name(seen), found)
        return
    part(claimed, seen, again, found)


def address(claimed: Address, seen: Node, again: Node | None, found: Findings) -> None:
    if not isinstance(seen, Address | Number):
        part(claimed, seen, again, found)
        return
    found.bonds.tie(claimed.text, seen.text)
    found.note(Verdict.HOLDS_PATTERN)
