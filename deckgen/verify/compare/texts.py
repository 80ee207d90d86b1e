"""Comparison of the whole text that a claim gives with the whole text that was shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, takewhile

from deckgen.model.claim import PRINTED, Claim
from deckgen.model.observation import Value
from deckgen.model.verdict import VerdictKind
from deckgen.text.pattern import pattern
from deckgen.verify.compare.arrays import is_array
from deckgen.verify.compare.drawn import check_printed_relations
from deckgen.verify.compare.findings import Findings, Shown
from deckgen.verify.compare.nodes import Nodes, compare
from deckgen.verify.compare.numbers import Differs, is_integer
from deckgen.written import Call, Group, Mark, Node, Number, Row, cut_off, half_width, parse
from deckgen.written.values import is_value

_REMARK = pattern(r"(?<=\S)\s+\{[^{}'\"\d=]{0,80}\}\s*$")
"""Behind a value: a remark, or attributes for another tool (`{.output}`)."""
_OLD_COMPLEX = pattern(r"\(([^\s()\[\]]+j)\)")
"""Elements as torch printed them before 1.8: `(1.+2.j)`."""
_LOOSE = pattern(r"\s*([\[\](),=])\s*")


def compare_texts(claim: Claim, shown: Shown, others: Sequence[Shown], found: Findings) -> None:
    """The whole of what was shown; else what stands behind its label, and of comments its last object. Raises `Differs`."""
    if (
        _squeezed(claim.text) == _squeezed(shown.text)
        and not found.doubtful
        and all(one.text == shown.text for one in others)
    ):
        return
    seen, runs = parse(shown.text), [parse(one.text) for one in others]
    text = claim.text if "{" in shown.text else _REMARK.sub("", claim.text)
    text = _OLD_COMPLEX.sub(r"\1", text) if "tensor" in shown.text else text
    claimed = _without_stray_brackets(parse(text), seen, text)
    claimed = tuple(map(cut_off, claimed)) if claim.rough else claimed
    try:
        compare(claimed, seen, runs, found)
        if found.drawn and runs and len(claimed) > 1:  # `5 heads, 5 tails`
            check_printed_relations(numbers_in(claimed), [*map(numbers_in, (seen, *runs))])
    except Differs:
        ours = _as_torch_writes(claimed, seen, shown, found)
        size = len(ours)
        left = seen[: max(len(seen) - size, 0)] if size else ()
        regrouped = ours is not claimed and size == len(seen)
        if not regrouped and not (left and _may_be_left_out(left, claim, shown.values)):
            raise
        found.words.clear()
        compare(ours, seen[-size:], [one[-size:] for one in runs], found)
        if ours is not claimed:
            found.note(VerdictKind.DRIFT_FORMAT, "torch writes it with other brackets, or as a float")


def _as_torch_writes(claimed: Nodes, seen: Nodes, shown: Shown, found: Findings) -> Nodes:
    """`2, 3` and `6` as a tuple or a list, `(2, 3)` and `2, 3` as two things that are printed, `5` as `5.`."""
    last, alone = seen[-1] if seen else None, claimed[0] if len(claimed) == 1 else None
    items = [tuple(part) for is_comma, part in groupby(claimed, lambda node: node == Mark(",")) if not is_comma]
    if isinstance(alone, Group) and alone.bracket == "(":
        items = list(alone.items)
    if len(items) == len(shown.values) > 1:
        return [node for item in items for node in item]
    if isinstance(alone, Number) and isinstance(last, Number) and found.beside_code:
        return (Number(f"{alone.text}."),) if is_integer(alone.text) and not is_integer(last.text) else claimed
    scalar = isinstance(alone, Number) and last is not None and not is_array(last, found)
    if (Mark(",") in claimed or scalar) and isinstance(last, Group | Row | Call):
        bracket = last.bracket if isinstance(last, Group) else "("
        bracket = "[" if isinstance(last, Row) or getattr(last, "name", "") in ("tensor", "array") else bracket
        return (Group(bracket, tuple(items)),)
    return claimed


def _may_be_left_out(left: Nodes, claim: Claim, values: Sequence[Value]) -> bool:
    """True for what a claim may pass over: before its last object a comment all else, an output no more than a label."""
    several, text = len(values) > 1, len(values) == 1 and values[0].kind == "str"
    if claim.place not in PRINTED:
        return several or text or isinstance(left[-1], Mark)
    if several:
        label = takewhile(lambda value: value.kind == "str", values)
        return len(left) <= len(parse(" ".join(str(part) for value in label for part in value.data or ())))
    return isinstance(left[-1], Mark) and not any(is_value((node,)) for node in left)


def numbers_in(nodes: Nodes) -> list[str]:
    """The texts of all numbers in a row of nodes, those in brackets included."""
    found: list[str] = []
    for node in nodes:
        match node:
            case Number(text):
                found.append(text)
            case Row(texts):
                found += texts
            case Group(_, items):
                found += [text for item in items for text in numbers_in(item)]
            case Call(_, group):
                found += numbers_in([group])
            case _:
                pass
    return found


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
