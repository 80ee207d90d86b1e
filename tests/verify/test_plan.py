"""Which snippets share a session, in which order, and what they are given."""

from dataclasses import replace

import pytest

from deckgen.model.claim import Prints, Raises, RunOptions, Snippet
from deckgen.model.document import Document, Extraction
from deckgen.model.observation import Doubt
from deckgen.model.source import Source, Span
from deckgen.verify.plan import Plan, above_each, plan


def snippet(index: int, code: str, heading: str = "One") -> Snippet:
    lines = tuple(range(code.count("\n") + 1))
    return Snippet(
        id=str(index), span=Span(0, 1), code=code, lines=lines, language="python", headings=("Notes", heading)
    )


def planned(*codes: str | Snippet, continuous: bool = False, prelude: tuple[str, ...] = ()) -> Plan:
    snippets = tuple(code if isinstance(code, Snippet) else snippet(index, code) for index, code in enumerate(codes))
    document = Document(source=Source("notes.md", ""), reader="markdown", blocks=(), continuous=continuous)
    extraction = Extraction(document=document, notes=(), snippets=snippets, apis=(), skipped=())
    return plan(extraction, prelude, lambda name: name != "absent")


def sessions(found: Plan) -> list[list[str]]:
    return [[step.snippet.id for step in session.steps] for session in found.sessions]


def reasons(found: Plan) -> dict[str, str | None]:
    return {name: observation.reason for name, observation in found.refused.items()}


def test_closed_snippets_run_alone() -> None:
    assert sessions(planned("x = 1", "y = 2", "print(3)")) == [["0"], ["1"], ["2"]]


def test_a_free_name_joins_the_snippet_that_bound_it_last() -> None:
    assert sessions(planned("x = 1", "y = 2", "x = 3", "print(x)")) == [["0"], ["1"], ["2", "3"]]


def test_names_join_snippets_across_others() -> None:
    assert sessions(planned("x = 1", "z = 0", "y = x", "print(y)")) == [["0", "2", "3"], ["1"]]


def test_imports_do_not_join_snippets_but_are_repeated() -> None:
    found = planned("import numpy as np", "print(np.ones(2))")
    assert sessions(found) == [["0"], ["1"]]
    assert found.sessions[1].steps[0].prelude == ("import numpy as np",)


def test_the_prelude_is_reported() -> None:
    found = planned("print(torch.ones(2), F.relu)")
    assert found.sessions[0].steps[0].prelude == ("import torch", "import torch.nn.functional as F")


UNLIKE_THE_PRELUDE = {
    "for name, model in models.items(): print(name)": "models",
    "print(len(models))": "models",
    "transforms.append(1)": "transforms",
    "print(time)": "time",
    "print(checkpoint['epoch'])": "checkpoint",
    "checkpoint.keys()": "checkpoint",
}


@pytest.mark.parametrize("code", UNLIKE_THE_PRELUDE)
def test_a_name_of_the_prelude_that_is_used_as_something_else_is_missing(code: str) -> None:
    assert reasons(planned(code)) == {"0": f"missing-name {UNLIKE_THE_PRELUDE[code]}"}


@pytest.mark.parametrize("code", ["print(time.time())", "copy.copy(x := 1)", "print(checkpoint(abs, 1))", "np.insert"])
def test_a_name_of_the_prelude_that_is_used_as_such_is_given(code: str) -> None:
    assert len(planned(code).sessions[0].steps[0].prelude) == 1


def test_a_deck_can_have_a_prelude_of_its_own() -> None:
    found = planned("print(batch)", prelude=("batch = 32",))
    assert found.sessions[0].steps[0].prelude == ("batch = 32",)


def test_a_name_that_nobody_binds_is_missing_not_failed() -> None:
    found = planned("print(unheard_of)", "print(1)")
    assert reasons(found) == {"0": "missing-name unheard_of"}
    assert found.refused["0"].needs == ("name unheard_of",)
    assert sessions(found) == [["1"]]


def test_what_can_do_without_a_missing_name_runs() -> None:
    found = planned("x = 1\nprint(x)\ny = model(x)\nz = y + 1\nprint(x)")
    (step,) = found.sessions[0].steps
    assert step.needs == ("name model",)
    assert step.reason == "missing-name model"
    assert {index: sorted(one.binds) for index, one in step.lame.items()} == {2: ["y"], 3: ["z"]}
    assert step.doubt == Doubt("missing-name model", 2)


HOPELESS = {
    "for epoch in range(num_epochs):\n    train(epoch)": "missing-name num_epochs",
    "import absent\nprint(absent.f())": "missing-module absent",
    "import absent": None,
    "import torch\n'a text'\nmodel.eval()": "missing-name model",
    "class Net(Base): pass\nnet = Net()\nprint(net)": "missing-name Base",
    "from absent import *\nprint(anything)": "missing-module absent",
    "x = model(1)\nx += 1\nprint(x)": "missing-name model",
}


