"""Results as text, one file a format; `REPORTERS` names them for `--format`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deckgen.model.results import Results
from deckgen.outcome import Outcome
from deckgen.report import github, json_text, junit, terminal
from deckgen.text.harmless import Harmless

Reporter = Callable[[Results, Outcome, frozenset[str]], Harmless]
"""(results, outcome, failing words) -> the whole report, ending in a line end."""

REPORTERS: Mapping[str, Reporter] = {
    "text": terminal.verified,
    "json": json_text.verified,
    "junit": junit.verified,
    "github": github.verified,
}
