"""Reports for the machines that test what people push: annotations and step summaries of GitHub, and what a badge shows."""

from __future__ import annotations

from deckgen.model.results import Results
from deckgen.outcome import UNJUDGED, Outcome
from deckgen.report.cases import RUN, Ending, cases, place_of
from deckgen.report.data import summary_data
from deckgen.report.terminal import summary_lines
from deckgen.text.harmless import Harmless, commands, json_text, line, lines
from deckgen.text.pattern import pattern
from deckgen.text.wording import counted


def github(outcome: Outcome) -> Harmless:
    """`--format github`: one annotation beside a line for every finding that fails or drifts, for code that is not run and for
    misspelt words, then the summary as plain lines.

    Escaping follows GitHub's toolkit (`core.setCommand`): `%`, CR and LF everywhere, `:` and `,` in properties.
    """
    shown = []
    for finding in outcome.findings:
        if finding.fails or finding.word not in UNJUDGED:
            level = "error" if finding.fails else "warning"
            message = finding.message if finding.diff is None else f"{finding.message}\n{finding.diff}"
            shown.append(_annotation(level, finding.source, finding.line, finding.last, message, finding.word))
    for notice in outcome.notices:
        shown.append(_annotation("warning", notice.source, notice.line, notice.line, notice.message, notice.word))
    unreadable = {str(error): place_of(error) for error in outcome.results.unreadable}
    shown += [_annotation("error", file, at, at, message, "unreadable") for file, at, message in unreadable.values()]
    shown += [f"::error::{_escaped(reason)}" for reason in outcome.reasons if reason not in unreadable]
    return commands([*shown, *map(line, summary_lines(outcome.results))])


def _annotation(level: str, file: str, first: int, last: int, message: str, word: str) -> str:
    place = f"file={_property(file)},line={first},endLine={last}"
    return f"::{level} {place},title={_property(f'deckgen: {word}')}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return "%0A".join(line(part).replace("%", "%25") for part in text.split("\n"))


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


_MOST_SHOWN = 50
"""Findings of a kind in a step summary, which may have a megabyte; the log has all of them."""
_BACKTICKS = pattern("`+")


def step_summary(outcome: Outcome) -> Harmless:
    """`--format summary`: Markdown for `$GITHUB_STEP_SUMMARY`: how the run ends and why, what fails, and the counts.

    What notes say stands in fences that are longer than any in it, and is no Markdown there.
    """
    shown = [f"### deckgen: {'all is well' if not outcome.reasons else f'exit {outcome.exit_code}'}", ""]
    found = [case for case in cases(outcome) if case.source != RUN]
    failing = [case for case in found if case.ending is Ending.FAILED]
    told = [case.lines[0] for case in found if case not in failing and case.message and case.word not in UNJUDGED]
    if outcome.reasons:
        shown += _fenced(list(outcome.reasons), "text")
    for case in failing[:_MOST_SHOWN]:
        shown += _fenced([one.removeprefix("    ") for one in case.lines], "diff")
    if len(failing) > _MOST_SHOWN:
        shown += [f"... and {len(failing) - _MOST_SHOWN} more, in the log", ""]
    if told:
        shown += ["What fails no run:", "", *_fenced(told[:_MOST_SHOWN], "text")]
    return lines([*shown, *_fenced(list(summary_lines(outcome.results)), "text")])


def _fenced(texts: list[str], language: str) -> list[str]:
    longest = max((len(found) for text in texts for found in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *texts, fence, ""]


def badge(outcome: Outcome) -> Harmless:
    """`--format badge`: what an endpoint badge of shields.io shows, which asks for just these keys."""
    shown = {"schemaVersion": 1, "label": _checked_by(outcome.results), "message": _held(outcome.results)}
    colour = "red" if outcome.reasons else "brightgreen"
    return json_text({**shown, "color": colour, "isError": bool(outcome.reasons)})


def _checked_by(results: Results) -> str:
    torch = results.verification.environment.torch
    return f"torch {torch.partition('+')[0]}" if torch else "deckgen"


def _held(results: Results) -> str:
    claims = summary_data(results.verification, results.decisions)["claims"]
    return f"{claims['held']} of {counted(claims['found'], 'claim')} hold"
