"""The exit status of a run, and why: 0 fine, 1 something is false, stale or lost, 3 unreadable source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deckgen.model.errors import UsageError
from deckgen.model.results import Results
from deckgen.model.verdict import (
    API_FINE,
    CHECKED,
    FAILS,
    FALSE,
    ApiVerdict,
    Checked,
    NameVerdict,
    Verdict,
    VerdictKind,
)
from deckgen.outcome.reasons import cause, in_words
from deckgen.text.wording import one_line

FAILING: frozenset[str] = frozenset(
    {*(word.value for word in FALSE), *(word.value for word in NameVerdict if word not in API_FINE)}
)
"""Words that make a run fail unless `--fail-on` says otherwise."""

FINE = frozenset({"holds", "holds-structure", "holds-pattern", "exists", "not-an-api"})
"""Words of which nothing needs to be said."""

WORDS: frozenset[str] = frozenset({*(word.value for word in VerdictKind), *(word.value for word in NameVerdict), FAILS})


@dataclass(frozen=True, slots=True)
class MinChecked:
    """`--min-checked 20` or `--min-checked 80%`."""

    count: int | None = None
    percent: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict worth telling, at its place."""

    source: str
    line: int
    """From 1."""
    last: int
    word: str
    message: str
    fails: bool
    diff: str | None = None
    cause: str | None = None
    """Why it could not be checked, where others may have been kept from it by the same."""
    of_name: bool = False
    """True for an API name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the run ends."""

    exit_code: int
    reasons: tuple[str, ...]
    """One line each, most important first; empty if all is well."""


def parse_fail_on(text: str | None) -> frozenset[str]:
    """`contradicted,unverified`, `none` or `any`; None = the default. Raises UsageError."""
    if text is None:
        return FAILING
    if text in ("none", "any"):
        return frozenset() if text == "none" else WORDS - FINE
    words = {word.strip() for word in text.split(",") if word.strip()}
    unknown = sorted(words - WORDS)
    if unknown:
        hint = "words: any, none, " + ", ".join(sorted(WORDS))
        raise UsageError(f"unknown word `{unknown[0]}`", "--fail-on", hint)
    return frozenset(words)


def parse_min_checked(text: str | None) -> MinChecked:
    """Raises UsageError."""
    if text is None:
        return MinChecked()
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", text.strip())
    if not found or (found.group(2) and float(found.group(1)) > 100):
        raise UsageError(f"`{text}` is neither a number of claims nor a percentage", "--min-checked")
    if found.group(2):
        return MinChecked(percent=float(found.group(1)))
    return MinChecked(count=int(float(found.group(1))))


def findings(results: Results, fail_on: frozenset[str] = FAILING) -> tuple[Finding, ...]:
    """Every verdict that is not plainly fine, in document order."""
    return tuple(_findings(results, fail_on))


def _findings(results: Results, fail_on: frozenset[str]) -> Iterator[Finding]:
    for source in results.verification.sources:
        every = [*_verdicts(source, fail_on), *_failures(source, fail_on)]
        yield from sorted(every, key=lambda finding: (finding.line, finding.last))


def _verdicts(source: Checked, fail_on: frozenset[str]) -> Iterator[Finding]:
    every: list[Verdict | ApiVerdict] = [*source.verdicts, *source.apis]
    for verdict in every:
        fails = verdict.word.value in fail_on
        if fails or verdict.word.value not in FINE:
            span = verdict.claim.span
            diff = verdict.diff if isinstance(verdict, Verdict) else None
            why = cause(verdict.reason) if verdict.word.value == VerdictKind.UNVERIFIED.value else None
            yield Finding(
                source.source,
                span.first,
                span.last,
                verdict.word.value,
                told(verdict),
                fails,
                diff,
                why,
                isinstance(verdict, ApiVerdict),
            )


def _failures(source: Checked, fail_on: frozenset[str]) -> Iterator[Finding]:
    """Code that torch refuses; where a claim about it is an error already, that says it."""
    said = [verdict.reason or "" for verdict in source.verdicts if verdict.word is VerdictKind.ERROR]
    for failure in source.fails.values():
        if not any(failure.message[:60] in reason for reason in said):
            line = failure.line + 1
            yield Finding(source.source, line, line, FAILS, failure.message, FAILS in fail_on)


def told(verdict: Verdict | ApiVerdict) -> str:
    """What is claimed, and what is wrong with it, on one line."""
    claimed = one_line(verdict.claim.text)
    if isinstance(verdict, Verdict):
        instead = verdict.observed if verdict.word is not VerdictKind.UNVERIFIED else None
    else:
        instead = verdict.suggestion
    place = f" ({verdict.claim.origin})" if verdict.claim.origin else ""
    parts = [f"`{claimed}`{place}"]
    if verdict.reason:
        parts.append(in_words(verdict.reason))
    elif instead:
        parts.append(f"torch says `{one_line(instead)}`")
    return ": ".join(parts)


def outcome(results: Results, fail_on: frozenset[str] = FAILING, min_checked: MinChecked | None = None) -> Outcome:
    """The exit status of a finished run (engine and usage errors never get here)."""
    reasons = [*_false(results, fail_on), *(f"lost: {line}" for line in results.lost), *_empty(results)]
    reasons += [f"{lock} is out of date: build without --locked and commit it" for lock in results.stale]
    if results.ran:
        reasons += _unchecked(results, min_checked or MinChecked())
    if results.unreadable:
        return Outcome(3, (*(str(error) for error in results.unreadable), *reasons))
    return Outcome(1 if reasons else 0, tuple(reasons))


def _false(results: Results, fail_on: frozenset[str]) -> Iterator[str]:
    """Claims, API names and snippets are counted apart."""
    failing = [finding for finding in findings(results, fail_on) if finding.fails]
    refused = sum(finding.word == FAILS for finding in failing)
    names = sum(finding.of_name for finding in failing)
    claims = len(failing) - refused - names
    if claims:
        yield f"{claims} {'claim is' if claims == 1 else 'claims are'} false or cannot run"
    if names:
        yield f"{names} API {'name is' if names == 1 else 'names are'} wrong"
    if refused:
        yield f"torch refuses {refused} {'snippet' if refused == 1 else 'snippets'}"


def _empty(results: Results) -> Iterator[str]:
    if results.unreadable and not results.extractions:
        return  # that nothing could be read says all
    if not any(extraction.notes or extraction.snippets for extraction in results.extractions):
        yield "nothing was found in these sources: no note, no snippet (see `deckgen inspect`)"
        return
    for extraction in results.extractions:
        name = extraction.document.source.name
        if name in results.named and not extraction.notes:
            yield f"{name}: no note was found in it (`deckgen inspect {name}` says why)"


def _unchecked(results: Results, least: MinChecked) -> Iterator[str]:
    every = (verdict for source in results.verification.sources for verdict in source.verdicts)
    verdicts = [verdict for verdict in every if not verdict.waived]
    checked = sum(verdict.word in CHECKED for verdict in verdicts)
    if verdicts and not checked:
        yield f"{len(verdicts)} claims were found and none could be checked"
    elif least.count is not None and checked < least.count:
        yield f"only {checked} claims were checked; --min-checked wants {least.count}"
    elif least.percent is not None and checked * 100 < least.percent * len(verdicts):
        yield f"only {checked} of {len(verdicts)} claims were checked; --min-checked wants {least.percent:g} %"
