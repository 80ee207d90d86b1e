"""What may be to blame for a mismatch besides the notes: a failure before it, another chapter, a missing name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.claim import Prints, Raises, Shows, Snippet
from deckgen.model.observation import Observation
from deckgen.model.verdict import DOUBTFUL, Verdict, VerdictKind
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed
from deckgen.verify.bindings import entangled, names, names_of
from deckgen.verify.judge.evidence import Evidence
from deckgen.verify.judge.exceptions import excuse, missing_part


def after_failure(snippet: Snippet, run: Observation, verdict: Verdict, evidence: Evidence) -> Verdict:
    """A mismatch behind a statement that died, about a name that it would have set or changed; or within one that the
    sandbox stopped, whose last words are no output of the notes.
    """
    claim = verdict.claim
    died = [event for event in run.events if event.kind == "exception" and event.outer is not None]
    if (
        not died
        or verdict.word not in (VerdictKind.CONTRADICTED, VerdictKind.DRIFT_DIGITS)
        or isinstance(claim, Raises)
    ):
        return verdict
    line = evidence.shown[0].line if evidence.shown else claim.code_line
    about = names_of(snippet.code, line, getattr(claim, "target", None))
    for event in died:
        stopped = event.outer == line and missing_part(event.text) == "sandbox"
        before = line is not None and (event.outer or 0) < line
        if stopped or (before and about & names_of(snippet.code, event.outer, None)):
            word, reason = excuse(snippet, run, claim, Evidence((), (event,)))
            return replace(verdict, word=word, reason=reason)
    return verdict


def in_context(snippet: Snippet, run: Observation, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """A mismatch may be due to a name taken from another chapter, unless another claim shows that it is the right one; or
    to what a snippet lacks, from there on.
    """
    taken = frozenset(run.context) - proven_names(snippet, run, verdicts)
    found = []
    for verdict in verdicts:
        line, reason = verdict.claim.code_line, None
        kind, _, name = (verdict.reason or "").partition(" ")
        if verdict.word in DOUBTFUL:
            if taken & _behind(snippet, verdict):
                reason = "context"
            elif run.doubt is not None and (line is None or line >= run.doubt.line):
                reason = run.doubt.reason
        elif verdict.word is VerdictKind.UNVERIFIED and kind == "missing-name":
            reason = dict(run.missing).get(name) or (run.doubt.reason if run.doubt else None)
        found.append(verdict if reason is None else replace(verdict, word=VerdictKind.UNVERIFIED, reason=reason))
    return found


def proven_names(snippet: Snippet, run: Observation, verdicts: Sequence[Verdict]) -> frozenset[str]:
    """The names taken from another chapter that a claim shows to be the right ones."""
    proofs = [_behind(snippet, verdict) for verdict in verdicts if run.context and _is_proof(verdict)]
    return frozenset(run.context) & frozenset[str]().union(*proofs)


_NUMBER = pattern(r"\d")
_FACT = pattern(r"\s*(?:torch\.(?:Size\(.*\)|\w+\d*)|(?:cpu|cuda)\S*|<.*>)\s*", re.DOTALL)
"""A shape, a dtype, a device, a class: what many other objects share."""


def _is_proof(verdict: Verdict) -> bool:
    """True if a claim shows by its numbers that it is about the very object that the notes speak of."""
    text = verdict.claim.text if isinstance(verdict.claim, Prints | Shows) else ""
    return verdict.word is VerdictKind.HOLDS and bool(_NUMBER.search(text)) and not _FACT.fullmatch(text)


def _behind(snippet: Snippet, verdict: Verdict) -> frozenset[str]:
    """Names that may have a say in what a claim is about; of one about the whole output, all names."""
    claim = verdict.claim
    if claim.code_line is None or isinstance(claim, Raises):
        tree = parsed(snippet.code)
        return frozenset(names(tree)) if tree is not None else frozenset()
    return entangled(snippet.code, claim.code_line, getattr(claim, "target", None))
