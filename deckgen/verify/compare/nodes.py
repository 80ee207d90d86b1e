"""Comparison of a written value with an observed one, node by node.

Both sides are parsed by the same grammar. Where the observed text shows a tensor or an array whose live value is known,
elements are compared with that and not with the rounded text. A second run, made with other random numbers and addresses,
tells what is volatile: there only kind and structure count. Every function raises `Differs` at the first difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from deckgen.model.claim import PRINTED, Claim
from deckgen.model.observation import Value
from deckgen.model.verdict import VerdictKind
from deckgen.text.pattern import pattern
from deckgen.verify.compare.arrays import (
    compare_data,
    integers,
    is_array,
    live,
    may_be_array,
    text_of,
    written_shape,
)
from deckgen.verify.compare.findings import (
    Findings,
    Shown,
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
    cut_off,
    half_width,
    parse,
)  # fmt: skip
from deckgen.written.values import is_value

Nodes = Sequence[Node]
POINTER = 1 << 16
"""Integers from here on may be addresses."""


def compare(claimed: Nodes, seen: Nodes, again: Nodes | None, found: Findings) -> None:
    """Compare two runs of nodes. Raises `Differs` at the first difference; else see `found.word`.

    `again` is the same place in the second run; None if there was none, or if it fell out of step.
    """
    if again is not None and len(again) != len(seen):
        again = None
    gap = next((at for at, one in enumerate(claimed) if isinstance(one, Dots)), None)
    if gap is not None and len(claimed) > 1:
        behind = len(claimed) - gap - 1
        if gap + behind > len(seen):
            raise Differs("more is shown around `...` than torch has")
        compare(claimed[:gap], seen[:gap], again and again[:gap], found)
        compare(claimed[gap + 1 :], seen[len(seen) - behind :], again and again[len(seen) - behind :], found)
        return
    if len(claimed) == len(seen):
        for at, (one, other) in enumerate(zip(claimed, seen, strict=True)):
            compare_nodes(one, other, None if again is None else again[at], found)
        return
    ours, theirs = _settings(claimed), _settings(seen)
    if ours is None or theirs is None or [key for key in theirs if key in ours] != [*ours]:
        raise Differs(_first_difference(claimed, seen))
    for key, value in ours.items():
        compare(value, theirs[key], None, found)
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
        return f"`{brief(claimed[at])}` claimed, torch shows `{brief(seen[at])}`"
    longer, which = (claimed, "claimed but not shown") if len(claimed) > len(seen) else (seen, "shown but not claimed")
    return f"`{brief(longer[min(len(claimed), len(seen))])}` is {which}"


def brief(node: Node) -> str:
    """A node for a message, 60 characters at most."""
    match node:
        case Quoted(text):
            text = f"'{text}'"
        case Call(_, _, text):
            text = " ".join(text[:200].split())
        case Row(texts):
            text = "[" + ", ".join(texts[:20]) + "]"
        case Angle(nodes):
            text = "<" + " ".join(map(brief, nodes[:20])) + ">"
        case Dots():
            text = "..."
        case Group(bracket, items):
            text = (
                bracket
                + ", ".join(" ".join(map(brief, item)) for item in items[:20])
                + {"(": ")", "[": "]"}.get(bracket, "}")
            )
        case _:
            text = text_of(node)
    return text if len(text) <= 60 else text[:57] + "..."


def compare_nodes(claimed: Node, seen: Node, again: Node | None, found: Findings) -> None:  # noqa: C901, PLR0912 - a table
    """Compare two nodes, by what they are."""
    if claimed == seen and (again is None or again == seen) and not found.unstable:
        if found.random and again is None and isinstance(claimed, Number | Row | Call):
            found.note(VerdictKind.HOLDS_STRUCTURE)
        if isinstance(claimed, Address):
            found.addresses.pair(claimed.text, claimed.text)
        return
    if isinstance(seen, Call) and seen.name.startswith("np.") and isinstance(claimed, Number | Word | Quoted):
        compare_nodes(claimed, argument(seen), again and argument(again), found)
        found.note(VerdictKind.DRIFT_FORMAT, "numpy shows the type of its scalars since 2.0")
        return
    if _is_its_shape(claimed, seen, found):
        return
    if is_array(seen, found) and may_be_array(claimed):
        _compare_arrays(claimed, seen, again, found)
        return
    match claimed, seen:
        case (Row() | Group(), Call("torch.Size")):
            ours, theirs = (
                Group("[", _as_group(one).items) for one in (claimed, argument(seen))
            )  # sizes are written in either bracket
            compare_nodes(ours, theirs, again and _as_group(argument(again)), found)
        case (Row() | Group(), Call(name)) if name.startswith("torch.return_types."):
            compare_nodes(claimed, Group("(", tuple(_value_of(item) for item in seen.group.items)), None, found)
        case (Row() | Group(), Row() | Group()) if _as_group(claimed).bracket == _as_group(seen).bracket:
            _compare_items(_as_group(claimed), _as_group(seen), again, found)
        case (Call("device"), Call("device")):
            compare_devices(name_shown(claimed) or "", name_shown(seen) or "", found)
        case (Call(), Call()):
            compare_classes(claimed.name, seen.name, found)
            _compare_arguments(claimed, seen, again, found)
        case (Angle(), Angle()):
            cut = _without_address(claimed.nodes, seen.nodes)
            if cut is not None:
                found.note(VerdictKind.HOLDS_PATTERN)
            compare(
                claimed.nodes,
                seen.nodes if cut is None else cut,
                again.nodes if isinstance(again, Angle) and not cut else None,
                found,
            )
        case (Number(), Number()):
            _compare_numbers(claimed.text, seen.text, again, found)
        case (Address(), Address() | Number()):
            _pair(claimed.text, seen.text, found)
        case (Number(), Address()) if found.pointers:
            _pair(claimed.text, seen.text, found)
        case (Quoted(text), Number(other)) if text == other:
            pass
        case (Word() | Quoted(), _) if name_shown(seen) is not None:
            compare_names(
                name_shown(claimed) or "", name_shown(seen) or "", None if again is None else name_shown(again), found
            )
        case (Mark(), Mark()) if found.unstable:
            pass  # a progress bar
        case _ if again is not None and again != seen and type(claimed) is type(seen) is type(again):
            found.note(VerdictKind.HOLDS_STRUCTURE)
        case _:
            raise Differs(f"`{brief(claimed)}` claimed, torch shows `{brief(seen)}`")


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


def _compare_numbers(claimed: str, seen: str, again: Node | None, found: Findings) -> None:
    volatile = isinstance(again, Number) and again.text != seen
    whole = is_integer(seen)
    if whole and is_integer(claimed) and min(abs(integer(claimed)), abs(integer(seen))) >= POINTER:
        if found.pointers or (volatile and not found.random):
            _pair(claimed, seen, found)
            return
    answer = close_to_shown(claimed, seen)
    unstable = found.unstable and not (found.unset and again is not None and whole)
    if volatile or unstable or (found.random and again is None):
        if answer == "same" and not volatile:
            return
        if not found.unstable and (is_integer(claimed) != whole or (whole and not volatile)):
            raise Differs(
                f"{claimed} claimed, torch says {seen}"
                + ("" if is_integer(claimed) == whole else ": another kind of number")
            )
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


def _compare_items(claimed: Group, seen: Group, again: Node | None, found: Findings) -> None:
    ours, theirs = claimed.items, seen.items
    other = _as_group(again).items if isinstance(again, Row | Group) else None
    if other is not None and len(other) != len(theirs):
        found.note(VerdictKind.HOLDS_STRUCTURE)
        return
    if claimed.bracket == "{" and not any(map(_key_of, (*ours, *theirs))):
        theirs, other = _in_order_of(ours, theirs, found), None
    gap = next((at for at, item in enumerate(ours) if len(item) == 1 and isinstance(item[0], Dots)), len(ours))
    shown = len(ours) - (gap < len(ours))
    if shown > len(theirs) or (shown < len(theirs) and gap == len(ours)):
        raise Differs(
            f"{shown} items " + ("claimed" if gap == len(ours) else "shown around `...`") + f", torch has {len(theirs)}"
        )
    for at, item in enumerate(ours):
        if at != gap:
            index = at if at < gap else at - len(ours) + len(theirs)
            compare(item, theirs[index], other[index] if other else None, found)


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
        compare(claimed, seen, None, Findings(live=found.live))
    except Differs:
        return False
    return True


def _key_of(item: Nodes) -> str | None:
    """`bias` of `bias=True`; None for a positional item."""
    keyed = len(item) >= 3 and isinstance(item[1], Mark) and item[1].text in "=:"
    return item[0].text if keyed and isinstance(item[0], Word | Quoted | Number) else None


def _value_of(item: tuple[Node, ...]) -> tuple[Node, ...]:
    return item if _key_of(item) is None else item[2:]


def _compare_arguments(claimed: Call, seen: Call, again: Node | None, found: Findings) -> None:
    """What stands in the brackets of two reprs of one class; a class may show more arguments than it did."""
    ours, theirs = _arguments(claimed), _arguments(seen)
    other = _arguments(again) if isinstance(again, Call) else None
    other = other if other is not None and len(other) == len(theirs) else None
    if claimed.name == "OrderedDict" and brief(claimed)[:13] != brief(seen)[:13]:
        found.note(VerdictKind.DRIFT_FORMAT)
    if [*map(_key_of, ours)] == [*map(_key_of, theirs)]:
        for at, (one, two) in enumerate(zip(ours, theirs, strict=True)):
            compare(one, two, other[at] if other else None, found)
        return
    left = {_key_of(item) or at: item for at, item in enumerate(theirs)}
    for at, item in enumerate(ours):
        key = _key_of(item) or (at if at in left else next(iter(left), at))
        if key not in left:
            raise Differs(
                f"`{claimed.name}` is claimed to show `{key if isinstance(key, str) else 'more'}`, torch does not"
            )
        compare(_value_of(item), _value_of(left.pop(key)), None, found)
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


def _compare_arrays(claimed: Node, seen: Node, again: Node | None, found: Findings) -> None:
    """A claimed literal, or an author's shorthand for one: its data, then `dtype=`, `device=`, `grad_fn=` and their like."""
    if isinstance(claimed, Call) and isinstance(seen, Call):
        compare_classes(claimed.name.replace("np.", "").replace("numpy.", ""), seen.name, Findings())
    (data, ours), (shown, theirs) = literal(claimed), literal(seen)
    repeated, options = literal(again) if again is not None else (None, {})
    values = live(seen, found), None if again is None else found.live_again.get(text_of(again))
    whole = isinstance(claimed, Call)
    if data is not None and shown is not None:
        compare_data(data, shown, repeated, values, found, whole=whole)
    elif data is not shown:
        raise Differs("the literal is claimed with other data")
    for name in [*ours, *(name for name in theirs if name not in ours)] if whole else []:
        one, other = ours.get(name), theirs.get(name)
        if one is None and name == "grad_fn" and found.brief and not ours:
            continue  # `print(y)  # tensor([2.])` is about the values
        if other is None and name == "dtype" and values[0] and _text(one) == f"torch.{values[0].dtype}":
            found.note(VerdictKind.DRIFT_FORMAT, f"torch no longer shows {name}={_text(one)}")
        elif one != other:
            _compare_option(name, one, other, options.get(name), found)


