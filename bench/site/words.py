"""The words of reports, each with its own anchor: what `deckgen explain` prints."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from bench.site.table import linked
from deckgen.app.rules import Rule, rules
from deckgen.extract.rows import TABLES

OF_ROWS = frozenset(table.title for table in TABLES)
"""Groups whose rules stand, each with an example, in docs/notations.md."""
ELSEWHERE = frozenset({"Exit status", "Variables of the environment"})
"""Groups that have pages of their own."""


def page() -> Iterator[str]:
    """A section for each word; for rows of tables a link."""
    for group, found in groupby(rules(), lambda rule: rule.group):
        if group in ELSEWHERE:
            continue
        yield f"## {group}"
        yield ""
        if group in OF_ROWS:
            links = (f"[{rule.name}](notations.md#{anchor(rule.name)})" for rule in found)
            yield f"{', '.join(links)}."
            yield ""
        else:
            for rule in found:
                yield from _entry(rule)


def anchor(heading: str) -> str:
    """What a forge and MyST make of a heading of ours."""
    return "".join(letter for letter in heading.lower().replace(" ", "-") if letter.isalnum() or letter in "-_")


def _entry(rule: Rule) -> Iterator[str]:
    yield from (f"### {rule.name}", "", linked(rule.says), "")
    if rule.example:
        yield from ("~~~~~~~~markdown", rule.example.strip("\n"), "~~~~~~~~", "")
    yield from (
        (f"What to do: {linked(rule.remedy)}.", "") if rule.remedy != "nothing" else ("Nothing is to be done.", "")
    )
