"""A run as cases that pass or fail, for those who count tests: JUnit, pytest.

There is a case for each claim, API name and decided card, and for all else of which something is told: sources that cannot be read, code
that raises, waivers that hide too much, and reasons that are about the whole run. A run that fails has a case that fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from deckgen.model.claim import Claim, Exists
from deckgen.model.errors import DeckgenError
from deckgen.model.verdict import ApiVerdict, Verdict
from deckgen.outcome import UNJUDGED, Finding, Outcome
from deckgen.text.wording import one_line

RUN = "deckgen"
"""In place of a source, for what is about the whole run."""


class Ending(StrEnum):
    """How a case ends."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """Nobody could judge it here, or its author does not want that."""
    TOLD = "told"
    """Something is told of it that fails no run."""


class Case(NamedTuple):
    """One of them."""

    source: str
    line: int
    """From 1; 0 for the whole run."""
    kind: str
    """`claim`, `card` (decided in words), `name`; else the word that is told of it."""
    claim: str
    """The id of the claim or name; empty if it is about none."""
    title: str
    """One line: what is claimed."""
    ending: Ending
    word: str
    message: str = ""
    """What is told of it, as all reports tell it."""
    code: str = ""
    """Of what could not be judged: the bare reason, which never changes."""
    diff: str | None = None

    @property
    def lines(self) -> list[str]:
        """`notes.md:5: contradicted: ...`, then the difference; as in a terminal."""
        place = f"{self.source}:{self.line}: " if self.line else ""
        message, *more = self.message.split("\n")
        word = f"{self.word}: " if self.word and not message.startswith(self.word) else ""
        return [f"{place}{word}{message}", *(f"    {line}" for line in (*more, *(self.diff or "").splitlines()))]


def kind_of(claim: Claim | Exists) -> str:
    """`claim`, `card` or `name`."""
    return "card" if claim.asks else "name" if isinstance(claim, Exists) else "claim"


def title_of(claim: Claim | Exists) -> str:
    """What is claimed, on one line."""
    return one_line(f"{claim.asks}: {claim.text}" if claim.asks else claim.text, 80)


def cases(outcome: Outcome) -> Iterator[Case]:
    """Every case of a run, source by source; then those of no source."""
    results = outcome.results
    told = {(one.source, one.claim): one for one in outcome.findings if one.claim}
    others = [one for one in outcome.findings if not one.claim]
    known = {source.source for source in results.verification.sources}
    for source in results.verification.sources:
        for verdict in source.every:
            yield _judged(source.source, verdict, told.get((source.source, verdict.claim.id)))
        yield from (_finding(one) for one in others if one.source == source.source)
    yield from (_finding(one) for one in others if one.source not in known)
    for notice in outcome.notices:
        ending = Ending.SKIPPED if notice.reason else Ending.TOLD
        yield Case(notice.source, notice.line, notice.word, "", notice.word, ending, notice.word, notice.message)
    for error in results.unreadable:
        file, line, message = place_of(error)
        yield Case(file, line, "unreadable", "", "unreadable", Ending.FAILED, "unreadable", message)
    for reason in outcome.of_run:
        yield Case(RUN, 0, "run", "", one_line(reason, 80), Ending.FAILED, "", reason)


def _judged(source: str, verdict: Verdict | ApiVerdict, finding: Finding | None) -> Case:
    claim, word = verdict.claim, verdict.word.value
    case = Case(source, claim.span.first, kind_of(claim), claim.id, title_of(claim), Ending.PASSED, word)
    if finding is None:
        return case
    fails, unjudged = finding.fails, word in UNJUDGED
    ending = Ending.FAILED if fails else Ending.SKIPPED if unjudged else Ending.TOLD
    return case._replace(ending=ending, message=finding.message, code=verdict.reason or "", diff=finding.diff)


def _finding(finding: Finding) -> Case:
    ending = Ending.FAILED if finding.fails else Ending.TOLD
    return Case(finding.source, finding.line, finding.word, "", finding.word, ending, finding.word, finding.message)


def place_of(error: DeckgenError) -> tuple[str, int, str]:
    """The file of an error, its line (the first, if the error is about all of it), and what is wrong."""
    file, colon, line = (error.where or "").rpartition(":")
    return (file, int(line), error.message) if colon and line.isdigit() else (error.where or "", 1, error.message)
