"""Printed text against claimed text: equal, of one layout, or compared node by node."""

from __future__ import annotations

from dataclasses import replace

from deckgen.model.claim import Claim
from deckgen.model.observation import Value
from deckgen.model.verdict import Word
from deckgen.text.pattern import pattern
from deckgen.verify.attribute import Shown
from deckgen.verify.comparison.compare import compare
from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.layout import drifts
from deckgen.verify.comparison.numbers import Differs
from deckgen.written import Call, Group, Mark, Node, Number, Row, cut_off, half_width
from deckgen.written.parsing import parse

_LARGE = 500
"""Characters from which reading a tensor's elements costs more than it may."""


def compare_texts(claim: Claim, shown: Shown, again: Shown | None, found: Findings) -> None:
    """The whole of what was shown; else its last object, or what stands behind its label."""
    if _same_text(claim.text, shown.text) and not found.doubtful and (again is None or again.text == shown.text):
        return
    if not claim.rough and _settled_by_layout(claim.text, shown, again, found):
        return
    seen = _parse_shown(shown)
    text = _BRACED.sub("", claim.text) if "{" in claim.text and "{" not in shown.text else claim.text
    claimed = _unwrapped(_without_stray_brackets(parse(text)), seen, text)
    claimed = tuple(map(cut_off, claimed)) if claim.rough else claimed
    repeated = _parse_shown(again) if again else None
    try:
        compare(claimed, seen, repeated, found)
    except Differs:
        size = len(claimed)
        if not 0 < size < len(seen) or not _starts_there(seen, size, shown.values):
            raise
        found.words.clear()
        compare(claimed, seen[-size:], repeated and repeated[-size:], found)


_BRACED = pattern(r"(?<=\S)\s+\{[^{}'\"\d=]{0,80}\}\s*$")
"""Behind a value: a remark, or attributes for another tool (`{.output}`)."""


def _settled_by_layout(claimed: str, shown: Shown, again: Shown | None, found: Findings) -> bool:
    """True if a claim about one array that is the same in both runs holds, at least but for its last digits."""
    value = shown.values[0] if len(shown.values) == 1 else None
    if value is None or found.doubtful or (again is not None and again.text != shown.text):
        return False
    drift = drifts(half_width(claimed), shown.text, value) if shown.text.strip() == value.repr.strip() else None
    if drift:
        found.note(Word.DRIFT_DIGITS, "last digits differ")
    return drift is not None


_NUMBERS = pattern(r"\[[-+\deE,.\s\[\]]*\]")


def _parse_shown(shown: Shown) -> tuple[Node, ...]:
    """The nodes of what was shown. The elements of one large tensor are not read: they are known."""
    value = shown.values[0] if len(shown.values) == 1 else None
    if len(shown.text) < _LARGE or value is None or value.kind != "tensor" or value.data is None:
        return parse(shown.text)
    nodes = parse(_NUMBERS.sub("[]", shown.text, count=1))
    text = shown.text.strip()
    if len(nodes) == 1 and isinstance(nodes[0], Call) and text == value.repr.strip():
        return (replace(nodes[0], text=text),)
    return parse(shown.text)


def _without_stray_brackets(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """`tensor([1]))`: one bracket too many is a slip of the pen."""
    while len(nodes) > 1 and isinstance(nodes[-1], Mark) and nodes[-1].text in ")]}":
        nodes = nodes[:-1]
    return nodes


def _unwrapped(nodes: tuple[Node, ...], seen: tuple[Node, ...], text: str) -> tuple[Node, ...]:
    """`([2, 3])` is `[2, 3]` in parentheses; torch shows such ones only around what is a tuple, and then with a comma."""
    node = nodes[0] if len(nodes) == 1 else None
    tuple_shown = len(seen) == 1 and isinstance(seen[0], Group) and seen[0].bracket == "("
    if tuple_shown or not isinstance(node, Group) or node.bracket != "(" or len(node.items) != 1:
        return nodes
    inside = node.items[0]
    shown_alone = len(seen) == 1 and isinstance(seen[0], Call)  # Python's own `(1+2j)` keeps its brackets
    kinds = (Row, Group, Call, Number) if shown_alone else (Row, Group, Call)
    wrapped = len(inside) == 1 and isinstance(inside[0], kinds) and not text.rstrip(") ").endswith(",")
    return inside if wrapped else nodes


def _same_text(one: str, other: str) -> bool:
    return one == other or _squeezed(one) == _squeezed(other)


_LOOSE = pattern(r"\s*([\[\](),=])\s*")


def _squeezed(text: str) -> str:
    """With single blanks, and none beside brackets and commas: `12` is not `1 2`."""
    return " ".join(_LOOSE.sub(r"\1", half_width(text)).split())


def _starts_there(seen: tuple[Node, ...], size: int, values: tuple[Value, ...]) -> bool:
    """True if the last nodes are the last objects of a print, or stand behind `label:`."""
    return len(values) > 1 or isinstance(seen[-size - 1], Mark)
