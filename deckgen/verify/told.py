"""What sentences say of expressions is judged as people speak: `3` of `3.0`, and nothing where the code is only a scheme."""

from __future__ import annotations

import ast
from dataclasses import replace

from deckgen.model.claim import TOLD
from deckgen.model.observation import Observation
from deckgen.model.verdict import FALSE, Verdict, Word
from deckgen.text.pattern import pattern

_SIZE = pattern(r"torch\.Size\(\[(\d+)\]\)")
_PLAIN = pattern(r"[-+\d.,\s()\[\]e]{1,400}")
_ONE = pattern(r"[-+]?[\d.]+(?:e[-+]?\d+)?|True|False|None")
_SCHEMATIC = ("TypeError", "NameError", "SyntaxError", "NotImplementedError")
"""What a call raises whose arguments are left out: `torch.stack(dim=0)`."""


def as_spoken(verdict: Verdict, run: Observation) -> Verdict:
    """The verdict on a claim that stands in a sentence; any other as it is."""
    if verdict.claim.form != TOLD or verdict.word not in FALSE:
        return verdict
    if verdict.word is Word.ERROR:
        raised = next((event.text for event in run.events if event.kind == "exception"), "")
        schematic = raised.startswith(_SCHEMATIC)
        return replace(verdict, word=Word.UNVERIFIED, reason="placeholder") if schematic else verdict
    claimed, seen = verdict.claim.text.strip(), (verdict.observed or "").strip()
    if _same(claimed, seen):
        return replace(verdict, word=Word.HOLDS, reason=None)
    if _ONE.fullmatch(claimed) and seen.startswith(("tensor([", "array([", "[", "(")):
        return replace(verdict, word=Word.UNVERIFIED, reason="each-element")
    return verdict


def _same(claimed: str, seen: str) -> bool:
    """`3` and `3.0`, `[1, 2]` and `[1.0, 2.0]`, `2` and `torch.Size([2])`."""
    seen = _SIZE.sub(r"\1", seen)
    if not _PLAIN.fullmatch(claimed) or not _PLAIN.fullmatch(seen):
        return False
    try:
        return bool(ast.literal_eval(claimed) == ast.literal_eval(seen))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
