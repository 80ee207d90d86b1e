"""Answers as they were observed: a card shows what its code gave, letter for letter, not how the notes put it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.decide.grounds import Grounds
from deckgen.model.note import Note, Output
from deckgen.model.verdict import Verdict
from deckgen.text.pattern import pattern

_LONGEST = 120
"""Characters of what the notes said that goes on below the answer."""
_NUMBER = pattern(r"\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def as_observed(note: Note, grounds: Grounds) -> Note:
    """An Output note, answered with what its code gave. What the notes said roughly goes on below the answer."""
    answer = grounds.card.answer if grounds.card is not None else None
    body = note.body
    if answer is None or not isinstance(body, Output):
        return note
    said = _rough(body, grounds.verdicts, answer)
    explanation = "\n\n".join(part for part in (said, body.explanation) if part)
    return replace(note, body=replace(body, output=answer, explanation=explanation))


def _rough(body: Output, verdicts: Sequence[Verdict], answer: str) -> str:
    """`1.414` beside a print that writes 1.4142135623730951; empty where the notes say no number in another way."""
    said = body.output.strip()
    if len(verdicts) != 1 or "\n" in said or "`" in said or len(said) > _LONGEST:
        return ""
    rough = said != verdicts[0].claim.text.strip()
    short = [number for number in _numbers(said) if number not in _numbers(answer)]
    return f"`{said}`" if rough or (short and not verdicts[0].word.name.startswith("DRIFT")) else ""


def _numbers(text: str) -> set[str]:
    """Numbers without zeros at their ends: `2.` and `2.0000` are no two."""
    found = (
        number if "e" in number or "." not in number else number.rstrip("0").rstrip(".")
        for number in _NUMBER.findall(text)
    )
    return set(found)
