"""What may be to blame for a mismatch besides the notes: a failure before it, another chapter, a missing name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from deckgen.model.claim import Prints, Raises, Shows, Snippet
from deckgen.model.observation import Observation
from deckgen.model.verdict import DOUBTFUL, Verdict, Word
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed
from deckgen.verify.attribute import Evidence
from deckgen.verify.bindings import entangled, names, names_of
from deckgen.verify.exceptions import excuse, missing_part


def after_failure(snippet: Snippet, run: Observation, verdict: Verdict, evidence: Evidence) -> Verdict:
    """A mismatch behind a statement that died, about a name that it would have set or changed; or within one that the
    sandbox stopped, whose last words are no output of the notes."""
    died = [event for event in run.events if event.kind == "exception"]
    if not died or verdict.word not in (Word.CONTRADICTED, Word.DRIFT_DIGITS) or isinstance(verdict.claim, Raises):
        return verdict
    line = evidence.shown[0].line if evidence.shown else verdict.claim.code_line
    about = names_of(snippet.code, line, getattr(verdict.claim, "target", None))
    for event in died:
        before = event.outer is not None and line is not None and event.outer < line
        stopped = event.outer is not None and event.outer == line and missing_part(event.text) == "sandbox"
        if stopped or (before and about & names_of(snippet.code, event.outer, None)):
            word, reason = excuse(snippet, run, verdict.claim, Evidence((), (event,)))
            return replace(verdict, word=word, reason=reason)
    return verdict


def in_context(snippet: Snippet, run: Observation, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Names taken from another chapter may be to blame for a mismatch, unless another claim shows that they are the right ones."""
    taken = frozenset(run.context)
    proven = proven_names(snippet, run, verdicts)
    doubted = []
    for verdict in verdicts:
        unsure = verdict.word in DOUBTFUL and (taken & _behind(snippet, verdict)) - proven
        doubted.append(
            replace(verdict, word=Word.UNVERIFIED, reason="context") if unsure else _for_want_of(verdict, run)
        )
    return doubted


def proven_names(snippet: Snippet, run: Observation, verdicts: Sequence[Verdict]) -> frozenset[str]:
    """The names taken from another chapter that a claim shows to be the right ones."""
    taken = frozenset(run.context)
    return frozenset[str]().union(*(taken & _behind(snippet, one) for one in verdicts if taken and _proves(one)))


_NUMBER = pattern(r"\d")
_FACT = pattern(r"\s*(?:torch\.(?:Size\(.*\)|\w+\d*)|(?:cpu|cuda)\S*|<.*>)\s*", re.DOTALL)
"""A shape, a dtype, a device, a class: what many other objects share."""


def _proves(verdict: Verdict) -> bool:
    """True if a claim shows by its numbers that it is about the very object that the notes speak of."""
    claim = verdict.claim
    values = isinstance(claim, Prints | Shows) and _NUMBER.search(claim.text) and not _FACT.fullmatch(claim.text)
    return verdict.word is Word.HOLDS and bool(values)


def _behind(snippet: Snippet, verdict: Verdict) -> frozenset[str]:
    """Names that may have a say in what a claim is about; of one about the whole output, all names."""
    claim = verdict.claim
    if claim.code_line is None or isinstance(claim, Raises):
        return _every_name(snippet.code)
    return entangled(snippet.code, claim.code_line, getattr(claim, "target", None))


@lru_cache(maxsize=64)
def _every_name(code: str) -> frozenset[str]:
    tree = parsed(code)
    return frozenset(names(tree)) if tree is not None else frozenset()


def _for_want_of(verdict: Verdict, run: Observation) -> Verdict:
    """What a snippet lacks may be to blame for what it shows from there on, and is told by its first name."""
    word, _, name = (verdict.reason or "").partition(" ")
    if verdict.word is Word.UNVERIFIED and word == "missing-name":
        reason = dict(run.missing).get(name) or (run.doubt.reason if run.doubt else verdict.reason)
        return replace(verdict, reason=reason)
    line = verdict.claim.code_line
    suspect = run.doubt is not None and (line is None or line >= run.doubt.line)
    if run.doubt and suspect and verdict.word in DOUBTFUL:
        return replace(verdict, word=Word.UNVERIFIED, reason=run.doubt.reason)
    return verdict
