"""Answers as they were observed: what a card's code gave, letter for letter, and the error that torch raised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.decide.evidence import Evidence
from deckgen.model.claim import Raises
from deckgen.model.note import Note, Output
from deckgen.model.verdict import Verdict, VerdictKind
from deckgen.text.pattern import pattern

_LONGEST_REMARK = 120
"""Characters of what the notes said that goes on below the answer."""
_NUMBER = pattern(r"\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def as_observed(note: Note, evidence: Evidence) -> Note:
    """An Output note, answered with what its code gave. What the notes said roughly goes on below the answer."""
    answer = evidence.card.answer if evidence.card is not None else None
    body = note.body
    if answer is None or not isinstance(body, Output):
        return note
    said = _rough(body, evidence.verdicts, answer)
    explanation = "\n\n".join(part for part in (said, body.explanation) if part)
    return replace(note, body=replace(body, output=answer, explanation=explanation))


def _rough(body: Output, verdicts: Sequence[Verdict], answer: str) -> str:
    """`1.414` beside a print that writes 1.4142135623730951; empty where the notes say no number in another way."""
    said = body.output.strip()
    if len(verdicts) != 1 or "\n" in said or "`" in said or len(said) > _LONGEST_REMARK:
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


_LONGEST_SENTENCE = 160
"""Characters of a sentence that can be recalled."""
_SENTENCE = pattern(r"(?<=[.!?;])\s|\n")


def with_error(note: Note, verdicts: Sequence[Verdict]) -> Note:
    """A note whose answer is `报错` or `RuntimeError`, with the error that torch raised; any other as it is."""
    verdict = verdicts[0] if len(verdicts) == 1 else None
    if verdict is None or not isinstance(verdict.claim, Raises) or not isinstance(note.body, Output):
        return note
    bare = note.body.output.strip() in (verdict.claim.exception, verdict.claim.text.strip())
    if verdict.word is not VerdictKind.HOLDS or verdict.claim.message or not verdict.observed or not bare:
        return note
    return replace(note, body=replace(note.body, output=_gist(verdict.observed)))


def _gist(raised: str) -> str:
    """The type of an exception and the first sentence of its message, unless that is long or tells of this run alone."""
    kind, _, message = raised.partition(":")
    first = next((part.strip() for part in _SENTENCE.split(message) if part.strip()), "")
    name = kind.strip().rsplit(".", 1)[-1]
    return f"{name}: {first}" if first and len(first) <= _LONGEST_SENTENCE and "0x" not in first else name
