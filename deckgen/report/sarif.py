"""A run in SARIF 2.1.0 (OASIS), which code scanning and editors read.

What fails is an error, what is only told a warning; what could not be judged is left out, as it is among annotations. Reasons that are
about the whole run are notifications of the tool, with its exit status.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from deckgen import __version__
from deckgen.outcome import UNJUDGED, Outcome
from deckgen.report.cases import RUN, Case, Ending, cases
from deckgen.text.harmless import Harmless, json_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
Json = dict[str, Any]


def verified(outcome: Outcome) -> Harmless:
    """`--format sarif`: a result for each finding, in order; rules are the words of the verdicts."""
    found = [case for case in cases(outcome) if _is_result(case) and case.source != RUN]
    rules = sorted({case.word for case in found})
    run = {
        "tool": {"driver": {"name": "deckgen", "version": __version__, "rules": [{"id": rule} for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(outcome)],
        "results": [_result(case, rules) for case in found],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _is_result(case: Case) -> bool:
    return case.ending is Ending.FAILED or (case.ending is not Ending.PASSED and case.word not in UNJUDGED)


def _invocation(outcome: Outcome) -> Json:
    told = [{"level": "error", "message": {"text": reason}} for reason in outcome.of_run]
    return {"executionSuccessful": True, "exitCode": outcome.exit_code, "toolExecutionNotifications": told}


def _result(case: Case, rules: list[str]) -> Json:
    place = {
        "artifactLocation": {"uri": quote(case.source.encode("utf-8", "surrogateescape"))},
        "region": {"startLine": case.line},
    }
    text = case.message if case.diff is None else f"{case.message}\n{case.diff}"
    return {
        "ruleId": case.word,
        "ruleIndex": rules.index(case.word),
        "level": "error" if case.ending is Ending.FAILED else "warning",
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    }
