"""What sentences say of expressions is judged as people speak: `3` of `3.0`, and nothing where the code is only a scheme."""

from __future__ import annotations

from dataclasses import replace

from deckgen.observation import Observation
from deckgen.pattern import pattern
from deckgen.verdict import Verdict, Word

FORM = "told"
_INTEGER = pattern(r"[-+]?\d+")
_FLOAT = pattern(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
_ONE = pattern(r"[-+]?[\d.]+(?:e[-+]?\d+)?|True|False|None")
_SCHEMATIC = ("TypeError", "NameError", "SyntaxError", "NotImplementedError")
"""What a call raises whose arguments are left out: `torch.stack(dim=0)`."""


def as_spoken(verdict: Verdict, run: Observation) -> Verdict:
    """The verdict on a claim that stands in a sentence; any other as it is."""
    if verdict.claim.form != FORM or verdict.word not in (Word.CONTRADICTED, Word.ERROR):
        return verdict
    if verdict.word is Word.ERROR:
        raised = next((event.text for event in run.events if event.kind == "exception"), "")
        schematic = raised.startswith(_SCHEMATIC)
        return replace(verdict, word=Word.UNVERIFIED, reason="placeholder") if schematic else verdict
    claimed, seen = verdict.claim.text.strip(), (verdict.observed or "").strip()
    if _INTEGER.fullmatch(claimed) and _FLOAT.fullmatch(seen) and float(claimed) == float(seen):
        return replace(verdict, word=Word.HOLDS, reason=None)
    if _ONE.fullmatch(claimed) and seen.startswith(("tensor([", "array([", "[", "(")):
        return replace(verdict, word=Word.UNVERIFIED, reason="each-element")
    return verdict