@pytest.mark.parametrize("code", HOPELESS)
def test_a_snippet_in_which_nothing_can_do_without_is_not_run(code: str) -> None:
    assert reasons(planned(code)).get("0", "ran") == (HOPELESS[code] or "missing-module absent")


def test_a_missing_package_casts_no_doubt_on_what_does_not_use_it() -> None:
    found = planned("import absent\nx = 1\nprint(x)\nabsent.f(x)\nprint(x)")
    (step,) = found.sessions[0].steps
    assert (step.reason, step.needs) == ("missing-module absent", ("module absent",))
    assert step.doubt == Doubt("missing-module absent", 3)


def test_a_function_may_want_a_package_that_is_missing() -> None:
    found = planned("import absent\ndef plot(): absent.plot()\nprint(1)")
    assert found.sessions[0].steps[0].doubt is None


def test_a_missing_name_that_is_claimed_to_be_missing_is_looked_for() -> None:
    claim = Raises(
        id="1", span=Span(0, 1), text="NameError: name 'x' is not defined", form="trailing", place="after", code_line=0,
        exception="NameError", message="name 'x' is not defined",
    )  # fmt: skip
    assert sessions(planned(replace(snippet(0, "print(x)"), claims=(claim,)))) == [["0"]]


def test_what_was_bound_before_something_was_missing_is_there_for_others() -> None:
    found = planned("x = 1\ny = model(x)", "print(x)", "print(y)")
    assert sessions(found) == [["0", "1"]]
    assert reasons(found) == {"2": "missing-name y"}


def test_an_older_value_does_not_pass_for_one_that_is_missing() -> None:
    found = planned("x = 1", "print(1)\nx = model(x)", "print(x)")
    assert reasons(found) == {"2": "missing-name x"}


def test_what_a_missing_function_would_have_worked_on_is_doubtful_for_others() -> None:
    found = planned("x = [1]\ny = [2]\nfill(x)", "print(x)", "print(y)", "x = 3\nprint(x)")
    doubts = {step.snippet.id: step.doubt for session in found.sessions for step in session.steps}
    assert doubts["1"] == Doubt("missing-name fill", 0)
    assert doubts["2"] is None
    assert doubts["3"] is None


def test_deleting_a_name_needs_it() -> None:
    assert sessions(planned("x = 1", "del x", "print(x)")) == [["0", "1", "2"]]


def test_what_a_refused_snippet_would_have_bound_is_missing_too() -> None:
    assert reasons(planned("import absent\nx = absent.f()", "print(x)")) == {
        "0": "missing-module absent",
        "1": "missing-name x",
    }


@pytest.mark.parametrize(
    ("code", "reason"),
    [("torch.rand(size)", "signature-only"), ("pip install x", "not-python shell"), ("x = ...", "placeholder")],
)
def test_what_is_no_program_says_why(code: str, reason: str) -> None:
    assert reasons(planned(code)) == {"0": reason}


def test_a_call_like_a_signature_is_code_when_its_names_are_known_and_its_output_is_told() -> None:
    call = snippet(1, "torch.abs(x)")
    told = Prints(id="c", span=call.span, text="tensor(1)", form="following", place="after", code_line=None)
    assert reasons(planned("x = torch.tensor(-1)", replace(call, claims=(told,)))) == {}
    assert reasons(planned("x = torch.tensor(-1)", call)) == {"1": "signature-only"}
    assert reasons(planned("y = torch.tensor(-1)", replace(call, claims=(told,)))) == {"1": "signature-only"}


def test_what_the_author_forbids_is_skipped() -> None:
    one = replace(snippet(0, "print(1)"), options=RunOptions(no_run=True))
    assert reasons(planned(one)) == {"0": "skipped"}


def test_a_notebook_is_one_session() -> None:
    assert sessions(planned("x = 1", "y = 2", continuous=True)) == [["0", "1"]]


def test_a_name_from_another_chapter_is_context() -> None:
    found = planned(snippet(0, "x = 1", "One"), snippet(1, "print(x)", "Two"), snippet(2, "x + 1", "One"))
    assert [step.context for step in found.sessions[0].steps] == [(), ("x",), ()]


def test_a_function_may_want_what_never_comes() -> None:
    found = planned("def train():\n    for x in loader: pass\nprint(1)")
    assert sessions(found) == [["0"]]
    assert found.sessions[0].steps[0].needs == ("name loader",)


def test_only_what_a_step_needs_comes_before_it() -> None:
    found = planned("x = 1", "y = x", "z = x", "print(z)")
    assert [step.snippet.id for step in above_each(found.sessions[0].steps)[3]] == ["0", "2"]
