"""The observed text in the form in which its claim stood: a tuple for a size, a list for a tensor."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.model.claim import Claim, HasShape, Raises
from deckgen.text.pattern import pattern
from deckgen.written import Call, Group, Node, Number, Row, Word, half_width
from deckgen.written.parsing import Piece, pieces

_ARRAYS = frozenset({"tensor", "array"})


def in_form(claim: Claim, observed: str) -> str | None:
    """What to write instead of `claim.text`; None if the observed text cannot take its form."""
    if isinstance(claim, HasShape):
        return _shapes(claim.text, observed)
    if isinstance(claim, Raises):
        return _raised(claim, observed)
    observed = observed.rstrip("\n")
    ours, theirs = pieces(claim.text), pieces(observed)
    if not ours or not theirs:
        return None
    if len(ours) < len(theirs) and not _same_start(ours, theirs):
        theirs = theirs[-len(ours) :]  # the claim is about the last objects of a print
        observed = observed[theirs[0].start :]
        theirs = pieces(observed)
    if len(ours) == len(theirs) == 1:
        return _one(ours[0].node, theirs[0].node, observed)
    return observed


_DIMENSIONS = pattern(r"(?P<open>[(\[]+)\s*(?P<listed>[\d\s,]*?),?\s*(?=[)\]])|(?P<crossed>\d+(?:\s*[x×*]\s*\d+)+)")


def _shapes(claimed: str, observed: str) -> str | None:
    """The shapes in a text replaced by observed ones, `(2, 3), (4,)`: the last alone if there is but one."""
    new = [re.findall(r"\d+", inside) for inside in re.findall(r"\(([^()]*)\)", observed)]
    places = [*_DIMENSIONS.finditer(half_width(claimed))]
    places = places[-1:] if len(new) == 1 else places
    if not new or len(new) != len(places):
        return None
    for place, sizes in reversed([*zip(places, new, strict=True)]):
        claimed = claimed[: place.start()] + _dimensions(place, sizes) + claimed[place.end() :]
    return claimed


def _dimensions(place: re.Match[str], sizes: list[str]) -> str:
    """The sizes in the way that a shape is written: `(2, 3`, `[2, 3`, `2x3`."""
    if place["crossed"]:
        return re.split(r"\d+", place["crossed"])[1].join(sizes)
    lone = len(sizes) == 1 and place["open"].endswith("(")
    return place["open"] + ", ".join(sizes) + ("," if lone else "")


def _same_start(ours: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    return ours[0].node == theirs[0].node


def _raised(claim: Raises, observed: str) -> str | None:
    """The last line of a traceback, or the exception after the author's own words."""
    kind, _, message = observed.partition(":")
    fresh = f"{kind.rsplit('.', 1)[-1]}:{message}".rstrip(":")
    last = claim.text.rstrip().rsplit("\n", 1)
    if claim.exception not in last[-1]:
        return None
    at = last[-1].index(claim.exception)
    head = last[-1][:at]
    if not claim.message:
        fresh = fresh.partition(":")[0]
        tail = last[-1][at + len(claim.exception) :]
        return "\n".join([*last[:-1], head + fresh + tail])
    return "\n".join([*last[:-1], head + " ".join(fresh.split())])


def _one(claimed: Node, seen: Node, observed: str) -> str | None:
    """One value: shorthand stays shorthand."""
    if isinstance(claimed, Row) and isinstance(seen, Group) and seen.bracket == "(":
        return _shapes("[0]", observed)  # a shape in square brackets
    if not isinstance(seen, Call) or isinstance(claimed, Call):
        return observed
    inside = seen.group.items[0] if seen.group.items else ()
    if len(inside) != 1 or not (seen.name in _ARRAYS or seen.name == "torch.Size"):
        return observed
    data = inside[0]
    if isinstance(claimed, Group) and claimed.bracket == "(" and isinstance(data, Row) and seen.name == "torch.Size":
        return "(" + ", ".join(data.texts) + (",)" if len(data.texts) == 1 else ")")
    if isinstance(claimed, Row | Group) and isinstance(data, Row | Group):
        return _brackets(data)
    if isinstance(claimed, Number | Word) and isinstance(data, Number | Word):
        return data.text
    return None if isinstance(claimed, Number | Row | Group) else observed


def _brackets(data: Node) -> str | None:
    """Nested lists on one line."""
    if isinstance(data, Row):
        return "[" + ", ".join(data.texts) + "]"
    if isinstance(data, Group):
        parts = [_brackets(item[0]) if len(item) == 1 else None for item in data.items]
        return None if None in parts else "[" + ", ".join(part for part in parts if part) + "]"
    return getattr(data, "text", None)
