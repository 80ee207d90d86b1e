"""What may be to blame for a mismatch besides the notes: a failure before it, another chapter, a missing name."""

from __future__ import annotations

from dataclasses import replace

from deckgen.claim import Raises, Snippet
from deckgen.observation import Observation
from deckgen.verdict import Verdict, Word
from deckgen.verify.attribute import Evidence
from deckgen.verify.bindings import names_of
from deckgen.verify.exceptions import excuse


def after_failure(snippet: Snippet, run: Observation, verdict: Verdict, evidence: Evidence) -> Verdict:
    """A mismatch behind a statement that died, about a name that it would have set or changed."""
    died = [event for event in run.events if event.kind == "exception"]
    if not died or verdict.word not in (Word.CONTRADICTED, Word.DRIFT_DIGITS) or isinstance(verdict.claim, Raises):
        return verdict
    line = evidence.shown[0].line if evidence.shown else verdict.claim.code_line
    names = names_of(snippet.code, line, getattr(verdict.claim, "target", None))
    for event in died:
        before = event.outer is not None and line is not None and event.outer < line
        if before and names & names_of(snippet.code, event.outer, None):
            word, reason = excuse(snippet, run, verdict.claim, Evidence((), (event,)))
            return replace(verdict, word=word, reason=reason)
    return verdict


def in_context(verdict: Verdict, observation: Observation) -> Verdict:
    """A name taken from another chapter may be to blame for a mismatch."""
    if observation.context and verdict.word in (Word.CONTRADICTED, Word.ERROR, Word.DRIFT_DIGITS):
        return replace(verdict, word=Word.UNVERIFIED, reason="context")
    return _for_want_of(verdict, observation)


def _for_want_of(verdict: Verdict, run: Observation) -> Verdict:
    """What a snippet lacks may be to blame for what it shows from there on, and is told by its first name."""
    word, _, name = (verdict.reason or "").partition(" ")
    if verdict.word is Word.UNVERIFIED and word == "missing-name":
        reason = dict(run.missing).get(name) or (run.doubt.reason if run.doubt else verdict.reason)
        return replace(verdict, reason=reason)
    line = verdict.claim.code_line
    suspect = run.doubt is not None and (line is None or line >= run.doubt.line)
    if run.doubt and suspect and verdict.word in (Word.CONTRADICTED, Word.ERROR, Word.DRIFT_DIGITS):
        return replace(verdict, word=Word.UNVERIFIED, reason=run.doubt.reason)
    return verdict
