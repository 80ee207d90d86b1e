"""Near names: what was meant by a name that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz.distance import OSA

SHORTEST = 4
"""Shorter names have too many neighbours to guess at."""


def normal(name: str) -> str:
    """A name without case and underscores: `BatchNorm2D` and `batch_norm2d` are one."""
    return name.replace("_", "").casefold()


def near(name: str, pool: Iterable[str], *, sure: bool = False, most: int = 3) -> str | None:
    """The name in `pool` that `name` is most likely a slip of, or None.

    Another case or missing underscores first; then at most one edit in five letters (a swap of neighbours is one
    edit, OSA). Of several, the fewest edits decide, then whether only a doubled letter differs, then whether both work
    in place (`add_`), then whether letters were only left out, then the edits with case and underscores.
    `sure` asks for more likeness, for names that need not be torch's at all: one edit in seven letters. `most` is the
    largest number of edits.
    """
    wanted = normal(name)
    length = len(wanted)
    if not wanted or (sure and length <= SHORTEST):
        return None
    allowed = 0 if length < SHORTEST else min(most, max(1, (length + 1) // 5 + (6 <= length < 9)))
    allowed = length // 7 if sure else allowed
    found: list[tuple[int, bool, bool, bool, int, str]] = []
    for candidate in pool:
        other = normal(candidate)
        if abs(len(other) - length) > allowed:
            continue
        distance = OSA.distance(wanted, other, score_cutoff=allowed)
        if distance <= allowed:
            single, other_single = (re.sub(r"(.)\1", r"\1", one) for one in (name, candidate))
            in_place = name.endswith("_") != candidate.endswith("_")
            edits = OSA.distance(name, candidate)
            found.append((distance, single != other_single, in_place, not _in_order(name, candidate), edits, candidate))
    return min(found)[-1] if found else None


def abbreviates(short: str, name: str) -> bool:
    """True if one name is a short or padded form of the other: `step`/`global_step`, `fn`/`function`.

    Whole words of one inside the other, words cut short in order (`in_feat`), or the letters of the one in the
    other with the same beginning (`fn`, `lr`).
    """
    if short == name or not short or not name:
        return False
    ours, theirs = short.split("_"), name.split("_")
    if set(ours) <= set(theirs) or set(theirs) <= set(ours):
        return True
    if len(ours) == len(theirs) and all(map(str.startswith, theirs, ours)):
        return True
    return 1 < len(short) < len(name) and short[0] == name[0] and _in_order(short, name)


def _in_order(short: str, name: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in short)
