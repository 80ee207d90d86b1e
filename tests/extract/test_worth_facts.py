"""What a note asks and says, by what it was found as."""

from dataclasses import replace

import pytest
from carded import extracted, made
from verdicts import note, output_note

from deckgen.extract import rules
from deckgen.extract.worth.facts import DocumentFacts, Facts
from deckgen.model.note import Api, Basic, FoundAs


def facts(body: Basic | Api, found_as: FoundAs) -> Facts:
    return Facts(replace(note(1, body=body), found_as=found_as), DocumentFacts(extracted("").document, ()))


@pytest.mark.parametrize(
    ("found_as", "asked"),
    [
        (FoundAs.TERM, ("`lr` — Meaning?", "", ("", ""))),
        (FoundAs.QUESTION, ("", "`lr` — Meaning?", ("", ""))),
        (FoundAs.ROW, ("", "", ("`lr`", "Meaning"))),
        (FoundAs.CARD, ("", "", ("", ""))),
    ],
)
def test_a_prompt_is_a_term_a_question_or_a_cell_by_what_the_note_was_found_as(found_as, asked):
    one = facts(Basic(prompt="`lr` — Meaning?", answer="How far a step goes."), found_as)
    assert (one.term, one.question, one.cell) == asked


def test_the_words_of_an_answer_are_plain_and_its_prose_has_no_code():
    one = facts(
        Basic(prompt="Why?", answer="It **copies** nothing. So it is cheap.\n\n```python\nx\n```"), FoundAs.QUESTION
    )
    assert (one.first, one.prose) == ("It **copies** nothing.", "It **copies** nothing. So it is cheap.")
    assert one.prose_words == "It copies nothing. So it is cheap."


def test_a_call_is_an_entry_only_where_it_was_found_as_one():
    call = Api(name="torch.abs", signature="torch.abs", meaning="gives absolute values")
    assert facts(call, FoundAs.ENTRY).entry == call
    assert facts(call, FoundAs.ROW).entry is None
    assert facts(call, FoundAs.ROW).answer == "gives absolute values"


def test_only_a_note_of_code_has_code():
    assert facts(Basic(prompt="a", answer="b"), FoundAs.CODE).code is None
    code = Facts(output_note(1), DocumentFacts(extracted("").document, ())).code
    assert code is not None
    assert [one.text for one in code.shown] == ["1"]


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.name)
def test_a_note_is_found_as_what_the_row_of_its_rule_says(rule):
    found = [one for one in made(rule.example) if one.rule == rule.name]
    assert {one.found_as for one in found} == {rule.found_as}
