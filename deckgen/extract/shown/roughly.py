"""Values that the notes themselves call inexact: a card says so too."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract.shown.listing import Listing
from deckgen.model.claim import Claim, Prints, Shows
from deckgen.text.pattern import pattern

_LONGEST = 60
"""Characters of such a comment."""
_ROUGHLY = pattern(
    r"(?:≈|~|≃|\b(?:about|roughly|approx(?:imately|\.)?|around|circa)\b|(?:大)?约(?:为|等于|是)?|大概|近似|差不多)(?:\s*[=:])?\s*\S.*",
    re.IGNORECASE,
)
_ROUNDED = pattern(
    r"\S.*?[(（,，]\s*(?:rounded|approx\w*\.?|roughly|四舍五入|近似值?|约)[^()（）]{0,20}[)）]?", re.IGNORECASE
)


def roughly(listing: Listing, group: Sequence[Claim]) -> str:
    """`≈ 1.414`, `0.67 (rounded)`: a comment that says itself that it is not exact, as it stands."""
    claim = group[0]
    if len(group) > 1 or not isinstance(claim, Prints | Shows) or claim.code_line is None:
        return ""
    at = claim.code_line
    if at not in listing.columns or not listing.beside_code(claim):
        return ""
    said = listing.lines[at][listing.columns[at] :].lstrip("# ").rstrip()
    exact = claim.text not in said or len(said) > _LONGEST
    return "" if exact or not (_ROUGHLY.fullmatch(said) or _ROUNDED.fullmatch(said)) else said
