"""Errors on cards: what torch raises, where the notes say no more than that it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.claim import Raises
from deckgen.model.note import Note, Output
from deckgen.model.verdict import Verdict, Word
from deckgen.text.pattern import pattern

_LONGEST = 160
"""Characters of a sentence that can be recalled."""
_SENTENCE = pattern(r"(?<=[.!?;])\s|\n")


def with_error(note: Note, verdicts: Sequence[Verdict]) -> Note:
    """A note whose answer is `报错` or `RuntimeError`, with the error that torch raised; any other as it is."""
    verdict = verdicts[0] if len(verdicts) == 1 else None
    if verdict is None or not isinstance(verdict.claim, Raises) or not isinstance(note.body, Output):
        return note
    bare = note.body.output.strip() in (verdict.claim.exception, verdict.claim.text.strip())
    if verdict.word is not Word.HOLDS or verdict.claim.message or not verdict.observed or not bare:
        return note
    return replace(note, body=replace(note.body, output=_gist(verdict.observed)))


def _gist(raised: str) -> str:
    """The type of an exception and the first sentence of its message, unless that is long or tells of this run alone."""
    kind, _, message = raised.partition(":")
    first = next((part.strip() for part in _SENTENCE.split(message) if part.strip()), "")
    name = kind.strip().rsplit(".", 1)[-1]
    return f"{name}: {first}" if first and len(first) <= _LONGEST and "0x" not in first else name
