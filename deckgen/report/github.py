"""`--format github`: workflow commands that become annotations beside the lines of a pull request.

Escaping follows GitHub's toolkit (`core.setCommand`): `%`, CR and LF everywhere, `:` and `,` in properties.
"""

from __future__ import annotations

from deckgen.model.results import Results
from deckgen.outcome import Finding, Outcome, findings
from deckgen.report import terminal
from deckgen.text.harmless import Harmless, commands, line


def verified(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> Harmless:
    """One annotation a finding that fails or drifts, then the summary as plain lines."""
    told = [
        _command(finding) for finding in findings(results, fail_on) if finding.word != "unverified" or finding.fails
    ]
    told += [f"::error::{_escaped(reason)}" for reason in outcome.reasons]
    return commands([*told, *map(line, terminal.summary_lines(results))])


def _command(finding: Finding) -> str:
    level = "error" if finding.fails else "warning"
    place = f"file={_property(finding.source)},line={finding.line},endLine={finding.last}"
    message = finding.message if finding.diff is None else f"{finding.message}\n{finding.diff}"
    return f"::{level} {place},title={_property(f'deckgen: {finding.word}')}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return "%0A".join(line(part).replace("%", "%25") for part in text.split("\n"))


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
