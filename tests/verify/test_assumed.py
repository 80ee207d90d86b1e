"""What a name is by what the notes show of it alone is assumed: what follows is judged by it, and the report says so."""

import pytest
from notes_checked import checked, words

from deckgen.model.verdict import VerdictKind


def transcript(*lines: str) -> str:
    return "```python\n" + "\n".join(lines) + "\n```\n"


SHOWN = ">>> a", "tensor([1, 2, 3])"


def test_what_a_transcript_shows_first_gives_later_lines_their_name() -> None:
    true = transcript(*SHOWN, ">>> a + 1", "tensor([2, 3, 4])", ">>> a.sum()", "tensor(6)")
    assert words(true) == ["unverified assumed a", "holds", "holds"]
    false = transcript(*SHOWN, ">>> a + 1", "tensor([2, 3, 4])", ">>> a.sum()", "tensor(7)")
    assert words(false) == ["unverified assumed a", "holds", "contradicted"]


def test_the_report_says_what_was_assumed() -> None:
    found = checked(transcript(*SHOWN, ">>> a.sum()", "tensor(7)"))[1]
    assert found.verdicts[1].reason == "7 claimed, torch has 6 (if `a` is what the notes show)"
    (observed,) = found.runs.values()
    assert observed.first.prelude == ("import torch", "a = torch.tensor([1, 2, 3])")


@pytest.mark.parametrize(
    ("shown", "line", "true"),
    [
        ("tensor([1., 2.], requires_grad=True)", "(a * 2).sum()", "tensor(6., grad_fn=<SumBackward0>)"),
        ("tensor([True, False])", "a.sum()", "tensor(1)"),
        ("tensor([[1, 2],\n        [3, 4]], dtype=torch.int32)", "a.t()[0]", "tensor([1, 3], dtype=torch.int32)"),
        ("array([1, 2])", "a * 2", "array([2, 4])"),
        ("[3, 4]", "torch.tensor(a).sum()", "tensor(7)"),
        ("torch.Size([2, 3])", "a.numel()", "6"),
        ("{'x': 2}", "a['x'] + 1", "3"),
    ],
)
def test_it_may_be_whatever_its_text_tells_whole(shown: str, line: str, true: str) -> None:
    assert words(transcript(">>> a", shown, f">>> {line}", true)) == ["unverified assumed a", "holds"]


@pytest.mark.parametrize(
    "shown",
    [
        "tensor([1, ..., 9])",
        "tensor(2., grad_fn=<SumBackward0>)",
        "Linear(in_features=2)",
        "b",
        "tensor(1, device='cuda:0')",
    ],
)
def test_what_its_text_does_not_tell_whole_stays_unknown(shown: str) -> None:
    assert words(transcript(">>> a", shown, ">>> a + 1", "tensor(3)"))[-1] == "unverified missing-name a"


def test_digits_that_are_not_shown_make_nothing_false() -> None:
    text = transcript(
        ">>> a", "tensor([0.3992])", ">>> a * 2", "tensor([0.7984])", ">>> a * 1000", "tensor([399.2411])"
    )
    assert words(text) == ["unverified assumed a", "holds", "unverified assumed a"]
    below = transcript(">>> b = a * 1000") + "\n" + transcript(">>> b", "tensor([399.2411])")
    assert words(f"{text}\n{below}")[-1] == "unverified assumed a"


def test_it_goes_on_into_later_code_until_it_is_shown_anew_or_bound() -> None:
    later = transcript(">>> a * 2", "tensor([2, 4, 6])")
    anew = transcript(">>> a", "tensor([5])", ">>> a + 1", "tensor([6])")
    bound = transcript(">>> import torch", ">>> a = torch.ones(1)", ">>> a", "tensor([2.])")
    assert words("\n".join([transcript(*SHOWN), later, anew, bound])) == [
        "unverified assumed a",
        "holds",
        "unverified assumed a",
        "holds",
        "contradicted",
    ]


def test_what_is_used_before_it_is_shown_is_not_assumed() -> None:
    text = transcript(">>> b = a + 1", ">>> a", "tensor([1, 2, 3])")
    assert words(text) == ["unverified missing-name a"]


def test_what_is_bound_above_is_judged() -> None:
    text = transcript(">>> import torch", ">>> a = torch.arange(3)", *SHOWN)
    assert [verdict.word for verdict in checked(text)[1].verdicts] == [VerdictKind.CONTRADICTED]
