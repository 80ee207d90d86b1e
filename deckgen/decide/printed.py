"""What is printed, where the notes say it roughly or in short: `≈ 1.414` beside a print that writes `tensor(1.4142)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.claim import Prints
from deckgen.note import Note, Output
from deckgen.pattern import pattern
from deckgen.verdict import Verdict, Word

_LONGEST = 120
"""Characters of a line that can be recalled."""
_WRAPPED = pattern(r"(?:tensor|torch\.Size|array|device)\(")


def as_printed(note: Note, verdicts: Sequence[Verdict]) -> Note:
    """A note that asks what is printed, answered with the very text where the notes give its value alone.

    What the notes said roughly goes on below the answer.
    """
    verdict = verdicts[0] if len(verdicts) == 1 else None
    body = note.body
    if verdict is None or not isinstance(body, Output) or not isinstance(verdict.claim, Prints):
        return note
    seen, claimed = (verdict.observed or "").strip(), verdict.claim.text.strip()
    rough = body.output.strip() != claimed
    if verdict.word is not Word.HOLDS or verdict.reason or not _is_short(seen, claimed):
        return note
    if not (rough or _is_bare(claimed, seen) or _same_number(claimed, seen) or _adds(seen, claimed)):
        return note
    said = f"`{body.output.strip()}`" if rough and "`" not in body.output else ""
    explanation = "\n\n".join(part for part in (said, body.explanation) if part)
    return replace(note, body=replace(body, output=seen, explanation=explanation))


def _is_short(seen: str, claimed: str) -> bool:
    """Not of what is cut (`...`), nor of what tells of one run alone."""
    return bool(seen) and len(seen) <= _LONGEST and not any(one in seen + claimed for one in ("\n", "...", "…", "0x"))


def _is_bare(claimed: str, seen: str) -> bool:
    return _WRAPPED.search(seen) is not None and _WRAPPED.search(claimed) is None


def _adds(seen: str, claimed: str) -> bool:
    """What autograd adds to a repr is part of what is printed."""
    return "grad_fn=" in seen and "grad_fn=" not in claimed


def _same_number(claimed: str, seen: str) -> bool:
    """`1e-3` for what prints as 0.001."""
    try:
        return claimed != seen and float(claimed) == float(seen)
    except ValueError:
        return False
