"""Code that stops: a card that asks what is printed must show code that comes so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckgen.note import Output
from deckgen.observation import Event
from deckgen.verdict import Checked
from deckgen.wording import one_line

_ACCIDENTS = ("NameError", "ModuleNotFoundError", "ImportError", "FileNotFoundError")
"""They tell of what is not here: names of other chapters, packages, files."""
_LONGEST = 80
"""Characters of an exception that are told."""


def stops(body: Output, checked: Checked | None) -> str | None:
    """Why the code of a card is not what was run: a statement on it raised, or one that is not on it did not."""
    if checked is None:
        return None
    raised = next((text for text in map(_raised, _events(body.steps, checked)) if text), None)
    if raised is not None:
        return f"the code of the card would stop with {raised}"
    if any(not events for events in _events(body.left_out, checked)):
        return "a statement above it is said to raise, and did not"
    return None


def _events(places: Iterable[str], checked: Checked) -> Iterator[list[Event]]:
    """The exceptions that ended each of the statements at these places, as far as their snippets ran."""
    for place in places:
        snippet, _, line = place.partition(":")
        observed = checked.runs.get(snippet)
        if observed is not None and observed.first.status == "ran":
            events = observed.first.events
            yield [one for one in events if one.kind == "exception" and one.outer == int(line)]


def _raised(events: Iterable[Event]) -> str:
    return next((one_line(one.text, _LONGEST) for one in events if not one.text.startswith(_ACCIDENTS)), "")
