"""What a card that asks "what does this print?" would keep quiet about, though its claim is true.

A notebook goes on after an exception, and so do we; whoever runs the code of a card as a program does not come so far.
And a print in a loop or a function may say more than the line that the notes quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckgen.claim import Claim, Prints, Raises, Shows, Snippet
from deckgen.observation import Event, Observation
from deckgen.verdict import HELD, Verdict
from deckgen.wording import one_line

_ACCIDENTS = ("NameError", "ModuleNotFoundError", "ImportError", "FileNotFoundError")
"""They tell of what the notes leave out: names of other chapters, packages, files."""
_LONGEST = 80
"""Characters of an exception that are told."""


def with_besides(snippet: Snippet, run: Observation, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts of one snippet; those that hold with what else its code does."""
    deaths = _unsaid(snippet, run)
    return tuple(
        replace(verdict, besides=_death(snippet, deaths, verdict.claim) or _more(snippet, run, verdict.claim))
        if verdict.word in HELD
        else verdict
        for verdict in verdicts
    )


def _unsaid(snippet: Snippet, run: Observation) -> list[Event]:
    """The exceptions that ended a statement and that no claim names."""
    said = [claim.code_line for claim in snippet.claims if isinstance(claim, Raises)]
    if None in said:
        return []
    return [
        event
        for event in run.events
        if event.kind == "exception"
        and event.outer is not None
        and not event.text.startswith(_ACCIDENTS)
        and not any(event.outer <= line <= (event.outer_end or event.outer) for line in said if line is not None)
    ]


def _death(snippet: Snippet, deaths: Sequence[Event], claim: Claim) -> str | None:
    for event in deaths:
        assert event.outer is not None  # noqa: S101 (`_unsaid`)
        if isinstance(claim, Prints | Shows) and (claim.code_line is None or event.outer < claim.code_line):
            line = f"line {snippet.lines[event.outer] + 1}: " if event.outer < len(snippet.lines) else ""
            return f"the code stops before this, which the notes do not say: {line}{one_line(event.text, _LONGEST)}"
    return None


def _more(snippet: Snippet, run: Observation, claim: Claim) -> str | None:
    """A line that prints several times, of which one claim quotes one."""
    if not isinstance(claim, Prints | Shows) or claim.code_line is None:
        return None
    if sum(other.code_line == claim.code_line for other in snippet.claims) > 1:
        return None
    printed = [
        event.text.rstrip("\n") for event in run.events if event.kind == "stdout" and event.inner == claim.code_line
    ]
    outer = {event.outer for event in run.events if event.kind == "stdout" and event.inner == claim.code_line}
    if len(printed) < 2 or outer == {claim.code_line} or claim.text.count("\n") >= "\n".join(printed).count("\n"):
        return None
    return f"its line prints {len(printed)} times, and the notes quote one of them"
