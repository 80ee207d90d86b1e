"""Literals as nodes: what they hold, and which live object they show."""

from __future__ import annotations

import struct

from deckgen.model.observation import Value
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.numbers import written_as_integer
from deckgen.written import Call, Group, Node, Number, Row

_ARRAYS = frozenset({"tensor", "array", "np.array", "torch.tensor", "numpy.array"})


def is_array_name(name: str) -> bool:
    return name in _ARRAYS


def is_array(node: Node, found: Findings) -> bool:
    """True if an observed node shows a tensor or an array."""
    if isinstance(node, Call):
        return is_array_name(node.name)
    return isinstance(node, Row | Group) and live(node, found) is not None


def live(node: Node, found: Findings) -> Value | None:
    """The object that an observed literal shows, if it was described."""
    return found.live.get(key(node))


def key(node: Node) -> str:
    """The text of a literal without blanks; for brackets, as numpy's `str` writes them."""
    if isinstance(node, Call):
        return "".join(node.text.split())
    return flat(node)


def flat(node: Node) -> str:
    """Brackets of numbers as one text without blanks and with commas."""
    if isinstance(node, Row):
        return "[" + ",".join(node.texts) + "]"
    if isinstance(node, Group):
        return node.bracket + ",".join(flat(item[0]) if len(item) == 1 else "?" for item in node.items) + "]"
    return getattr(node, "text", "?")


def argument(node: Node) -> Node:
    """The bracket inside `torch.Size([2, 3])`."""
    if isinstance(node, Call) and len(node.group.items) == 1 and len(node.group.items[0]) == 1:
        return node.group.items[0][0]
    return Group("[", ())


def numpy_scalar(node: Node | None) -> Node | None:
    """`1.5` of `np.float64(1.5)`."""
    return argument(node) if isinstance(node, Call) and node.name.startswith("np.") and node.group.items else None


def integers(node: Node) -> tuple[str, ...] | None:
    """The texts of a bracket that holds nothing but integers."""
    if isinstance(node, Row):
        texts = node.texts
    elif isinstance(node, Group) and all(len(i) == 1 and isinstance(i[0], Number) for i in node.items):
        texts = tuple(item[0].text for item in node.items if isinstance(item[0], Number))
    else:
        return None
    return texts if all(map(written_as_integer, texts)) else None


def as_row(group: Group) -> Node:
    """`(2, 3)` as `[2, 3]`: shapes are written in either bracket."""
    texts = integers(group)
    if texts is None:
        return group
    return Row(texts) if texts else Group("[", ())


def is_float32(value: float) -> bool:
    """True if a Python float holds exactly what a float32 can."""
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except (OverflowError, struct.error):
        return False
