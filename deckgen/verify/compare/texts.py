"""Printed text against claimed text: equal but for layout, or compared node by node."""

from __future__ import annotations

from deckgen.model.claim import Claim
from deckgen.text.pattern import pattern
from deckgen.verify.compare.findings import Findings, Shown
from deckgen.verify.compare.nodes import compare
from deckgen.verify.compare.numbers import Differs
from deckgen.written import Call, Group, Mark, Node, Number, Row, cut_off, half_width, parse

_REMARK = pattern(r"(?<=\S)\s+\{[^{}'\"\d=]{0,80}\}\s*$")
"""Behind a value: a remark, or attributes for another tool (`{.output}`)."""
_OLD_COMPLEX = pattern(r"\(([^\s()\[\]]+j)\)")
"""Elements as torch printed them before 1.8: `(1.+2.j)`."""
_LOOSE = pattern(r"\s*([\[\](),=])\s*")


def compare_texts(claim: Claim, shown: Shown, again: Shown | None, found: Findings) -> None:
    """The whole of what was shown; else its last object, or what stands behind its label. Raises `Differs`."""
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
        last = 0 < size < len(seen) and (len(shown.values) > 1 or isinstance(seen[-size - 1], Mark))
        if not last:
            raise
        found.words.clear()
        compare(claimed, seen[-size:], repeated and repeated[-size:], found)


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