def _compare_option(name: str, one: Nodes | None, other: Nodes | None, again: Nodes | None, found: Findings) -> None:
    if name == "device":
        compare_devices(_text(one) or "cpu", _text(other) or "cpu", found)
    elif other is None:
        raise Differs(f"{name}={_text(one)} claimed, torch shows none")
    elif one is None:
        raise Differs(f"torch shows {name}={_text(other)}, which is not claimed")
    elif isinstance(one[0], Call):
        compare(one, other, again, found)
    else:
        try:
            compare(one, other, again, found)
        except Differs:
            raise Differs(f"{name}={_text(one)} claimed, torch says {_text(other)}") from None


def _text(nodes: Nodes | None) -> str:
    return " ".join(node.text if isinstance(node, Quoted) else brief(node) for node in nodes or ())


# --- whole texts --------------------------------------------------------------------------------------

_REMARK = pattern(r"(?<=\S)\s+\{[^{}'\"\d=]{0,80}\}\s*$")
"""Behind a value: a remark, or attributes for another tool (`{.output}`)."""
_OLD_COMPLEX = pattern(r"\(([^\s()\[\]]+j)\)")
"""Elements as torch printed them before 1.8: `(1.+2.j)`."""
_LOOSE = pattern(r"\s*([\[\](),=])\s*")


