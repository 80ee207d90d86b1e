"""Whatever stands in a source or on a screen: nothing crashes, nothing hangs, nothing passes unchecked."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import patience

from deckgen.model.claim import Prints, Shows, Snippet
from deckgen.model.observation import Event, Observation, Observed, Value
from deckgen.model.source import Span
from deckgen.model.verdict import HELD, Verdict, VerdictKind
from deckgen.verify.judge import judge, needs_no_second_run
from deckgen.written import pieces
from deckgen.written.lines import paragraphs
from deckgen.written.values import value_prefix
from tests.observing import snippets_of

SCRAPS = st.lists(
    st.sampled_from(
        "tensor( [ ] ( ) { } , : = 1 2. -3.5e-7 1e999 nan ... … 0x7f ' \" <class > `` # >>> ''' True （ ） ， 输出： \n \t  "
        "Parameter containing: torch.Size( grad_fn=<AddBackward0> j 1+2j \x1b[31m \r print(x) x = ``` - | 形状为 shape".split(
            " "
        )
    ),
    max_size=60,
).map(" ".join)


def snippet(*texts: str, code: str = "print(x)") -> Snippet:
    claims = tuple(
        Prints(id=f"{n}.1", span=Span(n, n + 1), text=text, form="marked", place="after", code_line=None)
        for n, text in enumerate(texts)
    )
    return Snippet(id="1", span=Span(0, 1), code=code, lines=(0,), language="python", headings=(), claims=claims)


def printed(text: str, *values: Value) -> Observation:
    return Observation(
        status="ran", events=(Event(kind="stdout", text=text + "\n", inner=0, outer=0, outer_end=0, values=values),)
    )


def verdict(claimed: str, shown: str) -> Verdict:
    return judge(snippet(claimed), Observed(first=printed(shown)))[0]


@given(SCRAPS)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_can_be_read_and_its_places_lie_in_it(text: str) -> None:
    places = [(piece.start, piece.stop) for piece in pieces(text)]
    assert all(0 <= start < stop <= len(text) for start, stop in places)
    assert places == sorted(places)
    assert 0 <= value_prefix(text) <= len(text)
    lines = text.split("\n")
    covered = [line for start, stop in paragraphs(lines) for line in range(start, stop)]
    assert covered == sorted(set(covered))
    assert {at for at, line in enumerate(lines) if line.strip()} <= set(covered)


@given(SCRAPS, SCRAPS)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_claim_can_be_judged_against_any_output(claimed: str, shown: str) -> None:
    subject = snippet(claimed, claimed)
    observed = Observed(first=printed(shown))
    assert len(judge(subject, observed)) == 2
    needs_no_second_run(subject, observed.first)


@given(SCRAPS)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_document_has_snippets_with_claims_that_lie_in_it(text: str) -> None:
    document = f"```python\n{text}\n```\n\n{text}\n"
    lines = document.count("\n") + 1
    found = snippets_of(document)
    ids = [claim.id for one in found for claim in one.claims]
    assert len(ids) == len(set(ids))
    for one in found:
        assert len(one.lines) == one.code.count("\n") + 1
        assert all(0 <= claim.span.start < claim.span.stop <= lines for claim in one.claims)


def test_ten_megabytes_of_output_are_judged() -> None:
    line = "tensor([1., 2., 3.])"
    shown = "\n".join([line] * 500_000)
    many = snippet(*[line] * 2000), Observed(first=printed("\n".join([line] * 2000)))
    with patience():
        assert verdict(line, shown).word in HELD
        assert judge(*many)[1999].word is VerdictKind.HOLDS


@pytest.mark.parametrize(
    "text", ["[" * 5000 + "1" + "]" * 5000, "[" * 20_000, "]" * 20_000, "(" * 3000 + "x" + "]" * 3000]
)
def test_deep_nesting_passes_only_if_it_is_the_same(text: str) -> None:
    assert verdict(text, text).word is VerdictKind.HOLDS
    assert verdict(text, text.replace("1", "2").replace("x", "y") + " 3").word not in HELD


@pytest.mark.parametrize(
    "text", ["1" * 5000, "1." + "3" * 5000, "1e" + "9" * 400, "x" * 100_000, "a=" * 20_000, "<" * 20_000, "'" * 20_001]
)
def test_long_tokens_come_to_their_end(text: str) -> None:
    with patience():
        verdict(text, "2")
        snippets_of(f"```python\nprint(x)  # {text}\n```\n")


def test_a_missing_line_and_an_extra_one_move_nothing_else() -> None:
    lines = [f"step {n}: loss {n * n}" for n in range(9)]
    shown = "\n".join([*lines[:3], "saving", *lines[3:]])
    assert [v.word for v in judge(snippet(*lines), Observed(first=printed(shown)))] == [VerdictKind.HOLDS] * 9
    claimed = [*lines[:3], "step 3: loss 5", *lines[4:]]
    words = [v.word for v in judge(snippet(*claimed), Observed(first=printed(shown)))]
    assert [n for n, word in enumerate(words) if word is not VerdictKind.HOLDS] == [3]


def test_what_was_not_run_never_holds() -> None:
    subject = snippet("1", "2")
    for reason in ("needs-cuda", "missing-name model", "timed-out"):
        observed = Observed(first=Observation(status="not-run", reason=reason))
        assert [(v.word, v.reason) for v in judge(subject, observed)] == [(VerdictKind.UNVERIFIED, reason)] * 2
    died = Observed(first=Observation(status="error", reason="crashed SIGSEGV"))
    assert {v.word for v in judge(subject, died)} == {VerdictKind.ERROR}


def test_a_claim_about_a_line_that_was_never_reached_is_unverified() -> None:
    claim = Shows(
        id="1.1", span=Span(0, 1), text="3", form="trailing-assignment", place="after", code_line=1, target="y"
    )
    subject = Snippet(
        id="1", span=Span(0, 1), code="if x:\n    y = 3", lines=(0, 1), language="", headings=(), claims=(claim,)
    )
    (found,) = judge(subject, Observed(first=Observation(status="ran")))
    assert (found.word, found.reason) == (VerdictKind.UNVERIFIED, "not-reached")


def test_what_torch_logs_of_the_machine_is_no_output() -> None:
    logged = "W1121 21:28:22.466000 22 torch/utils/cpp_extension.py:178] No CUDA runtime is found\n"
    events = (
        Event(kind="stderr", text=logged, inner=0, outer=0, outer_end=0),
        Event(kind="stdout", text="3\n", inner=0, outer=0, outer_end=0),
    )
    one = snippet("3", code="f()")
    one = replace(one, claims=tuple(replace(claim, stream="any") for claim in one.claims))
    (verdict,) = judge(one, Observed(first=Observation(status="ran", events=events)))
    assert verdict.word is VerdictKind.HOLDS
    (verdict,) = judge(one, Observed(first=Observation(status="ran", events=events[:1])))
    assert verdict.word is not VerdictKind.HOLDS
    assert "cpp_extension" not in (verdict.observed or "")
