"""The code of a card without what is no part of its question."""

import pytest

from deckgen.extract.code.listing import trimmed


def test_statements_without_effect_and_unused_names_go() -> None:
    code = "x = torch.ones(2)\nx.shape\n# another one\ny = x.view(2)\nz = x * 2\nprint(z)"
    assert trimmed(code, "", "tensor([2., 2.])") == "x = torch.ones(2)\nz = x * 2\nprint(z)"


@pytest.mark.parametrize(
    "line",
    [
        "torch.manual_seed(0)",
        "torch.set_default_dtype(torch.float64)",
        "y = torch.rand(2)",
        "y = nn.Linear(2, 2)",
        "y = x.add_(1)",
        "y = torch.add(x, 1, out=x)",
        "handle = x.register_hook(print)",
        "y = f(x)",
        "opt.step()",
    ],
)
def test_what_may_have_an_effect_stays(line: str) -> None:
    code = f"{line}\nprint(x)"
    assert trimmed(code, "", "1") == code


def test_a_name_that_is_asked_for_stays() -> None:
    code = "x = torch.arange(4)\ny = x.view(2, 2)\nz = x + 1"
    assert trimmed(code, "y.shape", "(2, 2)") == code


@pytest.mark.parametrize(
    ("comment", "answer"),
    [
        ("# gives [1, 3]", "tensor([1, 3])"),
        ("# the shape is (2, 3)", "torch.Size([2, 3])"),
        ("# this will fail", "RuntimeError: no"),
        ("# is True now", "True"),
        ("# 2.5 in all", "tensor(2.5000)"),
    ],
)
def test_a_comment_that_gives_the_answer_away_goes(comment: str, answer: str) -> None:
    assert trimmed(f"{comment}\nprint(x)", "", answer) == "print(x)"


@pytest.mark.parametrize(
    ("comment", "answer"), [("# add them", "tensor([1, 3])"), ("# 12 rows", "2"), ("# Trueness", "True")]
)
def test_other_comments_stay(comment: str, answer: str) -> None:
    assert trimmed(f"{comment}\nprint(x)", "", answer) == f"{comment}\nprint(x)"
