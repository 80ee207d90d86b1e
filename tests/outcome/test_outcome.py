from dataclasses import replace

import pytest
from verdicts import api, note, results, verdict

from deckgen.model.errors import SourceError, UsageError
from deckgen.model.results import BroadWaiver, Results
from deckgen.model.verdict import Failure, NameVerdict, VerdictKind
from deckgen.outcome import FAILING, cause, hint_for, outcome, parse_fail_on, parse_min_checked


def test_true_claims_end_well():
    assert outcome(results(verdict(3, VerdictKind.HOLDS), notes=[note(1)])).exit_code == 0


@pytest.mark.parametrize("word", [VerdictKind.CONTRADICTED, VerdictKind.ERROR])
def test_a_false_claim_fails_the_run(word):
    ended = outcome(results(verdict(3, word), notes=[note(1)]))
    assert (ended.exit_code, ended.reasons) == (1, ("1 claim is false or cannot run",))


@pytest.mark.parametrize(
    "word", [NameVerdict.MISSING, NameVerdict.RENAMED, NameVerdict.SIGNATURE_DIFFERS, NameVerdict.WRONG_PAIR]
)
def test_a_false_api_name_fails_the_run(word):
    assert outcome(results(verdict(2, VerdictKind.HOLDS), api(3, word), notes=[note(1)])).exit_code == 1


@pytest.mark.parametrize("word", [VerdictKind.DRIFT_DIGITS, VerdictKind.DRIFT_FORMAT, VerdictKind.HOLDS_PATTERN])
def test_drift_does_not_fail_a_run_by_itself(word):
    assert outcome(results(verdict(3, word), notes=[note(1)])).exit_code == 0


def test_claims_of_which_none_was_checked_are_no_success():
    ended = outcome(results(verdict(3, VerdictKind.UNVERIFIED, reason="needs-cuda"), notes=[note(1)]))
    assert ended.exit_code == 1
    assert "none could be checked" in ended.reasons[0]


@pytest.mark.parametrize("least", [None, "100%"])
def test_claims_in_code_that_does_not_parse_are_not_missed_unless_somebody_asks(least):
    broken = verdict(3, VerdictKind.UNVERIFIED, reason="not-python")
    broken = replace(broken, claim=replace(broken.claim, place="unparsed"))
    run = results(broken, notes=[note(1)])
    assert outcome(run, FAILING, parse_min_checked(least)).exit_code == 0
    assert outcome(run, parse_fail_on("any")).exit_code == 1
    named = replace(run, named=frozenset({"notes.md"}), extractions=(replace(run.extractions[0], notes=()),))
    assert outcome(named).exit_code == 1


@pytest.mark.parametrize("reason", ["chance", "uninitialised"])
@pytest.mark.parametrize("least", [None, "1", "100%"])
def test_what_no_run_could_judge_makes_no_run_red_unless_somebody_asks(reason, least):
    run = results(verdict(3, VerdictKind.UNVERIFIED, reason=reason), notes=[note(1)])
    assert outcome(run, FAILING, parse_min_checked(least)).exit_code == 0
    assert outcome(run, parse_fail_on("unverified")).exit_code == 1


def test_claims_that_the_author_waives_are_not_missed():
    waived = verdict(3, VerdictKind.UNVERIFIED, reason="skipped: differs on purpose")
    assert outcome(results(waived, notes=[note(1)])).exit_code == 0


@pytest.mark.parametrize(("fail_on", "code"), [(None, 0), ("unverified", 0), ("any", 0), ("skipped", 1)])
def test_claims_about_other_versions_are_neither_false_nor_missed(fail_on, code):
    skipped = verdict(3, VerdictKind.SKIPPED, reason="torch 2.9"), api(4, NameVerdict.SKIPPED, reason="torch 2.9")
    ended = outcome(results(*skipped, notes=[note(1)]), parse_fail_on(fail_on), parse_min_checked("100%"))
    assert ended.exit_code == code


def test_a_named_source_without_a_note_or_a_claim_is_no_success():
    nothing = results(notes=[note(1)], named=frozenset({"notes.md"}))
    (found,) = nothing.extractions
    snippets = (replace(found.snippets[0], claims=()),) if found.snippets else ()
    without = replace(nothing, extractions=(replace(found, notes=(), snippets=snippets), found))
    assert outcome(without).exit_code == 1


def test_a_named_source_whose_claims_hold_is_a_success_whatever_its_notes_are_worth():
    assert outcome(results(verdict(3, VerdictKind.HOLDS), named=frozenset({"notes.md"}))).exit_code == 0


def test_a_noteless_source_inside_a_folder_is_fine():
    assert outcome(results(verdict(3, VerdictKind.HOLDS))).exit_code == 0


def test_an_unreadable_source_is_exit_3_whatever_else_is_wrong():
    broken = SourceError("not a text file", "x.md")
    ended = outcome(results(verdict(3, VerdictKind.ERROR), notes=[note(1)], unreadable=(broken,)))
    assert ended.exit_code == 3
    assert ended.reasons[0] == "x.md: not a text file"


def test_of_a_run_that_could_read_nothing_it_is_not_said_as_well_that_nothing_was_found():
    ended = outcome(Results(extractions=(), unreadable=(SourceError("no JSON", "a.ipynb"),)))
    assert (ended.exit_code, ended.reasons) == (3, ("a.ipynb: no JSON",))


