"""What a claim says of where something lies, if the machine decides that: `True` of `x.is_cuda`, `0` of `x.get_device()`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.claim import Prints, Shows
from deckgen.text.pattern import pattern
from deckgen.verify import sources

_TRUTH = pattern(r"tensor\([^()]*\)|\b(True|False)\b")
_MORE = pattern(r"\d|tensor\(|True|False")


def as_placed_here(
    claim: Prints | Shows, observed: str, code: str, above: Sequence[str], line: int | None
) -> Prints | Shows | None:
    """The claim with the truth values that say where something lies as they are here; None if it says nothing else.

    `tensor([1.]) False` for `tensor([1.], device='cuda:0') True` beside `print(x, x.is_cuda)`.
    """
    facts = sources.placement_facts(code, above, line, getattr(claim, "target", None))
    if sources.only_tells_device(claim.text) or facts == ["index"]:
        return None
    ours, theirs = ([found for found in _TRUTH.finditer(text) if found[1]] for text in (claim.text, observed))
    moved = [one == "truth" for one in facts]
    moved = moved if len(facts) == len(theirs) else [any(moved)] * len(theirs)
    if not ours or len(ours) > len(theirs) or not any(moved[-len(ours) :]):
        return claim
    here, rest, at = "", "", 0
    for one, other, is_place in zip(ours, theirs[-len(ours) :], moved[-len(ours) :], strict=True):
        before = claim.text[at : one.start() if is_place else one.end()]
        here, rest, at = here + before + other[1] * is_place, rest + before, one.end()
    here, rest = here + claim.text[at:], rest + claim.text[at:]
    return replace(claim, text=here) if _MORE.search(rest) else None
