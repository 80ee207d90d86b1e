"""Alignment: which observed text each claim of a block is about."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

_CELLS = 250_000
"""Longer blocks are paired by order: aligning costs claims x lines."""


def align(claimed: Sequence[str], seen: Sequence[str], gaps: Set[int] = frozenset()) -> list[int | None]:
    """For each claimed text the index of the observed one that it stands for, or None. In order.

    Observed text that nobody claims costs little: notes leave lines out. One line too many or too few
    moves nothing else. Above the claims in `gaps` lines are left out with `...`: what stands below the last of
    them is the end of the output.
    """
    ours, theirs = [_skeleton(text) for text in claimed], [_skeleton(text) for text in seen]
    if len(ours) * len(theirs) > _CELLS:
        end = max(gaps, default=len(ours))  # what stands below the last `...` is counted from the end
        places = [at if at < end else at - len(ours) + len(theirs) for at in range(len(ours))]
        return [at if 0 <= at < len(theirs) else None for at in places]
    rows, columns = len(ours), len(theirs)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    if gaps:
        best[rows] = [_MISSING * (columns - j) for j in range(columns + 1)]
    extra = [0 if i in gaps else _EXTRA for i in range(rows)]
    for i in range(rows - 1, -1, -1):
        best[i][columns] = best[i + 1][columns] + _MISSING
        for j in range(columns - 1, -1, -1):
            pair = best[i + 1][j + 1] + _cost(ours[i], theirs[j])
            best[i][j] = min(pair, best[i + 1][j] + _MISSING, best[i][j + 1] + extra[i])
    return _path(best, ours, theirs, extra)


_MISSING, _EXTRA = 100, 10  # whole numbers: sums must not depend on their order
_OTHER_NUMBERS = 11
"""More than to leave a line out: one that is the same further down is the one that is meant."""


@dataclass(frozen=True, slots=True)
class _Skeleton:
    """What makes two texts the same line of output, whatever the numbers."""

    tight: str
    """Without blanks."""
    masked: str
    """Also without numbers: brackets that hold nothing else are empty."""
    words: frozenset[str]


def _path(best: list[list[int]], ours: list[_Skeleton], theirs: list[_Skeleton], extra: list[int]) -> list[int | None]:
    pairs: list[int | None] = []
    i = j = 0
    while i < len(ours):
        if j < len(theirs) and best[i][j] == best[i + 1][j + 1] + _cost(ours[i], theirs[j]):
            pairs.append(j)
            i, j = i + 1, j + 1
        elif j < len(theirs) and best[i][j] == best[i][j + 1] + extra[i]:
            j += 1
        else:
            pairs.append(None)
            i += 1
    return pairs


def _skeleton(text: str) -> _Skeleton:
    tight = "".join(text.split())
    masked = re.sub(r"[\[\]#,]{2,}", "[]", re.sub(r"[-+]?[\d.]+", "#", tight))
    return _Skeleton(tight, masked, frozenset(re.findall(r"[^\W\d_][\w.]*", text)))


def _cost(one: _Skeleton, other: _Skeleton) -> int:
    if one.tight == other.tight:
        return 0
    if one.words == other.words and one.masked == other.masked:
        return _OTHER_NUMBERS
    if one.masked == other.masked:
        return 15
    shared, together = len(one.words & other.words), len(one.words | other.words)
    return 90 - (60 * shared // together if together else 0)


def unlikeness(claimed: str, seen: str) -> tuple[int, int, int]:
    """How unlikely it is that a claim is about an observed text; of two alike, the one of as many lines is likelier, then
    the one of its length.
    """
    one, other = _skeleton(claimed), _skeleton(seen)
    lines = abs(len(claimed.split("\n")) - len(seen.rstrip("\n").split("\n")))
    return _cost(one, other), lines, abs(len(one.tight) - len(other.tight))
