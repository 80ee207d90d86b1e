"""Code that torch refuses is news, claim or no claim; what the notes say themselves is none."""

import pytest
from notes_checked import checked
from wrapping import ON_ONE_LINE

HEAD = "import torch\nimport torch.nn as nn\n"


def refused(code: str, heading: str = "A") -> list[tuple[int, str]]:
    failures = checked(f"# {heading}\n\n```python\n{HEAD}{code}\n```\n")[1].fails.values()
    return [(failure.line + 1, failure.message.partition(":")[0]) for failure in failures]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("pool = nn.MaxPool2d(kernel=2)", "TypeError"),
        ("x = torch.ones(2)\ny = x(3)", "TypeError"),
        ("y = torch.ones(2, 3) @ torch.ones(2)", "RuntimeError"),
        ("x = torch.ones(2)\nx.dtypes", "AttributeError"),
        ("net = nn.Linear(3, 2)\nnet(torch.ones(2, 4))", "RuntimeError"),
        ("if torch.ones(3) > 0:\n    pass", "RuntimeError"),
        ("torch.ones(3)[5]", "IndexError"),
        ("a = torch.ones(2)\na += torch.ones(3)", "RuntimeError"),
        ("x = torch.ones(2)\nif x:\n    print('yes')", "RuntimeError"),
        ("x = torch.ones(2, requires_grad=True)\nx.backwards()", "AttributeError"),
    ],
)
def test_what_a_call_of_torch_raises_is_reported_with_its_line(code: str, error: str) -> None:
    assert refused(code) == [(6 + code.count("\n"), error)] or refused(code)[0][1] == error


@pytest.mark.parametrize(
    "code",
    [
        "x.view(2)",
        "import nothing_like_this",
        "torch.load('nothing.pt')",
        "raise ValueError('mine')",
        "def f(a):\n    return a\nf()",
        "[1, 2][7]",
        "{}['a']",
        "torch.ones(2, 3).view(4)  # RuntimeError",
        "torch.ones(2, 3).view(4)  # this is wrong",
        "try:\n    torch.ones(2, 3).view(4)\nexcept RuntimeError:\n    pass",
        "nn.Linear(...)",
        "x = torch.ones(2, requires_grad=True)\nx.grad.zero_()",
        "numbers = iter(torch.utils.data.DataLoader([1]))\nnext(numbers)\nnext(numbers)",
        "assert torch.ones(1).item() == 2",
    ],
)
def test_what_is_missing_mine_or_said_is_no_news(code: str) -> None:
    assert refused(code) == []


@pytest.mark.parametrize(("lines", "one_line"), ON_ONE_LINE.values(), ids=ON_ONE_LINE)
def test_a_paragraph_says_so_where_all_of_it_is_one_line_of_the_file(lines, one_line) -> None:
    code = f"```python\n{HEAD}torch.ones(2, 3).view({{}})\n```\n\n"
    text = f"# A\n\nThis raises an error:\n\n{code.format(4)}Text.\n\n{code.format(5)}"
    for written in (lines(text), one_line(text)):
        (failure,) = checked(written)[1].fails.values()
        assert "'[5]'" in failure.message


def test_a_heading_may_say_that_it_fails() -> None:
    assert refused("torch.ones(2, 3).view(4)", heading="Common errors") == []


def test_what_comes_of_an_earlier_failure_is_not_told_again() -> None:
    text = f"# A\n\n```python\n{HEAD}x = torch.ones(2)\nx = x.view(5)\n```\n\n```python\nx @ torch.ones(3)\n```\n"
    assert len(checked(text)[1].fails) == 1


@pytest.mark.parametrize("words", ["The next code fails with a RuntimeError.", "这段代码会报错："])
def test_a_paragraph_above_may_say_it_too(words: str) -> None:
    text = f"# A\n\n{words}\n\n```python\n{HEAD}torch.ones(2, 3).view(4)\n```\n"
    assert checked(text)[1].fails == {}
