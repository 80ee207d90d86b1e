"""The claims of a document, judged with what its chapters show of each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deckgen.model.claim import Snippet
from deckgen.model.observation import Observation, Observed
from deckgen.model.verdict import Verdict, VerdictKind
from deckgen.verify.judge import judge
from deckgen.verify.judge.blame import proven_names
from deckgen.verify.plan import Plan

Bound = tuple[str, str]
"""A name, and the id of the snippet that bound it."""


def judged(snippets: Sequence[Snippet], planned: Plan, runs: Mapping[str, Observed]) -> list[Verdict]:
    """The verdicts in order. A name that a claim of one chapter shows to be meant is meant in the others, too."""
    found = {snippet.id: judge(snippet, runs[snippet.id]) for snippet in snippets}
    doubted = [one for one in snippets if any(_for_its_context(verdict) for verdict in found[one.id])]
    if doubted:
        takes = {step.snippet.id: frozenset(step.takes) for session in planned.sessions for step in session.steps}
        proven = frozenset[Bound]().union(
            *(_proven(one, runs[one.id].first, found[one.id], takes.get(one.id, frozenset())) for one in snippets)
        )
        for one in doubted:
            known = frozenset(name for name, _ in takes.get(one.id, frozenset()) & proven)
            found[one.id] = judge(one, _knowing(runs[one.id], known)) if known else found[one.id]
    return [verdict for snippet in snippets for verdict in found[snippet.id]]


def _for_its_context(verdict: Verdict) -> bool:
    return verdict.word is VerdictKind.UNVERIFIED and verdict.reason == "context"


def _proven(
    snippet: Snippet, run: Observation, verdicts: Sequence[Verdict], takes: frozenset[Bound]
) -> frozenset[Bound]:
    names = proven_names(snippet, run, verdicts)
    return frozenset(bound for bound in takes if bound[0] in names)


def _knowing(observed: Observed, known: frozenset[str]) -> Observed:
    """The same runs, with names that are no longer in doubt."""

    def sure(run: Observation) -> Observation:
        return replace(run, context=tuple(name for name in run.context if name not in known))

    return replace(
        observed,
        first=sure(observed.first),
        second=observed.second and sure(observed.second),
        reset=observed.reset and sure(observed.reset),
        candidates=tuple(map(sure, observed.candidates)),
    )
