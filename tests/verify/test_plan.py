"""Which snippets share a session, in which order, and what they are given."""

from dataclasses import replace

import pytest

from deckgen.claim import RunOptions, Snippet
from deckgen.document import Document
from deckgen.extraction import Extraction
from deckgen.source import Source, Span
from deckgen.verify.plan import Plan, plan


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


def test_a_deck_can_have_a_prelude_of_its_own() -> None:
    found = planned("print(batch)", prelude=("batch = 32",))
    assert found.sessions[0].steps[0].prelude == ("batch = 32",)


def test_a_name_that_nobody_binds_is_missing_not_failed() -> None:
    found = planned("print(unheard_of)", "print(1)")
    assert reasons(found) == {"0": "missing-name unheard_of"}
    assert found.refused["0"].needs == ("name unheard_of",)
    assert sessions(found) == [["1"]]


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
    session = found.sessions[0]
    assert [step.snippet.id for step in session.up_to(session.steps[3])] == ["0", "2", "3"]
