"""Things with keys: keyword arguments of a repr, trees of modules, dicts, optimizers' `lr: 0.1` lines, sets.

A repr that gained an argument since the notes were written shows the same value in another format.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deckgen.model.verdict import Word as Verdict
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.numbers import Differs
from deckgen.written import Call, Group, Mark, Node, Number, Quoted, Word

Nodes = Sequence[Node]
Compare = Callable[[Nodes, Nodes, Nodes | None, Findings], None]


def key_of(item: Nodes) -> str | None:
    """`bias` of `bias=True`; None for a positional item."""
    keyed = len(item) >= 3 and isinstance(item[1], Mark) and item[1].text in "=:"
    return item[0].text if keyed and isinstance(item[0], Word | Quoted | Number) else None


def value_of(item: Nodes) -> tuple[Node, ...]:
    """What stands behind the key of an item, or the whole item."""
    return tuple(item[2:]) if key_of(item) is not None else tuple(item)


def has_keys(group: Group) -> bool:
    """True for a dict, False for a set."""
    return any(key_of(item) is not None for item in group.items)


def same_name(claimed: str, seen: str, found: Findings) -> bool:
    """True if two names of a repr mean the same class: `Size` and `torch.Size`."""
    if claimed.rsplit(".", 1)[-1] == seen.rsplit(".", 1)[-1]:
        found.note(Verdict.DRIFT_FORMAT, f"`{claimed}` now prints as `{seen}`")
        return True
    return False


def compare_arguments(
    claimed: Call, seen: Call, again: Sequence[Nodes] | None, found: Findings, compare: Compare
) -> None:
    """Compare what stands in the brackets of two reprs of one class."""
    ours, theirs = claimed.group.items, seen.group.items
    if again is not None and len(again) != len(theirs):
        again = None
    same = len(ours) == len(theirs) and [key_of(i) for i in ours] == [key_of(i) for i in theirs]
    if same and not (claimed.name == "OrderedDict" and _bracket(ours) != _bracket(theirs)):
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            compare(one, other, None if again is None else again[index], found)
        return
    if not claimed.name[:1].isupper() or "OrderedDict" in claimed.name:
        _ordered_dict(claimed, seen, found, compare)
        return
    _as_signature(claimed, seen, found, compare)


def _as_signature(claimed: Call, seen: Call, found: Findings, compare: Compare) -> None:
    """`Linear(2, 3)` or `Linear(in_features=2, out_features=3)` against today's `..., bias=True)`."""
    theirs = list(seen.group.items)
    by_key = {key_of(item): item for item in theirs if key_of(item) is not None}
    unused = list(theirs)
    for position, item in enumerate(claimed.group.items):
        key = key_of(item)
        other = by_key.get(key) if key is not None else (theirs[position] if position < len(theirs) else None)
        if other is None:
            raise Differs(f"`{claimed.name}` is claimed to show `{key or 'more'}`, torch does not")
        compare(value_of(item), value_of(other), None, found)
        if other in unused:
            unused.remove(other)
    if any(key_of(item) is None for item in unused):
        raise Differs(f"`{seen.name}` shows more than is claimed")
    found.note(Verdict.DRIFT_FORMAT, f"`{seen.name}` prints its arguments otherwise now")


def _ordered_dict(claimed: Call, seen: Call, found: Findings, compare: Compare) -> None:
    """`OrderedDict([('a', 1)])` until Python 3.11, `OrderedDict({'a': 1})` since."""
    if claimed.name == seen.name == "OrderedDict":
        ours, theirs = _pairs_of(claimed), _pairs_of(seen)
        if ours is not None and theirs is not None and len(ours) == len(theirs):
            for (key, value), (other_key, other_value) in zip(ours, theirs, strict=True):
                compare(key, other_key, None, found)
                compare(value, other_value, None, found)
            found.note(Verdict.DRIFT_FORMAT)
            return
    raise Differs(
        f"`{claimed.name}` is claimed with {len(claimed.group.items)} items, torch shows {len(seen.group.items)}"
    )


def _bracket(items: Sequence[Nodes]) -> str:
    return items[0][0].bracket if items and items[0] and isinstance(items[0][0], Group) else ""


def _pairs_of(call: Call) -> list[tuple[Nodes, Nodes]] | None:
    if len(call.group.items) != 1 or len(call.group.items[0]) != 1:
        return [] if not call.group.items else None
    inside = call.group.items[0][0]
    if not isinstance(inside, Group):
        return None
    if inside.bracket == "{":
        return [(item[:1], item[2:]) for item in inside.items]
    pairs = [item[0] for item in inside.items if len(item) == 1]
    return [(p.items[0], p.items[1]) for p in pairs if isinstance(p, Group) and len(p.items) == 2]


def compare_sets(claimed: Group, seen: Group, again: Sequence[Nodes] | None, found: Findings, compare: Compare) -> None:
    """Sets have no order: each claimed member must meet another observed one."""
    if len(claimed.items) != len(seen.items):
        raise Differs(f"{len(claimed.items)} members claimed, torch has {len(seen.items)}")
    left = list(seen.items)
    for item in claimed.items:
        partner = next((other for other in left if _meets(item, other, found, compare)), None)
        if partner is None:
            raise Differs("a claimed member of the set is not in it")
        left.remove(partner)


def _meets(item: Nodes, other: Nodes, found: Findings, compare: Compare) -> bool:
    trial = Findings(live=found.live)
    try:
        compare(item, other, None, trial)
    except Differs:
        return False
    return True


# --- `lr: 0.01` lines, without commas ---------------------------------------------------------------


def looks_paired(nodes: Nodes) -> bool:
    """True for the inside of an optimizer's repr: words, colons and values, no commas."""
    return sum(1 for node in nodes if node == Mark(":")) >= 2


def compare_pairs(claimed: Nodes, seen: Nodes, again: Nodes | None, found: Findings, compare: Compare) -> None:
    """Compare `key: value` runs; keys that torch added since are a drift of format."""
    ours, theirs = _keyed(claimed), _keyed(seen)
    if ours is None or theirs is None:
        raise Differs("what is claimed and what torch shows have different parts")
    for key, value in ours.items():
        if key not in theirs:
            raise Differs(f"`{key}` is claimed, torch does not show it")
        compare(value, theirs[key], None, found)
    order = [key for key in theirs if key in ours]
    if order != list(ours):
        raise Differs("the parts are claimed in another order")
    found.note(Verdict.DRIFT_FORMAT, "shows more than when the notes were written")


def _keyed(nodes: Nodes) -> dict[str, tuple[Node, ...]] | None:
    """`Parameter Group 0 lr : 0.1 ...` as a dict; words before the first key are a key of their own."""
    colons = [at for at, node in enumerate(nodes) if node == Mark(":") and at]
    if not colons:
        return None
    keyed: dict[str, tuple[Node, ...]] = {"": tuple(nodes[: colons[0] - 1])}
    for at, following in zip(colons, [*colons[1:], len(nodes) + 1], strict=True):
        name = nodes[at - 1]
        key = repr(name)
        while key in keyed:
            key += "'"
        keyed[key] = tuple(nodes[at + 1 : following - 1])
    return keyed
