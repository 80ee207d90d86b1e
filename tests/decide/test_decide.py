from collections import Counter
from dataclasses import replace

import pytest
from verdicts import HERE, api, note, output_note, results, verdict

from deckgen.decide import Policy, broad, decide, identity, lost, rejudged, waive
from deckgen.model.claim import Raises
from deckgen.model.config import Waiver
from deckgen.model.note import UNREAD, Api, Note, Output
from deckgen.model.results import Disposition
from deckgen.model.source import line_span
from deckgen.model.verdict import NameVerdict, Verdict, VerdictKind


def ruled(one, *verdicts, policy=None):
    checked = {source.source: source for source in results(*verdicts, notes=[one]).verification.sources}
    (decision,) = decide([one], checked, HERE, policy or Policy())
    return decision


def api_note(line: int, *rests_on: str, name: str = "title", **more) -> Note:
    return replace(note(line, *rests_on, body=Api(name=name, signature=name, meaning="what it is")), **more)


def test_a_name_that_torch_does_not_know_is_no_card():
    decision = ruled(api_note(3, "a3"), api(3, NameVerdict.NOT_AN_API))
    assert decision.disposition is Disposition.WITHHOLD
    assert "called `title`" in (decision.why or "")
    unknown = api(3, NameVerdict.UNVERIFIED, reason="torch has no `Title` that the notes could mean")
    assert ruled(api_note(3, "a3"), unknown).disposition is Disposition.WITHHOLD
    assert ruled(api_note(3)).disposition is Disposition.WITHHOLD


@pytest.mark.parametrize(
    ("one", "verdicts"),
    [
        (api_note(3, "a3", kept=True), [api(3, NameVerdict.NOT_AN_API)]),
        (api_note(3, "a3", explicit_id="title"), [api(3, NameVerdict.NOT_AN_API)]),
        (api_note(3, "a3", name="__getitem__"), [api(3, NameVerdict.NOT_AN_API)]),
        (api_note(3, "a3"), [api(3, NameVerdict.UNVERIFIED, reason="missing-module torchvision: not part of torch")]),
        (api_note(3, "a3", "a4"), [api(3, NameVerdict.NOT_AN_API), api(4, NameVerdict.EXISTS)]),
        (api_note(3, name="torch.optim.Adamax"), []),
    ],
    ids=["kept", "with an id", "a protocol", "of another module", "beside one that is known", "not looked up"],
)
def test_a_name_is_a_card_all_the_same(one, verdicts):
    assert ruled(one, *verdicts).disposition is Disposition.SHIP


def test_learners_keep_the_card_of_a_name_that_torch_does_not_know():
    one = api_note(3, "a3")
    policy = Policy(shipped={one})
    assert ruled(one, api(3, NameVerdict.NOT_AN_API), policy=policy).disposition is Disposition.SHIP


def test_a_note_that_rests_on_nothing_is_shipped_without_a_stamp():
    decision = ruled(note(1))
    assert (decision.disposition, decision.stamp) == (Disposition.SHIP, "")


def test_a_note_whose_claim_holds_is_stamped_with_the_torch_that_said_so():
    assert ruled(note(1, "3.1"), verdict(3, VerdictKind.HOLDS)).stamp == "code checked on torch 2.13.0, cpu"


def test_a_note_of_which_only_names_were_looked_up_claims_no_more():
    assert ruled(note(1, "a3"), api(3, NameVerdict.EXISTS)).stamp == "API names checked on torch 2.13.0"


def test_a_note_that_also_says_what_nothing_can_check_is_not_called_checked():
    decision = ruled(note(1, "3.1", UNREAD), verdict(3, VerdictKind.HOLDS))
    assert (decision.disposition, decision.stamp.partition(":")[0]) == (Disposition.SHIP, "not checked")


