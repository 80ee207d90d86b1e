"""`--format json`."""

from __future__ import annotations

from deckgen.model.results import Results
from deckgen.outcome import Outcome
from deckgen.report.data import inspect_data, verify_data
from deckgen.text.harmless import Harmless, json_text


def verified(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> Harmless:
    """The verify document."""
    return json_text(verify_data(results.extractions, results.verification, results.decisions))


def inspected(results: Results) -> Harmless:
    """The inspect document."""
    return json_text(inspect_data(results.extractions))
