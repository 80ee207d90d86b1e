"""Exit statuses, and variables of the environment."""

from __future__ import annotations

from collections.abc import Iterator

from bench.site.commands import every
from bench.site.table import code, table
from deckgen.model.exit_codes import EXIT_CODES, FALSE
from deckgen.model.variables import VARIABLES


def exit_codes() -> Iterator[str]:
    """A section for each status, and what 1 is for each command."""
    for number, (says, remedy) in EXIT_CODES.items():
        yield from (f"## exit {number}", "", says, "")
        yield from (f"What to do: {remedy}.", "") if remedy != "nothing" else ()
    yield "## What 1 is for each command"
    yield from table(
        ("command", "what 1 means"),
        ((code(f"deckgen {name}"), FALSE.get(name, "It never ends with 1.")) for name, _ in every()),
    )


def page() -> Iterator[str]:
    """A table of all variables."""
    rows = ((code(name), says, code(f"{name}={value}")) for name, (says, value) in VARIABLES.items())
    yield from table(("variable", "says", "example"), rows)
