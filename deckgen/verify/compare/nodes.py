"""Comparison of a written value with an observed one, node by node.

Both sides are parsed by the same grammar. Where the observed text shows a tensor or an array whose live value is known,
elements are compared with that and not with the rounded text. Other runs, made with other random numbers and addresses,
tell what is volatile: there only kind and structure count. Every function raises `Differs` at the first difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.model.verdict import VerdictKind
from deckgen.verify.compare.arrays import (
    compare_data,
    integers,
    is_array,
    live,
    may_be_array,
    text_of,
    written_shape,
)
from deckgen.verify.compare.drawn import Impossible, check_number
from deckgen.verify.compare.findings import (
    Findings,
    argument,
    compare_classes,
    compare_devices,
    compare_names,
    literal,
    name_shown,
)  # fmt: skip
from deckgen.verify.compare.numbers import Differs, close_to_shown, integer, is_integer
from deckgen.written import (
    Address,
    Angle,
    Call,
    Dots,
    Group,
    Mark,
    Node,
    Number,
    Quoted,
    Row,
    Word,
)  # fmt: skip
from deckgen.written.values import is_device

Nodes = Sequence[Node]
POINTER = 1 << 16
"""Integers from here on may be addresses."""


def compare(claimed: Nodes, seen: Nodes, others: Sequence[Nodes], found: Findings) -> None:
    """Compare two rows of nodes. Raises `Differs` at the first difference; else see `found.word`.

    `others` are the same place in other runs; one that fell out of step is left out.
    """
    others = [one for one in others if len(one) == len(seen)]
    gap = next((at for at, one in enumerate(claimed) if isinstance(one, Dots)), None)
    if gap is not None and len(claimed) > 1:
        behind = len(claimed) - gap - 1
        if gap + behind > len(seen):
            raise Differs("more is shown around `...` than torch has")
        start = len(seen) - behind
        compare(claimed[:gap], seen[:gap], [one[:gap] for one in others], found)
        compare(claimed[gap + 1 :], seen[start:], [one[start:] for one in others], found)
        return
    if len(claimed) == len(seen):
        for at, (one, other) in enumerate(zip(claimed, seen, strict=True)):
            compare_nodes(one, other, [run[at] for run in others], found)
        return
    ours, theirs = _settings(claimed), _settings(seen)
    if ours is None or theirs is None or [key for key in theirs if key in ours] != [*ours]:
        raise Differs(_first_difference(claimed, seen))
    for key, value in ours.items():
        compare(value, theirs[key], (), found)
    found.note(VerdictKind.DRIFT_FORMAT, "shows more than when the notes were written")


def _settings(nodes: Nodes) -> dict[str, Nodes] | None:
    """The inside of an optimizer's repr, `Parameter Group 0 lr : 0.1 eps : 1e-08`, by key; torch adds keys over time."""
    colons = [at for at, node in enumerate(nodes) if node == Mark(":") and at]
    if len(colons) < 2:
        return None
    found: dict[str, Nodes] = {"": nodes[: colons[0] - 1]}
    for at, following in zip(colons, [*colons[1:], len(nodes) + 1], strict=True):
        found[f"{nodes[at - 1]}{len(found) if repr(nodes[at - 1]) in found else ''}"] = nodes[at + 1 : following - 1]
    return found


def _first_difference(claimed: Nodes, seen: Nodes) -> str:
    at = next((at for at, pair in enumerate(zip(claimed, seen, strict=False)) if pair[0] != pair[1]), None)
    if at is not None:
        return f"`{excerpt(claimed[at])}` claimed, torch shows `{excerpt(seen[at])}`"
    longer, which = (claimed, "claimed but not shown") if len(claimed) > len(seen) else (seen, "shown but not claimed")
    return f"`{excerpt(longer[min(len(claimed), len(seen))])}` is {which}"


def excerpt(node: Node) -> str:
    """A node for a message, 60 characters at most."""
    match node:
        case Quoted(text):
            text = f"'{text}'"
        case Call(_, _, text):
            text = " ".join(text[:200].split())
        case Row(texts):
            text = "[" + ", ".join(texts[:20]) + "]"
        case Angle(nodes):
            text = "<" + " ".join(map(excerpt, nodes[:20])) + ">"
        case Dots():
            text = "..."
        case Group(bracket, items):
            text = (
                bracket
                + ", ".join(" ".join(map(excerpt, item)) for item in items[:20])
                + {"(": ")", "[": "]"}.get(bracket, "}")
            )
        case _:
            text = text_of(node)
    return text if len(text) <= 60 else text[:57] + "..."