def compare_texts(claim: Claim, shown: Shown, again: Shown | None, found: Findings) -> None:
    """The whole of what was shown; else what stands behind its label, and of comments its last object. Raises `Differs`."""
    if (
        _squeezed(claim.text) == _squeezed(shown.text)
        and not found.doubtful
        and (again is None or again.text == shown.text)
    ):
        return
    seen, repeated = parse(shown.text), parse(again.text) if again else None
    text = claim.text if "{" in shown.text else _REMARK.sub("", claim.text)
    text = _OLD_COMPLEX.sub(r"\1", text) if "tensor" in shown.text else text
    claimed = _without_stray_brackets(parse(text), seen, text)
    claimed = tuple(map(cut_off, claimed)) if claim.rough else claimed
    size = len(claimed)
    try:
        compare(claimed, seen, repeated, found)
    except Differs:
        left = seen[: max(len(seen) - size, 0)] if size else ()
        if not left or not _may_be_left_out(left, claim, shown.values):
            raise
        found.words.clear()
        compare(claimed, seen[-size:], repeated and repeated[-size:], found)


def _may_be_left_out(left: Nodes, claim: Claim, values: Sequence[Value]) -> bool:
    """True for what a claim may pass over: before its last object a comment all else, an output no more than a label."""
    several, text = len(values) > 1, len(values) == 1 and values[0].kind == "str"
    if claim.place not in PRINTED:
        return several or text or isinstance(left[-1], Mark)
    if several:
        label = takewhile(lambda value: value.kind == "str", values)
        return len(left) <= len(parse(" ".join(str(part) for value in label for part in value.data or ())))
    return isinstance(left[-1], Mark) and not any(is_value((node,)) for node in left)


