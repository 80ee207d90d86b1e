"""Results for a person at a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from deckgen.model.changes import Change, Changes
from deckgen.model.decision import Decision, Disposition
from deckgen.model.deck import kind_of
from deckgen.model.extraction import Extraction
from deckgen.model.note import Note
from deckgen.model.note_text import front
from deckgen.model.results import Delivered, Results
from deckgen.outcome import Finding, Outcome, findings
from deckgen.outcome.reasons import mending
from deckgen.report.data import summary_data
from deckgen.text import harmless
from deckgen.text.harmless import Harmless
from deckgen.text.pattern import pattern
from deckgen.text.wording import apart, counted, one_line

SHOWN_UNVERIFIED = 12
"""So many unverified claims are listed one by one; the rest are counted by reason."""


def verified(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> Harmless:
    """Findings, then the summary, then why the run fails if it does."""
    return harmless.lines([*_finding_lines(results, fail_on), *summary_lines(results), *outcome_lines(outcome)])


def wrong(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> Harmless:
    """`--quiet`: what makes the run fail, and nothing if nothing does."""
    failing = (finding for finding in findings(results, fail_on) if finding.fails)
    return harmless.lines([*(line for finding in failing for line in _told(finding)), *outcome_lines(outcome)])


def _finding_lines(results: Results, fail_on: frozenset[str]) -> Iterator[str]:
    every = findings(results, fail_on)
    for finding in every:
        if finding.word != "unverified" or finding.fails:
            yield from _told(finding)
    unchecked = [finding for finding in every if finding.word == "unverified" and not finding.fails]
    for why, count in Counter(finding.cause for finding in unchecked if finding.cause).items():
        first = next(finding for finding in unchecked if finding.cause == why)
        yield f"{first.source}:{first.line}: unverified: {mending(why, count)}"
    yield from _newer_lines(results)
    quiet = [finding for finding in unchecked if not finding.cause]
    for finding in quiet[:SHOWN_UNVERIFIED]:
        yield f"{finding.source}:{finding.line}: {finding.word}: {finding.message}"
    if len(quiet) > SHOWN_UNVERIFIED:
        yield f"... and {len(quiet) - SHOWN_UNVERIFIED} more unverified (all of them with --format json)"


def _newer_lines(results: Results) -> Iterator[str]:
    """Snippets whose claims nobody could even read, since they are written in a newer Python."""
    found: dict[str, list[str]] = {}
    for source in results.verification.sources:
        for line, observed in source.runs.items():
            if (observed.first.reason or "").startswith("needs Python"):
                found.setdefault(observed.first.reason or "", []).append(f"{source.source}:{line}")
    for reason, places in found.items():
        snippets = counted(len(places), "snippet")
        yield f"{places[0]}: {snippets} {reason.replace('needs', 'needs' if len(places) == 1 else 'need')}: run deckgen with that Python"


def _told(finding: Finding) -> Iterator[str]:
    message, *more = finding.message.split("\n")
    yield f"{finding.source}:{finding.line}: {finding.word}: {message}"
    yield from (f"    {line}" for line in (*more, *(finding.diff or "").splitlines()))


def summary_lines(results: Results) -> list[str]:
    """Found / checked / held / withheld, and where that was measured."""
    counts = summary_data(results.verification, results.decisions)
    claims, apis = counts["claims"], counts["apis"]
    lines = []
    if results.ran:
        lines.append(
            f"claims: {claims['found']} found, {claims['checked']} checked, {claims['held']} held{_words(claims)}"
        )
        lines.append(f"API names: {apis['found']} found, {apis['exists']} exist{_words(apis)}")
        snippets = counts["snippets"]
        if snippets["fails"]:
            lines.append(f"snippets: {snippets['found']} found, torch refuses {snippets['fails']}")
    if results.decisions:
        lines.append(_notes_line(results))
    if results.ran:
        lines.append(_environment_line(results))
    return lines


_SILENT = {"found", "checked", "held", "holds", "exists"}


def _words(counts: dict[str, int]) -> str:
    parts = [f"{count} {word}" for word, count in counts.items() if count and word not in _SILENT]
    return f" ({', '.join(parts)})" if parts else ""


def _notes_line(results: Results) -> str:
    rulings = Counter(decision.disposition for decision in results.decisions)
    total, withheld, corrected = len(results.decisions), rulings[Disposition.WITHHOLD], rulings[Disposition.CORRECT]
    return f"notes: {total} found, {total - withheld} shipped, {corrected} corrected, {withheld} withheld"


def _environment_line(results: Results) -> str:
    where = results.verification.environment
    if not where.torch:
        return "no torch was needed"
    return (
        f"torch {where.torch}, Python {where.python}, {where.device}; sandbox: {where.sandbox}; engine: {where.engine}"
    )


def outcome_lines(outcome: Outcome) -> list[str]:
    """Why the exit status is not 0."""
    return [f"exit {outcome.exit_code}: {reason}" for reason in outcome.reasons]


def built(
    results: Results,
    delivered: Delivered,
    changes: Sequence[tuple[str, str, Changes]],
    outcome: Outcome,
    fail_on: frozenset[str],
) -> Harmless:
    """Findings, what changes for learners deck by deck, the summary, and the packages."""
    told = [*_finding_lines(results, fail_on)]
    for name, typed, change in changes:
        told += _change_lines(name, typed, change)
        told += _search_lines(change, delivered.searches.get(name))
    told += [*summary_lines(results), *_unanswered_lines(results)]
    if not results.ran:
        told.append(NOTHING_RUN)
    told += [f"wrote {path.as_posix()}" for path in delivered.written]
    told += [f"{path.as_posix()} is up to date" for path in delivered.current]
    told += [f"the lock is {path.as_posix()}, since the notes' folder is read-only" for path in delivered.distant]
    return harmless.lines([*told, *outcome_lines(outcome)])


def _unanswered_lines(results: Results) -> Iterator[str]:
    """Questions that are lost for want of an answer, file by file."""
    asked = [(one.document.source.name, skip) for one in results.extractions for skip in one.skipped if skip.unanswered]
    lines: dict[str, dict[str, None]] = {}
    for name, skip in asked:
        lines.setdefault(name, {})[str(skip.span.first)] = None
    for name, places in list(lines.items())[:SHOWN_CHANGES]:
        told = "1 question is" if len(places) == 1 else f"{len(places)} questions are"
        where = f"line{'s' * (len(places) > 1)} {', '.join(list(places)[:SHOWN_CHANGES])}"
        more = ", ..." if len(places) > SHOWN_CHANGES else ""
        yield f"{name}: {told} left out, without an answer in the notes ({where}{more}): see `deckgen inspect {name}`"
    if len(lines) > SHOWN_CHANGES:
        yield f"... and in {len(lines) - SHOWN_CHANGES} more files"


NOTHING_RUN = (
    "nothing was run (--no-run): new cards say that they were not checked, "
    "unchanged ones keep what the last check found"
)
SHOWN_CHANGES = 10
_TITLE = 90
"""Characters of a title that a line shows."""
_CHANGES = (
    ("changed", "changed: {} ({})"),
    ("renamed", "reworded, same note: {} ({})"),
    ("moved", "moved: {} ({})"),
    ("returned", "back again: {} ({})"),
    ("removed", "no longer in the sources, stays in Anki: {} ({})"),
)
_SAYS_MORE = {"changed": ("renamed", "moved", "returned"), "moved": ("renamed", "returned"), "renamed": ("returned",)}
"""A note that is in several of these is told once, as what says most of it."""


def _change_lines(name: str, typed: str, changes: Changes) -> Iterator[str]:
    if changes.first:
        yield f"{name}: first build, {len(changes.new)} notes"
        return
    counts = [f"{len(changes.new)} new", f"{len(changes.changed)} changed", f"{changes.unchanged} unchanged"]
    yield f"{name}: " + ", ".join(counts)
    for field, form in _CHANGES:
        every = _told_here(changes, field)
        for change in every[:SHOWN_CHANGES]:
            yield f"  {form.format(one_line(change.title, _TITLE), change.where)}"
            if change.detail:
                command = f": deckgen adopt {change.guid} {change.perhaps} {typed}" if change.perhaps else ""
                yield f"    {one_line(change.detail, 2 * _TITLE)}{command}"
        if len(every) > SHOWN_CHANGES:
            yield f"  ... and {len(every) - SHOWN_CHANGES} more {field}"
    for pair in changes.doubtful:
        old, new = apart(pair.old_title, pair.new_title, _TITLE)
        yield f"  perhaps one note: {old} / {new} ({pair.where}): if so, before you import: {pair.command(typed)}"
        yield f"    if not: {pair.command(typed)} --not"


def _told_here(changes: Changes, field: str) -> list[Change]:
    elsewhere = {change.guid for other in _SAYS_MORE.get(field, ()) for change in _listed(changes, other)}
    return [change for change in _listed(changes, field) if change.guid not in elsewhere]


def _listed(changes: Changes, field: str) -> tuple[Change, ...]:
    listed: tuple[Change, ...] = getattr(changes, field)
    return listed


def _search_lines(changes: Changes, written: Path | None) -> Iterator[str]:
    if changes.search:
        what = f"search for what is in {written.as_posix()}" if written else changes.search
        yield f"  to find the removed notes in Anki's browser: {what}"


_FENCE = pattern(r"^```\w*$", re.MULTILINE)
_RULED = {
    Disposition.SHIP: "shipped all the same",
    Disposition.CORRECT: "shipped corrected",
    Disposition.WITHHOLD: "withheld",
}


def explained(results: Results) -> Harmless:
    """`build --explain`: every note that is not shipped as it stands, or is although it is false, and why."""
    ruled = [decision for decision in results.decisions if decision.why or decision.disposition is not Disposition.SHIP]
    told = [line for decision in ruled for line in _ruled(decision)]
    return harmless.lines(told or ["every note is shipped as it stands"])


def _ruled(decision: Decision) -> Iterator[str]:
    place = f"{decision.note.source}:{decision.note.span.first}"
    yield f"{place}: {_RULED[decision.disposition]}: {decision.note.rule}: {_title(decision.note)}"
    yield from (f"    {line}" for line in str(decision.why).split("\n"))


def inspected(results: Results) -> Harmless:
    """`inspect`: every note with its place, then what gave none and why."""
    told = [line for extraction in results.extractions for line in _inspected(extraction)]
    notes = sum(len(extraction.notes) for extraction in results.extractions)
    snippets = sum(len(extraction.snippets) for extraction in results.extractions)
    claims = sum(len(snippet.claims) for extraction in results.extractions for snippet in extraction.snippets)
    return harmless.lines([*told, f"{notes} notes, {snippets} snippets, {claims} claims"])


def _inspected(extraction: Extraction) -> Iterator[str]:
    source = extraction.document.source
    yield f"{source.name} ({extraction.document.reader})"
    for note in extraction.notes:
        yield f"  {source.at(note.span)}: {kind_of(note)} ({note.rule}): {_title(note)}"
    for skipped in extraction.skipped:
        yield f"  {source.at(skipped.span)}: no note ({skipped.rule}): {skipped.reason}"


def _title(note: Note) -> str:
    return one_line(_FENCE.sub("", front(note)), _TITLE)
