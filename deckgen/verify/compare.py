"""Comparison of a written value with an observed one, node by node.

Both sides are parsed by the same grammar. Where the observed text shows a tensor or an array whose
live value is known, elements are compared with that and not with the rounded text. A second run, made
with other random numbers and addresses, tells what is volatile: there only kind and structure count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from deckgen.verdict import Word as Verdict
from deckgen.verify import angles, literals, mappings
from deckgen.verify.findings import Findings
from deckgen.verify.numbers import Differs, close, integer, real, unit, written_as_integer
from deckgen.verify.values import written_shape
from deckgen.written import Address, Angle, Call, Dots, Group, Mark, Node, Number, Quoted, Row, Word, is_device

Nodes = Sequence[Node]
POINTER = 1 << 16
"""Integers from here on may be addresses."""
_UNITS = frozenset(["ns", "us", "µs", "μs", "ms", "s", "B", "KB", "MB", "GB", "KiB", "MiB", "GiB"])


def compare(claimed: Nodes, seen: Nodes, again: Nodes | None, found: Findings) -> None:
    """Compare two runs of nodes. Raises `Differs` at the first difference; else see `found.word`.

    `again` is the same place in the second run; None if there was none, or if it fell out of step.
    """
    if again is not None and len(again) != len(seen):
        again = None
    if any(isinstance(node, Dots) for node in claimed) and len(claimed) > 1:
        _elided(claimed, seen, again, found)
        return
    if len(claimed) != len(seen):
        if mappings.looks_paired(claimed) and mappings.looks_paired(seen):
            mappings.compare_pairs(claimed, seen, again, found, compare)
            return
        raise Differs(_length(claimed, seen))
    for index, (one, other) in enumerate(zip(claimed, seen, strict=True)):
        node(one, other, None if again is None else again[index], found)


def _length(claimed: Nodes, seen: Nodes) -> str:
    longer, word = (claimed, "claimed but not shown") if len(claimed) > len(seen) else (seen, "shown but not claimed")
    short = min(len(claimed), len(seen))
    at = next((i for i in range(short) if claimed[i] != seen[i]), short)
    if at < short:
        return f"`{brief(claimed[at])}` claimed, torch shows `{brief(seen[at])}`"
    return f"`{brief(longer[at])}` is {word}"


def _elided(claimed: Nodes, seen: Nodes, again: Nodes | None, found: Findings) -> None:
    """`a ... z`: what the author left out may be anything; what is shown must be there, in order."""
    gap = next(i for i, one in enumerate(claimed) if isinstance(one, Dots))
    behind = len(claimed) - gap - 1
    if gap + behind > len(seen):
        raise Differs("more is shown around `...` than torch has")
    compare(claimed[:gap], seen[:gap], again and again[:gap], found)
    if behind:
        compare(claimed[gap + 1 :], seen[-behind:], again and again[-behind:], found)


def node(claimed: Node, seen: Node, again: Node | None, found: Findings) -> None:
    """Compare two nodes; the cheap cases first."""
    if claimed == seen and (again is None or again == seen) and not found.unstable:
        if found.random and again is None and _drawn(claimed, found):
            found.note(Verdict.HOLDS_STRUCTURE)
        if isinstance(claimed, Address):
            found.bonds.tie(claimed.text, claimed.text)
        return
    inside = literals.numpy_scalar(seen)
    if inside is not None and isinstance(claimed, Number | Word | Quoted):
        node(claimed, inside, literals.numpy_scalar(again), found)
        found.note(Verdict.DRIFT_FORMAT, "numpy shows the type of its scalars since 2.0")
        return
    compare_kind = _BY_KIND.get(type(claimed))
    if compare_kind is not None:
        compare_kind(claimed, seen, again, found)
    elif claimed != seen:
        _other(claimed, seen, again, found)


def _drawn(claimed: Node, found: Findings) -> bool:
    return isinstance(claimed, Number | Row | Call) and found.random


def _other(claimed: Node, seen: Node, again: Node | None, found: Findings) -> None:
    """Marks, dots, and kinds that do not meet."""
    if again is not None and again != seen and type(claimed) is type(seen) is type(again):
        found.note(Verdict.HOLDS_STRUCTURE)
        return
    if found.unstable and isinstance(claimed, Mark) and isinstance(seen, Mark):
        return  # a progress bar
    raise Differs(f"`{brief(claimed)}` claimed, torch shows `{brief(seen)}`")


# --- leaves -----------------------------------------------------------------------------------------


def _number(claimed: Number, seen: Node, again: Node | None, found: Findings) -> None:
    if isinstance(seen, Call | Row) and literals.is_array(seen, found):
        literals.compare_array(claimed, seen, again, found)
        return
    if isinstance(seen, Address) and found.pointers:
        found.bonds.tie(claimed.text, seen.text)
        found.note(Verdict.HOLDS_PATTERN)
        return
    if not isinstance(seen, Number):
        _other(claimed, seen, again, found)
        return
    volatile = isinstance(again, Number) and again.text != seen.text
    if _pointer(claimed, seen, volatile, found):
        found.bonds.tie(claimed.text, seen.text)
        if claimed.text != seen.text:
            found.note(Verdict.HOLDS_PATTERN)
        return
    answer = _numbers_meet(claimed.text, seen.text)
    if volatile or found.unstable or (found.random and again is None):
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
    return (1.3e-6, 1e-5) if digits >= 15 and literals.is_float32(value) else (1e-7, 1e-7 if unit(seen) else 0.0)


def _pointer(claimed: Number, seen: Number, volatile: bool, found: Findings) -> bool:
    """True for two integers that are addresses: the source asks for some, or both runs differ in them."""
    if not (written_as_integer(claimed.text) and written_as_integer(seen.text)):
        return False
    large = min(abs(integer(claimed.text)), abs(integer(seen.text))) >= POINTER
    return large and (found.pointers or (volatile and not found.random))


def _row(claimed: Row, seen: Node, again: Node | None, found: Findings) -> None:
    if _shape_of(claimed, seen, found):
        return
    if isinstance(seen, Call) and seen.name == "torch.Size":
        inside = literals.argument(seen)
        node(claimed, inside, None if again is None else literals.argument(again), found)
    elif literals.is_array(seen, found):
        literals.compare_array(claimed, seen, again, found)
    elif isinstance(seen, Row):
        _items([(Number(t),) for t in claimed.texts], [(Number(t),) for t in seen.texts], _row_items(again), found)
    elif isinstance(seen, Group) and seen.bracket == "[":
        _items([(Number(t),) for t in claimed.texts], seen.items, _row_items(again), found)
    else:
        _other(claimed, seen, again, found)


def _row_items(other: Node | None) -> Sequence[Nodes] | None:
    if isinstance(other, Row):
        return [(Number(text),) for text in other.texts]
    return other.items if isinstance(other, Group) else None


def _word(claimed: Word, seen: Node, again: Node | None, found: Findings) -> None:
    if isinstance(seen, Call) and literals.is_array(seen, found) and claimed.text in ("True", "False"):
        literals.compare_array(claimed, seen, again, found)
        return
    if isinstance(seen, Quoted) and seen.text == claimed.text:
        return
    if not isinstance(seen, Word):
        _other(claimed, seen, again, found)
        return
    volatile = isinstance(again, Word) and again.text != seen.text
    if claimed.text == seen.text:
        if volatile:
            found.note(Verdict.HOLDS_STRUCTURE)
        return
    if volatile or (found.unstable and _same_unit(claimed.text, seen.text)):
        found.note(Verdict.HOLDS_STRUCTURE)
        return
    if is_device(claimed.text) and is_device(seen.text):
        literals.devices_meet(claimed.text, seen.text, found)
        return
    if _ALIASES.get(claimed.text) == seen.text:
        found.note(Verdict.DRIFT_FORMAT, f"`{claimed.text}` prints as `{seen.text}`")
        return
    if angles.grad_fn_names_meet(claimed.text, seen.text):
        found.note(Verdict.DRIFT_FORMAT, f"`{claimed.text}` is now called `{seen.text}`")
        return
    raise Differs(f"`{claimed.text}` claimed, torch says `{seen.text}`")


_ALIASES = {
    "torch.long": "torch.int64", "torch.int": "torch.int32", "torch.short": "torch.int16",
    "torch.float": "torch.float32", "torch.double": "torch.float64", "torch.half": "torch.float16",
    "torch.cfloat": "torch.complex64", "torch.cdouble": "torch.complex128",
}  # fmt: skip


def _same_unit(claimed: str, seen: str) -> bool:
    """`589.35it` and `12.1it`, `us` and `ms`."""
    if claimed in _UNITS and seen in _UNITS:
        return True
    masked = re.sub(r"[\d.]+", "#", claimed), re.sub(r"[\d.]+", "#", seen)
    return masked[0] == masked[1] and "#" in masked[0]


def _quoted(claimed: Quoted, seen: Node, again: Node | None, found: Findings) -> None:
    text = seen.text if isinstance(seen, Quoted | Word | Number) else None
    if text is not None and angles.unescaped(text) == angles.unescaped(claimed.text):
        return
    _other(claimed, seen, again, found)


def _address(claimed: Address, seen: Node, again: Node | None, found: Findings) -> None:
    if not isinstance(seen, Address | Number):
        _other(claimed, seen, again, found)
        return
    found.bonds.tie(claimed.text, seen.text)
    found.note(Verdict.HOLDS_PATTERN)


def _angle(claimed: Angle, seen: Node, again: Node | None, found: Findings) -> None:
    if not isinstance(seen, Angle):
        _other(claimed, seen, again, found)
        return
    shortened = angles.without_address(claimed.nodes, seen.nodes)
    if shortened is not None:
        found.note(Verdict.HOLDS_PATTERN)
        compare(claimed.nodes, shortened, None, found)
        return
    compare(claimed.nodes, seen.nodes, again.nodes if isinstance(again, Angle) else None, found)


# --- brackets ---------------------------------------------------------------------------------------


def _group(claimed: Group, seen: Node, again: Node | None, found: Findings) -> None:
    if _shape_of(claimed, seen, found):
        return
    if isinstance(seen, Call) and seen.name == "torch.Size":
        inside = literals.argument(seen)
        row = literals.as_row(claimed)
        node(row, inside, None if again is None else literals.argument(again), found)
        return
    if literals.is_array(seen, found) and claimed.bracket == "[":
        literals.compare_array(claimed, seen, again, found)
        return
    if isinstance(seen, Call) and seen.name.startswith("torch.return_types."):
        values = Group("(", tuple(mappings.value_of(item) for item in seen.group.items))
        node(claimed, values, None, found)
        return
    if isinstance(seen, Row):
        seen = Group("[", tuple((Number(text),) for text in seen.texts))
    if not isinstance(seen, Group) or seen.bracket != claimed.bracket:
        _other(claimed, seen, again, found)
        return
    other = _row_items(again)
    if claimed.bracket == "{" and not mappings.has_keys(claimed) and not mappings.has_keys(seen):
        mappings.compare_sets(claimed, seen, other, found, compare)
    else:
        _items(claimed.items, seen.items, other, found)


def _items(claimed: Sequence[Nodes], seen: Sequence[Nodes], again: Sequence[Nodes] | None, found: Findings) -> None:
    if again is not None and len(again) != len(seen):
        found.note(Verdict.HOLDS_STRUCTURE)
        return
    gap = next((i for i, item in enumerate(claimed) if len(item) == 1 and isinstance(item[0], Dots)), None)
    if gap is None:
        if len(claimed) != len(seen):
            raise Differs(f"{len(claimed)} items claimed, torch has {len(seen)}")
        pairs = list(enumerate(claimed))
    else:
        behind = len(claimed) - gap - 1
        if gap + behind > len(seen):
            raise Differs(f"{len(claimed) - 1} items shown around `...`, torch has {len(seen)}")
        pairs = [*enumerate(claimed[:gap]), *((len(seen) - behind + i, c) for i, c in enumerate(claimed[gap + 1 :]))]
    for index, item in pairs:
        compare(item, seen[index], None if again is None else again[index], found)


def _call(claimed: Call, seen: Node, again: Node | None, found: Findings) -> None:
    if literals.is_array(seen, found) and literals.is_array_name(claimed.name):
        literals.compare_array(claimed, seen, again, found)
        return
    if claimed.name == "torch.Size" and isinstance(seen, Call) and _shape_of(literals.argument(claimed), seen, found):
        return
    if not isinstance(seen, Call):
        _other(claimed, seen, again, found)
        return
    if claimed.name == "device" and seen.name == "device":
        literals.compare_device(claimed, seen, found)
        return
    if claimed.name != seen.name and not mappings.same_name(claimed.name, seen.name, found):
        raise Differs(f"`{claimed.name}` claimed, torch shows `{seen.name}`")
    other = again.group.items if isinstance(again, Call) else None
    mappings.compare_arguments(claimed, seen, other, found, compare)


def _shape_of(claimed: Node, seen: Node, found: Findings) -> bool:
    """True if ints in brackets are the shape of the tensor that is there: `# (2, 3)` beside a tensor."""
    value = literals.live(seen, found) if isinstance(seen, Call) else None
    if value is None or value.kind != "tensor" or value.shape is None:
        return False
    texts = literals.integers(claimed)
    if texts is None or tuple(map(integer, texts)) != value.shape:
        return False
    if written_shape(claimed) == value.shape and len(value.shape) == 1:
        return False  # `[2]` may be the value of a tensor with two... one element: compare it as such
    return isinstance(claimed, Group) or value.shape != (len(texts),)


def brief(thing: Node) -> str:
    """A node for a message, 60 characters at most."""
    shown = _plain(thing)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _plain(thing: Node) -> str:
    match thing:
        case Number(text) | Word(text) | Address(text) | Mark(text):
            return text
        case Quoted(text):
            return f"'{text}'"
        case Row(texts):
            return "[" + ", ".join(texts[:20]) + "]"
        case Call(_, _, text):
            return " ".join(text[:200].split())
        case Angle(nodes):
            return "<" + " ".join(map(_plain, nodes)) + ">"
        case Dots():
            return "..."
        case Group(bracket, items):
            inside = ", ".join(" ".join(map(_plain, item)) for item in items[:20])
            return bracket + inside + _CLOSED[bracket]


_CLOSED = {"(": ")", "[": "]", "{": "}"}
_BY_KIND: dict[type, Callable[[Any, Node, Node | None, Findings], None]] = {
    Number: _number,
    Row: _row,
    Word: _word,
    Quoted: _quoted,
    Address: _address,
    Angle: _angle,
    Group: _group,
    Call: _call,
}