@pytest.mark.parametrize(
    ("reason", "stamp"),
    [
        ("skipped: differs on purpose", "not checked: differs on purpose"),
        ("skipped", "not checked: skipped by the author"),
    ],
)
def test_a_claim_that_the_author_waives_takes_no_card_away(reason, stamp):
    one = output_note(1, "3.1")
    decision = ruled(one, verdict(3, VerdictKind.UNVERIFIED, reason=reason))
    assert (decision.disposition, decision.stamp) == (Disposition.SHIP, stamp)
    assert list(lost([decision], {identity(None, one.key): ("holds",)})) == []


def test_what_was_about_other_versions_at_the_last_build_is_not_lost_where_it_cannot_be_checked():
    one = note(1, "3.1")
    decision = ruled(one, verdict(3, VerdictKind.UNVERIFIED, reason="missing-module tqdm"))
    assert list(lost([decision], {identity(None, one.key): ("skipped",)})) == []
    assert list(lost([decision], {identity(None, one.key): ("holds",)})) != []


def test_what_holds_and_what_is_about_other_versions_make_a_card_without_a_stamp_that_vouches_for_both():
    one = output_note(1, "3.1", "4.1")
    decision = ruled(one, verdict(3, VerdictKind.HOLDS), verdict(4, VerdictKind.SKIPPED, reason="torch 2.9"))
    assert (decision.disposition, decision.stamp) == (Disposition.SHIP, "not checked: torch 2.9")
    assert list(lost([decision], {identity(None, one.key): ("holds",)})) == []


def test_a_waiver_does_not_hide_that_another_claim_of_the_note_is_random():
    decision = ruled(
        output_note(1, "3.1", "4.1"),
        verdict(3, VerdictKind.UNVERIFIED, reason="skipped: differs on purpose"),
        verdict(4, VerdictKind.HOLDS_STRUCTURE),
    )
    assert decision.disposition is Disposition.WITHHOLD


@pytest.mark.parametrize("first", ["skipped: differs on purpose", "missing-module pandas"])
def test_a_waiver_does_not_hide_that_another_claim_of_the_note_could_not_be_checked(first):
    second = {"skipped: differs on purpose": "missing-module pandas"}.get(first, "skipped: differs on purpose")
    found = [verdict(line, VerdictKind.UNVERIFIED, reason=reason) for line, reason in ((3, first), (4, second))]
    decision = ruled(output_note(1, "3.1", "4.1"), *found)
    assert decision.disposition is Disposition.WITHHOLD
    assert decision.why == "its output could not be checked: missing-module pandas"
    told = ruled(note(1, "3.1", "4.1"), *found)
    assert (told.stamp, told.waived) == ("not checked: missing-module pandas", False)
    assert len(list(lost([told], {identity(None, told.note.key): ("holds",)}))) == 1


def test_an_output_that_is_no_fact_says_so_and_not_that_nobody_checked_it():
    found = [verdict(3, VerdictKind.HOLDS), verdict(4, VerdictKind.HOLDS_PATTERN)]
    assert "nothing to recall" in (ruled(output_note(1, "3.1", "4.1"), *found).why or "")


def test_an_output_that_was_never_run_as_its_card_shows_it_is_not_corrected():
    one, false = output_note(1, "3.1"), verdict(3, VerdictKind.CONTRADICTED, observed="tensor(2)")
    unrun = {source.source: replace(source, cards={}) for source in results(false, notes=[one]).verification.sources}
    (new,) = decide([one], unrun, HERE, Policy(on_contradiction="correct"))
    assert new.disposition is Disposition.WITHHOLD
    (learnt,) = decide([one], unrun, HERE, Policy(shipped={one}))
    assert (learnt.disposition, learnt.stamp.partition(":")[0]) == (Disposition.CORRECT, "not checked")


@pytest.mark.parametrize("shipped", [False, True])
def test_where_torch_says_nothing_instead_there_is_no_correction(shipped):
    one = note(1, "a3")
    policy = Policy(on_contradiction="correct", shipped={one} if shipped else ())
    assert ruled(one, api(3, NameVerdict.MISSING), policy=policy).disposition is Disposition.WITHHOLD


@pytest.mark.parametrize("policy", [Policy(on_contradiction="keep"), Policy(on_contradiction="withhold")])
def test_no_stamp_vouches_for_what_is_false(policy):
    assert (
        ruled(output_note(1, "3.1"), verdict(3, VerdictKind.CONTRADICTED), policy=policy).stamp
        == "torch 2.13.0 says otherwise"
    )


