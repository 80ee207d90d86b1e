"""Results as text; `REPORTERS` names the formats of `--format`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deckgen.outcome import Outcome
from deckgen.report import ci, data, table, terminal
from deckgen.text.harmless import Harmless

Reporter = Callable[[Outcome], Harmless]
"""The whole report of a run, ending in a line end."""

REPORTERS: Mapping[str, Reporter] = {
    "text": terminal.verified,
    "json": data.verified,
    "junit": ci.junit,
    "github": ci.github,
    "csv": table.verified,
}