def _squeezed(text: str) -> str:
    """With single blanks, and none beside brackets and commas: `12` is not `1 2`."""
    return " ".join(_LOOSE.sub(r"\1", half_width(text)).split())


def _without_stray_brackets(nodes: tuple[Node, ...], seen: tuple[Node, ...], text: str) -> tuple[Node, ...]:
    """`tensor([1]))`: one bracket too many is a slip of the pen. `([2, 3])` is `[2, 3]` in parentheses; torch shows such
    ones only around what is a tuple, and then with a comma.
    """
    while len(nodes) > 1 and isinstance(nodes[-1], Mark) and nodes[-1].text in ")]}":
        nodes = nodes[:-1]
    inside = nodes[0].items[0] if len(nodes) == 1 and isinstance(nodes[0], Group) and len(nodes[0].items) == 1 else ()
    in_tuple = len(seen) == 1 and isinstance(seen[0], Group) and seen[0].bracket == "("
    if in_tuple or len(inside) != 1 or not text.lstrip().startswith(("(", "（")) or text.rstrip(") ").endswith(","):
        return nodes
    tensor = len(seen) == 1 and isinstance(seen[0], Call)  # Python's own `(1+2j)` keeps its brackets
    return inside if isinstance(inside[0], Row | Group | Call) or (tensor and isinstance(inside[0], Number)) else nodes