def test_an_emulated_device_is_never_called_cuda():
    assert ruled(note(1, "3.1"), verdict(3, VerdictKind.HOLDS, device="cuda-emulated")).stamp.endswith("CUDA emulated")


@pytest.mark.parametrize("word", [VerdictKind.CONTRADICTED, VerdictKind.ERROR])
def test_a_new_note_that_torch_contradicts_is_withheld(word):
    decision = ruled(note(1, "3.1"), verdict(3, word, observed="tensor(2)"))
    assert decision.disposition is Disposition.WITHHOLD
    assert "tensor(2)" in (decision.why or "")


def test_a_note_that_learners_have_is_corrected_instead():
    one = note(1, "3.1")
    policy = Policy(shipped={one})
    decision = ruled(one, verdict(3, VerdictKind.CONTRADICTED, observed="tensor(2)"), policy=policy)
    assert (decision.disposition, decision.claimed, decision.observed) == (
        Disposition.CORRECT,
        "tensor(1)",
        "tensor(2)",
    )


def test_an_output_of_several_claims_is_corrected_where_it_is_false():
    several = replace(output_note(1, "3.1", "4.1"), body=Output(code="f()", claims=("3.1", "4.1"), output="1\n1"))
    found = [verdict(3, VerdictKind.HOLDS, text="1"), verdict(4, VerdictKind.CONTRADICTED, text="1", observed="2")]
    decision = ruled(several, *found, policy=Policy(on_contradiction="correct"))
    assert (decision.disposition, decision.observed) == (Disposition.CORRECT, "1\n2")


def test_an_output_that_the_notes_dress_is_corrected_claim_by_claim():
    several = replace(output_note(1, "3.1", "4.1"), body=Output(code="f()", claims=("3.1", "4.1"), output="..."))
    found = [verdict(3, VerdictKind.HOLDS, text="1"), verdict(4, VerdictKind.CONTRADICTED, text="1", observed="2")]
    assert ruled(several, *found, policy=Policy(on_contradiction="correct")).observed == "1\n2"


def test_an_error_that_ends_the_code_is_told_once():
    several = replace(output_note(1, "3.1", "4.1"), body=Output(code="f()", claims=("3.1", "4.1"), output="1\n2"))
    found = [
        verdict(line, VerdictKind.ERROR, text=text, observed="TypeError: no") for line, text in ((3, "1"), (4, "2"))
    ]
    assert ruled(several, *found, policy=Policy(on_contradiction="correct")).observed == "TypeError: no"


def test_an_address_is_no_part_of_what_is_true_instead():
    false = verdict(3, VerdictKind.CONTRADICTED, observed="<CloneBackward0 object at 0x7f5052383d30>")
    decision = ruled(output_note(1, "3.1"), false, policy=Policy(on_contradiction="correct"))
    assert decision.observed == "<CloneBackward0 object at 0x…>"


def test_the_author_may_keep_a_false_note():
    policy = Policy(on_contradiction="keep")
    assert ruled(note(1, "3.1"), verdict(3, VerdictKind.CONTRADICTED), policy=policy).disposition is Disposition.SHIP


def test_a_false_name_in_a_table_row_withholds_its_note():
    decision = ruled(note(1, "a3"), api(3, NameVerdict.RENAMED, suggestion="torch.concat"))
    assert decision.disposition is Disposition.WITHHOLD


@pytest.mark.parametrize(
    ("word", "disposition"),
    [
        (VerdictKind.HOLDS, Disposition.SHIP),
        (VerdictKind.DRIFT_FORMAT, Disposition.SHIP),
        (VerdictKind.HOLDS_STRUCTURE, Disposition.WITHHOLD),
        (VerdictKind.HOLDS_PATTERN, Disposition.WITHHOLD),
        (VerdictKind.UNVERIFIED, Disposition.WITHHOLD),
    ],
)
def test_an_output_is_asked_for_only_if_it_is_always_the_same(word, disposition):
    assert ruled(output_note(1, "3.1"), verdict(3, word, reason="x")).disposition is disposition


