"""Entries that only point at another one: `See torch.floor()`, `请查看 torch.floor()`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.model.note import Api, Note, Skipped
from deckgen.text.pattern import pattern

_POINTS = pattern(
    r"\s*(?:请(?:查看|参见|参考|参阅)|参见|参阅|见|see(?: also)?|refer to)\s*[:：]?\s*"
    r"`?(?:[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?|[A-Za-z_]\w*\(\))`?\s*[.。]?\s*",
    re.IGNORECASE | re.ASCII,
)
"""`查看显存` is what a call does; who points names one in code."""


def telling(notes: Sequence[Note]) -> tuple[tuple[Note, ...], tuple[Skipped, ...]]:
    """The notes that tell something themselves, and why the others are left out."""
    kept: list[Note] = []
    skipped: list[Skipped] = []
    for note in notes:
        if isinstance(note.body, Api) and _points(note.body):
            skipped.append(Skipped(note.span, "it only points at another entry"))
        else:
            kept.append(note)
    return tuple(kept), tuple(skipped)


def _points(body: Api) -> bool:
    return not body.details and not body.example and _POINTS.fullmatch(body.meaning) is not None
