"""What `inspect` shows: all that was found, or what was asked for, and how much each rule gave."""

import json
from dataclasses import replace
from typing import get_args

import pytest
from carded import extracted

from deckgen.app.commands import KINDS
from deckgen.model.deck import Kind
from deckgen.model.note import Skipped
from deckgen.model.results import Results
from deckgen.model.source import Span
from deckgen.report import data, terminal
from deckgen.report.asked import Asked, RuleCounts, by_rule

NOTES = """
# Shapes

### What does `squeeze()` do?

It removes the dimensions of size 1.

## Joining

- `torch.cat(tensors, dim)`: joins tensors along a dimension

Some running text that says nothing.

```python
import torch
print(torch.ones(2) + 1)  # tensor([2., 2.])
```
"""
FOUND = Results(extractions=(extracted(NOTES),))
LONG = "# A\n\n### What are its lines?\n\n" + "\n".join(f"Line {n} of it." for n in range(13)) + "\n"


def shown(asked: Asked) -> list[tuple[int, str]]:
    """(line, rule) of the notes and refusals that are shown."""
    (source,) = json.loads(data.inspected(asked.finds(FOUND)))["sources"] or [{"notes": [], "skipped": []}]
    return sorted((one["line"], one["rule"]) for one in (*source["notes"], *source["skipped"]))


ALL = shown(Asked())


def test_all_is_shown_if_nothing_is_asked_for():
    assert {rule for _, rule in ALL} == {"questions", "definitions", "outputs", "left_over"}


@pytest.mark.parametrize("rule", ["questions", "left_over"])
def test_a_rule_shows_its_notes_and_its_refusals(rule):
    assert shown(Asked(rules=frozenset([rule]))) == [one for one in ALL if one[1] == rule] != []


def test_every_kind_of_note_can_be_asked_for():
    assert get_args(Kind) == KINDS


def test_a_kind_shows_notes_only():
    assert {rule for _, rule in shown(Asked(kinds=frozenset(["api"])))} == {"definitions"}
    (found,) = Asked(kinds=frozenset(["api"])).finds(FOUND).extractions
    assert (found.skipped, found.snippets, found.apis) == ((), (), ())


@pytest.mark.parametrize(
    ("lines", "rules"), [((9, 9), ["definitions"]), ((5, 11), ["questions", "definitions", "left_over"])]
)
def test_lines_show_what_stands_on_them(lines, rules):
    assert [rule for _, rule in shown(Asked(lines=lines))] == rules


def test_what_is_asked_for_together_is_all_wanted():
    assert shown(Asked(frozenset(["basic"]), frozenset(["questions"]), (1, 4))) == [(3, "questions")]
    assert shown(Asked(frozenset(["basic"]), frozenset(["questions"]), (8, 99))) == []


def test_a_family_of_rules_is_asked_for_by_its_first_word():
    (found,) = FOUND.extractions
    refused = tuple(Skipped(Span(at, at + 1), "why", rule=rule) for at, rule in ((1, "worth: label"), (2, "worthy")))
    results = replace(FOUND, extractions=(replace(found, skipped=refused),))
    (kept,) = Asked(rules=frozenset(["worth"])).finds(results).extractions
    assert [one.rule for one in kept.skipped] == ["worth: label"]
    assert not kept.notes


def test_a_claim_is_of_the_form_in_which_it_is_written():
    (found,) = Asked(rules=frozenset(["value"])).finds(FOUND).extractions
    assert [[claim.form for claim in snippet.claims] for snippet in found.snippets] == [["value"]]


def test_each_rule_says_how_many_notes_and_refusals_it_gave():
    lines = terminal.inspected(FOUND).splitlines()
    assert "questions: 1 note" in lines
    assert "left_over: 1 refused" in lines
    assert by_rule(FOUND.extractions)["questions"] == RuleCounts(1, 0)
    assert json.loads(data.inspected(FOUND))["rules"]["left_over"] == {"notes": 0, "refused": 1}


def test_a_card_that_is_too_long_is_a_card_with_a_remark():
    results = Results(extractions=(extracted(LONG),))
    assert "carded (oversized): its back has 13 lines" in terminal.inspected(results)
    assert "no note" not in terminal.inspected(results)
    (source,) = json.loads(data.inspected(results))["sources"]
    assert (source["skipped"], [one["rule"] for one in source["remarks"]]) == ([], ["oversized"])
