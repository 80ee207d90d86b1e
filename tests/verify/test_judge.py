"""Claims set against observations that are made by hand: what settles a verdict, and what does not."""

from collections.abc import Sequence

import pytest

from deckgen.model.claim import Prints, Raises, Snippet
from deckgen.model.observation import Event, Observation, Observed
from deckgen.model.source import Span
from deckgen.model.verdict import Verdict, VerdictKind
from deckgen.verify.judge import judge

READINGS = ("for i in range(2):\n    x = i\nprint(x)", "for i in range(2):\n    x = i\n    print(x)")


def prints(text: str, line: int | None = 0) -> Prints:
    return Prints(id="1.1", span=Span(0, 1), text=text, form="trailing", place="beside", code_line=line)


def snippet(claim: Prints | Raises, code: str = "f()", **more: object) -> Snippet:
    lines = tuple(range(code.count("\n") + 1))
    return Snippet(
        id="1", span=Span(0, 1), code=code, lines=lines, language="python", headings=(), claims=(claim,), **more
    )  # type: ignore[arg-type]


def seen(kind: str, *texts: str, line: int = 0) -> Observation:
    events = (Event(kind=kind, text=text, inner=line, outer=0, outer_end=line) for text in texts)  # type: ignore[arg-type]
    return Observation(status="ran", events=tuple(events))


def over_readings(claim: Prints, runs: Sequence[Observation], *, complete: bool = False) -> Verdict:
    unsure = snippet(claim, READINGS[0], candidates=READINGS, complete=complete)
    (verdict,) = judge(unsure, Observed(first=runs[0], candidates=tuple(runs)))
    return verdict


ONE, BOTH = seen("stdout", "1\n", line=2), seen("stdout", "0\n", "1\n", line=2)


def test_unsure_code_is_judged_by_all_its_readings() -> None:
    claim = prints("0", line=None)
    assert over_readings(claim, [BOTH, BOTH]).word is VerdictKind.HOLDS
    for runs in ([ONE, BOTH], [BOTH, ONE]):
        verdict = over_readings(claim, runs, complete=True)
        assert (verdict.word, verdict.reason) == (VerdictKind.UNVERIFIED, "assumed-indentation")


def test_one_reading_of_several_says_nothing_of_the_others() -> None:
    claim = prints("7", line=None)
    assert over_readings(claim, [ONE]).reason == "assumed-indentation"
    assert over_readings(claim, [ONE, ONE]).word is VerdictKind.CONTRADICTED
    assert over_readings(claim, [ONE, BOTH], complete=True).word is VerdictKind.CONTRADICTED


@pytest.mark.parametrize("claimed", ["3", "7"])
@pytest.mark.parametrize(("texts", "why"), [(["3\n"], None), (["3\n", "4\n"], "its line shows several things")])
def test_what_a_line_shows_twice_is_not_written_into_the_notes(claimed: str, texts: list[str], why: str | None) -> None:
    (verdict,) = judge(snippet(prints(claimed)), Observed(first=seen("stdout", *texts)))
    assert verdict.unwritable == why


def test_brackets_that_stay_open_claim_no_end() -> None:
    run = Observed(first=seen("stdout", "tensor([[1, 2],\n        [3, 4]])\n"))
    (verdict,) = judge(snippet(prints("tensor([[1, 2],")), run)
    assert (verdict.word, verdict.reason) == (VerdictKind.UNVERIFIED, "the brackets of the value do not close")
    for text in ("tensor([[1, 2]])", "tensor([[1, 2]]))"):
        assert judge(snippet(prints(text)), run)[0].word is VerdictKind.CONTRADICTED


@pytest.mark.parametrize(("claimed", "told"), [("tensor([1, 2])", "tensor([1, 3])"), ("step 7", "step 3")])
def test_of_several_things_that_differ_the_likeliest_is_told(claimed: str, told: str) -> None:
    run = Observed(first=seen("stdout", "step 3\n", "tensor([1, 3])\n", "done\n"))
    (verdict,) = judge(snippet(prints(claimed)), run)
    assert (verdict.word, verdict.observed) == (VerdictKind.CONTRADICTED, told)


@pytest.mark.parametrize(
    ("exception", "message", "word"),
    [
        ("FileNotFoundError", "a.pt", VerdictKind.CONTRADICTED),
        ("FileNotFoundError", "b.pt", VerdictKind.HOLDS),
        ("RuntimeError", "a.pt", VerdictKind.UNVERIFIED),
    ],
)
def test_a_claimed_exception_is_compared_even_if_others_would_want_its_cause(
    exception: str, message: str, word: VerdictKind
) -> None:
    text = f"{exception}: {message}"
    claim = Raises(
        id="1.1",
        span=Span(0, 1),
        text=text,
        form="raising",
        place="beside",
        code_line=0,
        exception=exception,
        message=message,
    )
    raised = seen("exception", "FileNotFoundError: [Errno 2] No such file or directory: 'b.pt'")
    assert judge(snippet(claim), Observed(first=raised))[0].word is word