def compare_nodes(claimed: Node, seen: Node, others: Nodes, found: Findings) -> None:  # noqa: C901, PLR0912 - a table
    """Compare two nodes, by what they are; `others` is what other runs have in that place."""
    if claimed == seen and all(one == seen for one in others) and not found.unstable:
        if found.random and not others and isinstance(claimed, Number | Row | Call):
            found.note(VerdictKind.HOLDS_STRUCTURE)
        if isinstance(claimed, Address):
            found.addresses.pair(claimed.text, claimed.text)
        return
    if isinstance(seen, Call) and seen.name.startswith("np.") and isinstance(claimed, Number | Word | Quoted):
        compare_nodes(claimed, argument(seen), [*map(argument, others)], found)
        found.note(VerdictKind.DRIFT_FORMAT, "numpy shows the type of its scalars since 2.0")
        return
    if _is_its_shape(claimed, seen, found):
        return
    if is_array(seen, found) and may_be_array(claimed):
        _compare_arrays(claimed, seen, others, found)
        return
    match claimed, seen:
        case (Row() | Group(), Call("torch.Size")):
            ours, theirs = (
                Group("[", _as_group(one).items) for one in (claimed, argument(seen))
            )  # sizes are written in either bracket
            compare_nodes(ours, theirs, [Group("[", _as_group(argument(one)).items) for one in others], found)
        case (Row() | Group(), Call(name)) if name.startswith("torch.return_types."):
            compare_nodes(claimed, Group("(", tuple(_value_of(item) for item in seen.group.items)), (), found)
        case (Row(), Row()) if found.drawn and others:  # a list of numbers, of which some may be random
            compare_data(claimed, seen, None, [(None, one) for one in others], found, whole=True)
        case (Row() | Group(), Row() | Group()) if _as_group(claimed).bracket == _as_group(seen).bracket:
            _compare_items(_as_group(claimed), _as_group(seen), others, found)
        case (Call("device"), Call("device") | Word()) if is_device(name_shown(seen) or ""):
            compare_devices(name_shown(claimed) or "", name_shown(seen) or "", found)
            if isinstance(seen, Word):
                found.note(VerdictKind.DRIFT_FORMAT, "print shows the name of the device")
        case (Call(), Call()):
            compare_classes(claimed.name, seen.name, found)
            _compare_arguments(claimed, seen, others, found)
        case (Angle(), Angle()):
            cut = _without_address(claimed.nodes, seen.nodes)
            if cut is not None:
                found.note(VerdictKind.HOLDS_PATTERN)
            compare(
                claimed.nodes,
                seen.nodes if cut is None else cut,
                () if cut else [one.nodes for one in others if isinstance(one, Angle)],
                found,
            )
        case (Number(), Number()):
            _compare_numbers(claimed.text, seen.text, others, found)
        case (Address(), Address() | Number()):
            _pair(claimed.text, seen.text, found)
        case (Number(), Address()) if found.pointers:
            _pair(claimed.text, seen.text, found)
        case (Quoted(text), Number(other)) if text == other:
            pass
        case (Word() | Quoted(), _) if name_shown(seen) is not None:
            compare_names(name_shown(claimed) or "", name_shown(seen) or "", [*map(name_shown, others)], found)
        case (Mark(), Mark()) if found.unstable:
            pass  # a progress bar
        case _ if any(one != seen and type(claimed) is type(seen) is type(one) for one in others):
            found.note(VerdictKind.HOLDS_STRUCTURE)
        case _:
            raise Differs(f"`{excerpt(claimed)}` claimed, torch shows `{excerpt(seen)}`")


def _pair(claimed: str, seen: str, found: Findings) -> None:
    found.addresses.pair(claimed, seen)
    if claimed != seen or not is_integer(seen):
        found.note(VerdictKind.HOLDS_PATTERN)


def _without_address(claimed: Nodes, seen: Nodes) -> Nodes | None:
    """`<MulBackward0 object>` against `<MulBackward0 object at 0x7f>`: the observed nodes without what is left out."""
    if not isinstance(seen[-1], Address) or len(claimed) >= len(seen):
        return None
    shorter = (seen[:-2], seen[:-3], [*seen[:-3], *seen[-2:]])  # IPython writes `<torch._C.Generator at 0x7f>`
    same_end = isinstance(claimed[-1], Address)
    return next((one for one in shorter if len(one) == len(claimed) and isinstance(one[-1], Address) == same_end), None)