def test_a_lost_claim_fails_the_run():
    assert outcome(results(verdict(3, VerdictKind.HOLDS), notes=[note(1)], lost=("notes.md:3: x",))).exit_code == 1


@pytest.mark.parametrize(("least", "code"), [("1", 0), ("2", 1), ("50%", 0), ("51%", 1)])
def test_min_checked_wants_a_number_or_a_share(least, code):
    run = results(
        verdict(3, VerdictKind.HOLDS), verdict(4, VerdictKind.UNVERIFIED, reason="timed-out"), notes=[note(1)]
    )
    assert outcome(run, FAILING, parse_min_checked(least)).exit_code == code


DRIFTED = results(verdict(3, VerdictKind.CONTRADICTED), verdict(4, VerdictKind.DRIFT_DIGITS), notes=[note(1)])


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (None, [3]),
        ("fails", [3]),
        ("drift-digits", [3, 4]),
        ("any", [3, 4]),
        ("none", []),
        ("none,drift-digits", [4]),
        ("drift-digits, none", [4]),
    ],
)
def test_words_of_fail_on_are_added_to_the_usual_ones_and_none_takes_these_away(words, lines):
    failing = parse_fail_on(words)
    assert [one.line for one in outcome(DRIFTED, failing).findings if one.fails] == lines
    assert outcome(DRIFTED, failing).exit_code == int(bool(lines))


@pytest.mark.parametrize(
    ("parse", "text"), [(parse_fail_on, "fasle"), (parse_min_checked, "many"), (parse_min_checked, "120%")]
)
def test_a_wrong_option_is_a_usage_error(parse, text):
    with pytest.raises(UsageError):
        parse(text)


def test_what_does_not_fail_the_run_is_still_told():
    (told,) = outcome(results(verdict(3, VerdictKind.CONTRADICTED)), parse_fail_on("none")).findings
    assert (told.word, told.fails) == ("contradicted", False)


def test_claims_and_api_names_are_counted_apart():
    wrong = [verdict(3, VerdictKind.CONTRADICTED), api(4, NameVerdict.MISSING), api(5, NameVerdict.RENAMED)]
    assert outcome(results(*wrong, notes=[note(1)])).reasons == (
        "1 claim is false or cannot run",
        "2 API names are wrong",
    )


def refusing(message: str, *verdicts) -> Results:
    found = results(verdict(2, VerdictKind.HOLDS), *verdicts, notes=[note(1)])
    (checked,) = found.verification.sources
    checked = replace(checked, fails={"7": Failure(line=6, message=message)})
    return replace(found, verification=replace(found.verification, sources=(checked,)))


def test_code_that_torch_refuses_is_a_warning_and_fails_only_on_demand():
    run = refusing("TypeError: no")
    told = [(one.line, one.word, one.message) for one in outcome(run).findings if one.word == "fails"]
    assert told == [(7, "fails", "TypeError: no")]
    assert outcome(run).exit_code == 0
    assert outcome(run, parse_fail_on("fails")).reasons == ("1 snippet fails, and the notes do not say so",)
    assert outcome(run, parse_fail_on("any")).exit_code == 1


def test_a_waiver_that_covers_too_much_is_a_warning_and_fails_only_on_demand():
    broad = BroadWaiver(config="deck.toml", line=3, message="covers 2 of 3 claims")
    run = results(verdict(2, VerdictKind.HOLDS), notes=[note(1)], broad_waivers=(broad,))
    told = [(one.source, one.line, one.word, one.message, one.fails) for one in outcome(run).findings]
    assert told == [("deck.toml", 3, "broad-waiver", "covers 2 of 3 claims", False)]
    assert outcome(run).exit_code == 0
    assert outcome(run, parse_fail_on("none,broad-waiver")).reasons == ("1 waiver covers too many claims",)
    assert outcome(run, parse_fail_on("any")).exit_code == 1


def test_an_error_that_a_claim_tells_already_is_told_once():
    run = refusing("TypeError: no", verdict(9, VerdictKind.ERROR, reason="line 7: TypeError: no"))
    assert [one.word for one in outcome(run).findings] == ["error"]


@pytest.mark.parametrize(
    ("reason", "count", "line"),
    [
        ("missing-module tensorboard", 42, '42 checks need tensorboard: pip install "torch-deckgen[tensorboard]"'),
        ("missing-module tqdm", 1, "1 check needs tqdm: pip install tqdm"),
        ("missing-module sklearn.datasets", 2, "2 checks need sklearn: pip install scikit-learn"),
        ("needs Python 3.12", 2, "2 checks need Python 3.12: run deckgen with that Python"),
    ],
)
def test_a_cause_is_told_with_what_mends_it(reason, count, line):
    assert hint_for(cause(reason), count) == line


@pytest.mark.parametrize("reason", ["context", "missing-name x", "environment", None])
def test_what_no_command_mends_is_told_claim_by_claim(reason):
    assert cause(reason) is None


def test_a_deck_of_a_build_without_any_note_is_named_though_another_has_some():
    found = replace(results(verdict(3, VerdictKind.HOLDS), notes=[note(1)]), noteless=("empty",))
    assert outcome(found).exit_code == 1
    assert outcome(found).reasons == ("empty: no note was found in it (`deckgen inspect empty` says why)",)