def test_a_note_that_could_not_be_checked_says_why():
    decision = ruled(note(1, "3.1"), verdict(3, VerdictKind.UNVERIFIED, reason="missing-module pandas"))
    assert (decision.disposition, decision.unverified) == (Disposition.SHIP, True)
    assert decision.stamp == "not checked: missing-module pandas"


def test_without_running_every_stamp_says_so():
    assert ruled(note(1, "3.1"), policy=Policy(run=False)).stamp == "not checked"


def test_a_note_that_claims_nothing_has_the_same_stamp_run_or_not():
    assert ruled(note(1), policy=Policy(run=False)).stamp == ruled(note(1)).stamp == ""


def test_a_waived_claim_is_unverified_with_the_authors_reason():
    (checked,) = results(
        verdict(3, VerdictKind.CONTRADICTED), verdict(4, VerdictKind.HOLDS, text="5")
    ).verification.sources
    used = Counter[Waiver]()
    waived = waive(checked, [Waiver("tensor(1)", "on purpose"), Waiver("tensor(9)", "gone")], used)
    assert [(one.word, one.reason) for one in waived.verdicts] == [
        (VerdictKind.UNVERIFIED, "skipped: on purpose"),
        (VerdictKind.HOLDS, None),
    ]
    assert {waiver.reason: count for waiver, count in used.items()} == {"on purpose": 1}


@pytest.mark.parametrize(
    ("covered", "among", "said"),
    [
        (1, 10, []),
        (2, 20, []),
        (3, 20, ["covers 3 of 20 claims"]),
        (1, 2, ["covers 1 of 2 claims"]),
        (1, 1, ["covers 1 of 1 claim, and no claim of the deck is left to check"]),
    ],
)
def test_a_waiver_may_cover_a_tenth_of_the_claims(covered, among, said):
    found = [
        verdict(line, VerdictKind.HOLDS, text="tensor(7)" if line <= covered else "5") for line in range(1, among + 1)
    ]
    (checked,) = results(*found).verification.sources
    used = Counter[Waiver]()
    verdicts = waive(checked, [Waiver("tensor(7)", "on purpose")], used).verdicts
    assert [why.removeprefix("the waiver for `tensor(7)` ") for _, why in broad(used, verdicts)] == said


def test_waivers_that_leave_nothing_to_check_are_all_too_broad():
    (checked,) = results(
        *(verdict(line, VerdictKind.HOLDS, text=f"tensor({line})") for line in range(10, 30))
    ).verification.sources
    used = Counter[Waiver]()
    waivers = [Waiver(f"tensor({line})", "x") for line in range(10, 30)]
    assert len(list(broad(used, waive(checked, waivers, used).verdicts))) == 20
    used.clear()
    assert list(broad(used, waive(checked, waivers[1:], used).verdicts)) == []


def test_a_note_under_the_key_of_one_that_learners_have_is_not_theirs():
    one, other = api_note(3, "a3"), note(1)
    policy = Policy(shipped={replace(other, key=one.key)})
    assert ruled(one, api(3, NameVerdict.NOT_AN_API), policy=policy).disposition is Disposition.WITHHOLD


def test_an_output_that_learners_have_is_not_taken_away_where_it_cannot_be_checked():
    one = output_note(1, "3.1")
    policy = Policy(shipped={one})
    decision = ruled(one, verdict(3, VerdictKind.UNVERIFIED, reason="missing-module tensorboard"), policy=policy)
    assert (decision.disposition, decision.unverified) == (Disposition.SHIP, True)


@pytest.mark.parametrize(
    ("words", "reason", "told"),
    [
        (
            ["holds"],
            "missing-module pandas",
            ["notes.md:1"],
        ),
        (["holds"], "needs-cuda", []),
        (["holds-structure"], "chance", []),
        (["holds-structure"], "uninitialised", []),
        (["unverified"], "missing-module pandas", []),
        ([], "missing-module pandas", []),
    ],
)
def test_what_was_checked_and_is_not_any_more_is_lost(words, reason, told):
    decision = ruled(note(1, "3.1"), verdict(3, VerdictKind.UNVERIFIED, reason=reason))
    lines = list(lost([decision], {identity(None, decision.note.key): words}))
    assert [line.partition(": ")[0] for line in lines] == told