def _compare_numbers(claimed: str, seen: str, others: Nodes, found: Findings) -> None:
    drawn = [one.text for one in others if isinstance(one, Number)]
    volatile = any(text != seen for text in drawn)
    whole = is_integer(seen)
    if whole and is_integer(claimed) and min(abs(integer(claimed)), abs(integer(seen))) >= POINTER:
        if found.pointers or (volatile and not found.random):
            _pair(claimed, seen, found)
            return
    answer = close_to_shown(claimed, seen)
    if found.unstable or (found.random and not drawn):
        if answer == "same":
            return
        if not found.unstable and is_integer(claimed) != whole:
            raise Impossible(f"{claimed} claimed, torch says {seen}: another kind of number")
        found.note(VerdictKind.HOLDS_STRUCTURE)
    elif volatile:
        if found.drawn:
            check_number(claimed, [seen, *drawn], found.sample, few=found.few)
        elif whole != is_integer(claimed):
            raise Differs(f"{claimed} claimed, torch says {seen}: another kind of number")
        found.note(VerdictKind.HOLDS_STRUCTURE)
    elif answer == "far":
        raise Differs(f"{claimed} claimed, torch says {seen}")
    elif answer == "digits":
        found.note(VerdictKind.DRIFT_DIGITS, f"{claimed} claimed, torch says {seen}")


# --- brackets -----------------------------------------------------------------------------------------


def _as_group(node: Node | None) -> Group:
    if isinstance(node, Row):
        return Group("[", tuple((Number(text),) for text in node.texts))
    return node if isinstance(node, Group) else Group("", ())


def _is_its_shape(claimed: Node, seen: Node, found: Findings) -> bool:
    """True if ints in brackets are the shape of the tensor that is there: `# (2, 3)` beside a tensor."""
    value = live(seen, found) if isinstance(seen, Call) else None
    inside = argument(claimed) if isinstance(claimed, Call) and claimed.name == "torch.Size" else claimed
    texts = integers(inside) if value is not None and value.kind == "tensor" else None
    if value is None or texts is None or tuple(map(integer, texts)) != value.shape:
        return False
    if written_shape(inside) == value.shape and len(texts) == 1:
        return False  # `[1]` may be the one element
    found.shape = True
    return True


def _compare_items(claimed: Group, seen: Group, others: Nodes, found: Findings) -> None:
    ours, theirs = claimed.items, seen.items
    runs = [_as_group(one).items for one in others if isinstance(one, Row | Group)]
    if any(len(one) != len(theirs) for one in runs):
        found.note(VerdictKind.HOLDS_STRUCTURE)
        return
    if claimed.bracket == "{" and not any(map(_key_of, (*ours, *theirs))):
        theirs, runs = _in_order_of(ours, theirs, found), []
    gap = next((at for at, item in enumerate(ours) if len(item) == 1 and isinstance(item[0], Dots)), len(ours))
    shown = len(ours) - (gap < len(ours))
    if shown > len(theirs) or (shown < len(theirs) and gap == len(ours)):
        raise Differs(
            f"{shown} items " + ("claimed" if gap == len(ours) else "shown around `...`") + f", torch has {len(theirs)}"
        )
    for at, item in enumerate(ours):
        if at != gap:
            index = at if at < gap else at - len(ours) + len(theirs)
            compare(item, theirs[index], [run[index] for run in runs], found)


def _in_order_of(
    claimed: Sequence[Nodes], seen: Sequence[tuple[Node, ...]], found: Findings
) -> tuple[tuple[Node, ...], ...]:
    """The members of a set in the order of those that they meet; sets have no order."""
    left = list(seen)
    for at, item in enumerate(claimed[: len(seen)]):
        meeting = next((one for one in left[at:] if _meets(item, one, found)), None)
        if meeting is None:
            raise Differs("a claimed member of the set is not in it")
        left.remove(meeting)
        left.insert(at, meeting)
    return tuple(left)


def _meets(claimed: Nodes, seen: Nodes, found: Findings) -> bool:
    try:
        compare(claimed, seen, (), Findings(live=found.live))
    except Differs:
        return False
    return True


def _key_of(item: Nodes) -> str | None:
    """`bias` of `bias=True`; None for a positional item."""
    keyed = len(item) >= 3 and isinstance(item[1], Mark) and item[1].text in "=:"
    return item[0].text if keyed and isinstance(item[0], Word | Quoted | Number) else None


def _value_of(item: tuple[Node, ...]) -> tuple[Node, ...]:
    return item if _key_of(item) is None else item[2:]


