"""Every word of a report is explained, and its example is one."""

import json

import pytest
from commands import Command

from deckgen.app.rules import explain, rules
from deckgen.model.errors import UsageError
from deckgen.outcome import REASONS_IN_WORDS, WORDS
from deckgen.report import reasons, words

SHOWN = [word for table in (words.CLAIMS, words.NAMES, words.RUNS) for word in table if word.example]


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """The words that one run says of each example."""
    place = tmp_path_factory.mktemp("words")
    for word in SHOWN:
        (place / f"{word.name}.md").write_text(f"{word.example}\n", "utf-8")
    report = json.loads(Command(place, place)("verify", ".", "--format", "json").stdout)
    return {
        source["path"].removesuffix(".md"): {one["verdict"] for one in (*source["claims"], *source["apis"])}
        | {"fails" for one in source["snippets"] if one["fails"]}
        for source in report["sources"]
    }


@pytest.mark.parametrize("word", SHOWN, ids=lambda word: word.name)
def test_deckgen_says_the_word_of_its_example(word, said):
    assert word.name in said[word.name]


def test_every_word_of_a_verdict_and_every_reason_is_explained():
    assert {rule.name for rule in rules()} >= {*WORDS, *REASONS_IN_WORDS}


def test_every_reason_says_what_to_do_about_it():
    assert reasons.REMEDIES.keys() == REASONS_IN_WORDS.keys()
    (told,) = explain(["missing-module"])
    assert "imports `MODULE`" in told.says
    assert "`--python`" in told.remedy


def test_a_rule_is_found_by_its_name_by_its_words_and_as_reports_write_it():
    assert [rule.name for rule in explain(["long", "code"])] == ["long code"]
    assert [rule.name for rule in explain(["worth: long code"])] == ["long code"]
    assert [rule.name for rule in explain(["contradicted", "fails"])] == ["contradicted", "fails"]
    assert [rule.name for rule in explain(["fails", "long", "code", "contradicted"])] == [
        "fails",
        "long code",
        "contradicted",
    ]
    assert len(explain(["names"])) == 2  # a doubt, and what is proved of a card


def test_a_rule_that_is_not_there_is_answered_with_the_near_one():
    with pytest.raises(UsageError) as error:
        explain(["contradictd"])
    assert error.value.hint == "did you mean `contradicted`?"
    for near in (["LONG_CODE"], ["long-code"], ["Long", "Code"], ["longcode"], ["long", "cod"], ["fails", "LongCode"]):
        with pytest.raises(UsageError) as error:
            explain(near)
        assert error.value.hint == "did you mean `long code`?", near
    with pytest.raises(UsageError, match="`xyzzy`") as error:
        explain(["fails", "xyzzy"])
    assert error.value.hint == "`deckgen rules` lists them"


def test_every_rule_says_something():
    assert [rule.name for rule in rules() if not (rule.says or rule.example)] == []
    (outputs,) = explain(["outputs"])
    told = list(outputs.lines())
    assert told[0] == "outputs (Kinds of finds)"
    assert (
        "  a note (outputs; sure): What does this print? import torch print(torch.arange(4).sum()) => tensor(6)" in told
    )
    assert "  a claim (value): tensor(6)" in told
