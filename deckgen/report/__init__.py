"""Results as text; `REPORTERS` names the formats of `--format`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deckgen.outcome import Outcome
from deckgen.report import ci, data, junit, sarif, table, terminal
from deckgen.text.harmless import Harmless

Reporter = Callable[[Outcome], Harmless]
"""The whole report of a run, ending in a line end."""

REPORTERS: Mapping[str, Reporter] = {
    "text": terminal.verified,
    "json": data.verified,
    "junit": junit.verified,
    "github": ci.github,
    "csv": table.verified,
    "sarif": sarif.verified,
    "summary": ci.step_summary,
    "badge": ci.badge,
}