def _compare_arguments(claimed: Call, seen: Call, others: Nodes, found: Findings) -> None:
    """What stands in the brackets of two reprs of one class; a class may show more arguments than it did."""
    ours, theirs = _arguments(claimed), _arguments(seen)
    runs = [_arguments(one) for one in others if isinstance(one, Call)]
    runs = [one for one in runs if len(one) == len(theirs)]
    if claimed.name == "OrderedDict" and excerpt(claimed)[:13] != excerpt(seen)[:13]:
        found.note(VerdictKind.DRIFT_FORMAT)
    if [*map(_key_of, ours)] == [*map(_key_of, theirs)]:
        for at, (one, two) in enumerate(zip(ours, theirs, strict=True)):
            compare(one, two, [run[at] for run in runs], found)
        return
    left = {_key_of(item) or at: item for at, item in enumerate(theirs)}
    for at, item in enumerate(ours):
        key = _key_of(item) or (at if at in left else next(iter(left), at))
        if key not in left:
            raise Differs(
                f"`{claimed.name}` is claimed to show `{key if isinstance(key, str) else 'more'}`, torch does not"
            )
        compare(_value_of(item), _value_of(left.pop(key)), (), found)
    if any(isinstance(key, int) for key in left) or not claimed.name[:1].isupper():
        raise Differs(f"`{seen.name}` shows more than is claimed")
    found.note(VerdictKind.DRIFT_FORMAT, f"`{seen.name}` prints its arguments otherwise now")


def _arguments(call: Call) -> tuple[tuple[Node, ...], ...]:
    """What stands in the brackets of a repr; of an `OrderedDict` its items: `([('a', 1)])` until Python 3.11, `({'a': 1})` since."""
    items = call.group.items
    inside = items[0][0] if len(items) == 1 and len(items[0]) == 1 else None
    if call.name != "OrderedDict" or not isinstance(inside, Group):
        return items
    pairs = [item[0].items if len(item) == 1 and isinstance(item[0], Group) else () for item in inside.items]
    return tuple(
        (*pair[0], Mark(":"), *pair[1]) if len(pair) == 2 else item
        for pair, item in zip(pairs, inside.items, strict=True)
    )


# --- arrays -------------------------------------------------------------------------------------------


def _compare_arrays(claimed: Node, seen: Node, others: Nodes, found: Findings) -> None:
    """A claimed literal, or an author's shorthand for one: its data, then `dtype=`, `device=`, `grad_fn=` and their like."""
    if isinstance(claimed, Call) and isinstance(seen, Call):
        compare_classes(claimed.name.replace("np.", "").replace("numpy.", ""), seen.name, Findings())
    (data, ours), (shown, theirs) = literal(claimed), literal(seen)
    runs = [*map(literal, others)]
    drawn = [
        (found.live_elsewhere.get(text_of(one)), repeated) for one, (repeated, _) in zip(others, runs, strict=True)
    ]
    value, whole = live(seen, found), isinstance(claimed, Call)
    if data is not None and shown is not None:
        compare_data(data, shown, value, drawn, found, whole=whole)
    elif data is not shown:
        raise Differs("the literal is claimed with other data")
    for name in [*ours, *(name for name in theirs if name not in ours)] if whole else []:
        one, other = ours.get(name), theirs.get(name)
        if one is None and name == "grad_fn" and found.beside_code and not ours:
            continue  # `print(y)  # tensor([2.])` is about the values
        if other is None and name == "dtype" and value and _text(one) == f"torch.{value.dtype}":
            found.note(VerdictKind.DRIFT_FORMAT, f"torch no longer shows {name}={_text(one)}")
        elif one != other:
            _compare_option(name, one, other, [options[name] for _, options in runs if name in options], found)


def _compare_option(
    name: str, one: Nodes | None, other: Nodes | None, others: Sequence[Nodes], found: Findings
) -> None:
    if name == "device":
        compare_devices(_text(one) or "cpu", _text(other) or "cpu", found)
    elif other is None:
        raise Differs(f"{name}={_text(one)} claimed, torch shows none")
    elif one is None:
        raise Differs(f"torch shows {name}={_text(other)}, which is not claimed")
    elif isinstance(one[0], Call):
        compare(one, other, others, found)
    else:
        try:
            compare(one, other, others, found)
        except Differs:
            raise Differs(f"{name}={_text(one)} claimed, torch says {_text(other)}") from None


def _text(nodes: Nodes | None) -> str:
    return " ".join(node.text if isinstance(node, Quoted) else excerpt(node) for node in nodes or ())
