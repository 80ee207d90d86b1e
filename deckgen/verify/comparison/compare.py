"""Comparison of a written value with an observed one, node by node.

Both sides are parsed by the same grammar. Where the observed text shows a tensor or an array whose
live value is known, elements are compared with that and not with the rounded text. A second run, made
with other random numbers and addresses, tells what is volatile: there only kind and structure count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from deckgen.model.verdict import Word as Verdict
from deckgen.verify import devices
from deckgen.verify.comparison import angles, arrays, leaves, literals, mappings
from deckgen.verify.comparison.brief import brief, part
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.numbers import Differs, integer
from deckgen.verify.comparison.values import written_shape
from deckgen.written import Address, Angle, Call, Dots, Group, Node, Number, Quoted, Row, Word

Nodes = Sequence[Node]


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
        part(claimed, seen, again, found)


def _drawn(claimed: Node, found: Findings) -> bool:
    return isinstance(claimed, Number | Row | Call) and found.random


def _row(claimed: Row, seen: Node, again: Node | None, found: Findings) -> None:
    if _shape_of(claimed, seen, found):
        return
    if isinstance(seen, Call) and seen.name == "torch.Size":
        inside = literals.argument(seen)
        node(claimed, inside, None if again is None else literals.argument(again), found)
    elif literals.is_array(seen, found):
        arrays.compare_array(claimed, seen, again, found)
    elif isinstance(seen, Row):
        _items([(Number(t),) for t in claimed.texts], [(Number(t),) for t in seen.texts], _row_items(again), found)
    elif isinstance(seen, Group) and seen.bracket == "[":
        _items([(Number(t),) for t in claimed.texts], seen.items, _row_items(again), found)
    else:
        part(claimed, seen, again, found)


def _row_items(other: Node | None) -> Sequence[Nodes] | None:
    if isinstance(other, Row):
        return [(Number(text),) for text in other.texts]
    return other.items if isinstance(other, Group) else None


def _angle(claimed: Angle, seen: Node, again: Node | None, found: Findings) -> None:
    if not isinstance(seen, Angle):
        part(claimed, seen, again, found)
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
        arrays.compare_array(claimed, seen, again, found)
        return
    if isinstance(seen, Call) and seen.name.startswith("torch.return_types."):
        values = Group("(", tuple(mappings.value_of(item) for item in seen.group.items))
        node(claimed, values, None, found)
        return
    if isinstance(seen, Row):
        seen = Group("[", tuple((Number(text),) for text in seen.texts))
    if not isinstance(seen, Group) or seen.bracket != claimed.bracket:
        part(claimed, seen, again, found)
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
        arrays.compare_array(claimed, seen, again, found)
        return
    if claimed.name == "torch.Size" and isinstance(seen, Call) and _shape_of(literals.argument(claimed), seen, found):
        return
    if not isinstance(seen, Call):
        part(claimed, seen, again, found)
        return
    if claimed.name == "device" and seen.name == "device":
        devices.compare_device(claimed, seen, found)
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
    found.shape = isinstance(claimed, Group) or value.shape != (len(texts),)
    return found.shape


_BY_KIND: dict[type, Callable[[Any, Node, Node | None, Findings], None]] = {
    Number: leaves.number,
    Row: _row,
    Word: leaves.word,
    Quoted: leaves.quoted,
    Address: leaves.address,
    Angle: _angle,
    Group: _group,
    Call: _call,
}
