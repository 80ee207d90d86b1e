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


@pytest.mark.parametrize("line", ["y = torch.rand(2)", "y = nn.Linear(2, 2)"])
def test_what_draws_numbers_that_nobody_uses_stays_only_below_a_seed(line: str) -> None:
    assert trimmed(f"{line}\nprint(x)", "", "1") == "print(x)"
    seeded = f"torch.manual_seed(0)\n{line}\nprint(x)"
    assert trimmed(seeded, "", "1") == seeded


def test_functions_and_classes_that_nobody_uses_go_and_so_do_results_of_functions_that_only_compute() -> None:
    function = "def f(x):\n    return x * 2"
    assert trimmed(f"{function}\nclass A:\n    pass\nprint(x)", "", "1") == "print(x)"
    assert trimmed(f"{function}\ny = f(x)\nprint(x)", "", "1") == "print(x)"
    for running in ("class A:\n    t.add_(3)", "def g(x=t.add_(3)):\n    pass", "class A(Base):\n    pass"):
        assert trimmed(f"{running}\nprint(t)", "", "1") == f"{running}\nprint(t)"
    noted = "def f(x):\n    seen.append(x)\n    return x"
    assert trimmed(f"{noted}\ny = f(x)\nprint(x)", "", "1") == f"{noted}\ny = f(x)\nprint(x)"


def test_a_name_that_hides_one_of_python_stays() -> None:
    code = "input = torch.zeros(2, 3)\nprint(input.size())"
    assert trimmed(code, "", "torch.Size([2, 3])") == code


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
