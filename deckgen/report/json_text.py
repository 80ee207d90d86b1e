"""`--format json`."""

from __future__ import annotations

import json

from deckgen.outcome import Outcome
from deckgen.report.data import Json, inspect_data, verify_data
from deckgen.results import Results


def verified(results: Results, outcome: Outcome, fail_on: frozenset[str]) -> str:
    """The verify document."""
    return text(verify_data(results.extractions, results.verification, results.decisions))


def inspected(results: Results) -> str:
    """The inspect document."""
    return text(inspect_data(results.extractions))


def text(data: Json) -> str:
    """JSON that people can read too: their notes are Chinese, so nothing is escaped that need not be."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