@pytest.mark.parametrize(
    ("words", "reason", "told"),
    [
        (["holds-structure"], "chance", True),
        (["holds-pattern"], "uninitialised", True),
        (["holds"], "missing-module pandas", False),
        (["unverified"], "chance", False),
        ([], "chance", False),
    ],
)
def test_what_an_older_deckgen_held_and_none_can_judge_is_told_and_stays_with_its_learners(words, reason, told):
    one = note(1, "3.1")
    decision = ruled(one, verdict(3, VerdictKind.UNVERIFIED, reason=reason), policy=Policy(shipped={one}))
    assert decision.disposition is Disposition.SHIP
    lines = list(rejudged([decision], {identity(None, one.key): words}))
    assert [line.partition(": ")[0] for line in lines] == ["notes.md:1"] * told


def of_error(text: str, word: VerdictKind, message: str = "") -> tuple[Note, Verdict]:
    """A note that asks for an error and answers with `text`, and what torch raised."""
    claim = Raises(
        id="3.1",
        span=line_span(2),
        text=text,
        form="raising",
        place="after",
        code_line=0,
        exception="TypeError",
        message=message,
    )
    raised = "TypeError: new(): invalid data type 'str'. And more."
    asked = output_note(1, "3.1")
    return replace(asked, body=replace(asked.body, output=text)), Verdict(claim=claim, word=word, observed=raised)


@pytest.mark.parametrize("text", ["报错", "TypeError"])
def test_an_error_of_which_the_notes_say_no_more_is_told_as_torch_tells_it(text):
    assert ruled(*of_error(text, VerdictKind.HOLDS)).note.body.output == "TypeError: new(): invalid data type 'str'."


def test_a_message_that_the_notes_give_stays_theirs():
    asked, verdict_ = of_error("TypeError: invalid data type", VerdictKind.HOLDS, message="invalid data type")
    assert ruled(asked, verdict_).note == asked


def default(line, word=NameVerdict.EXISTS, **more):
    """What became of a stated default."""
    found = api(line, word, text="Dropout(p)", compared=more.pop("compared", True), **more)
    return replace(found, claim=replace(found.claim, default="0.1"))


def test_a_note_whose_defaults_were_compared_says_so():
    decision = ruled(note(1, "a3", "a4"), api(3, NameVerdict.EXISTS), default(4))
    assert decision.stamp == "API names and defaults checked on torch 2.13.0"


def test_a_default_that_torch_does_not_tell_is_not_called_checked():
    decision = ruled(note(1, "a3", "a4"), default(3), default(4, compared=False))
    assert decision.stamp == "API names checked on torch 2.13.0"


def test_a_note_that_names_nothing_of_torch_has_no_stamp():
    assert ruled(note(1, "a3"), api(3, NameVerdict.NOT_AN_API)).stamp == ""


def test_a_false_default_tells_what_the_notes_say_and_what_is_to_stand_in_its_place():
    one = note(1, "a3")
    policy = Policy(shipped={one})
    decision = ruled(one, default(3, NameVerdict.SIGNATURE_DIFFERS, suggestion="p=0.5"), policy=policy)
    assert (decision.claimed, decision.observed) == ("p=0.1", "p=0.5")
    assert decision.corrections == (("0.1", "0.5"),)


def test_numbers_that_are_a_shape_are_asked_for_as_one():
    one = output_note(1, "3.1")
    asked = replace(one, body=replace(one.body, prompt="What is `x`?", asks_shape="What is the shape of `x`?"))
    assert ruled(asked, verdict(3, VerdictKind.HOLDS)).note.body.prompt == "What is `x`?"
    assert ruled(asked, verdict(3, VerdictKind.HOLDS, shape=True)).note.body.prompt == "What is the shape of `x`?"
