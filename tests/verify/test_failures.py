"""Code that torch refuses is news, claim or no claim, and so is what raises above a claim; what the notes say themselves is none."""

import pytest
from notes_checked import checked, decided, words
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
        ("x = torch.ones(2, requires_grad=True)\nx.grad.zero_()", "AttributeError"),
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
        "numbers = iter(torch.utils.data.DataLoader([1]))\nnext(numbers)\nnext(numbers)",
        "assert torch.ones(1).item() == 2",
    ],
)
def test_what_is_missing_mine_or_said_is_no_news(code: str) -> None:
    assert refused(code) == []


@pytest.mark.parametrize(
    ("code", "line", "error"),
    [
        (
            "w = torch.ones(2, requires_grad=True)\nw.grad.data.zero_()\nprint(w.shape)  # torch.Size([2])",
            7,
            "AttributeError",
        ),
        ("w = torch.ones(2)\nprint(w.grad.norm())\nw + 1\n# tensor([2., 2.])", 7, "AttributeError"),
        ("sizes = [1, 2]\nsizes[7]\nprint(torch.ones(sizes).sum())  # tensor(2.)", 7, "IndexError"),
        ("assert torch.ones(1).item() == 2\ntorch.ones(1)  # tensor([1.])", 6, "AssertionError"),
        ("def f(a):\n    return a\nf()\nprint(f(torch.ones(1)))  # tensor([1.])", 8, "TypeError"),
    ],
)
def test_whatever_raises_above_a_claim_is_reported_and_the_claim_is_judged(code: str, line: int, error: str) -> None:
    assert refused(code) == [(line, error)]
    assert words(f"```python\n{HEAD}{code}\n```\n") == ["holds"]


@pytest.mark.parametrize(
    "code",
    [
        "raise ValueError('mine')\nprint(1)  # 1",
        "x.view(2)\nprint(torch.ones(1))  # tensor([1.])",
        "import os\nos.environ.get('NOTHING').split()\nprint(1)  # 1",
        "print(torch.ones(1))  # tensor([1.])\n[1, 2][7]",
        "[1, 2][7]  # out of range: an IndexError\nprint(1)  # 1",
    ],
)
def test_what_is_said_or_missing_or_the_last_line_is_no_news_above_a_claim(code: str) -> None:
    assert refused(code) == []


STOPS = f"""# A

### How are gradients reset?

```python
{HEAD}w = torch.ones(2, requires_grad=True)
w.grad.data.zero_()
```
"""


@pytest.mark.parametrize(
    ("text", "disposition"),
    [
        (STOPS, "withhold"),
        (STOPS.replace("w.grad.data.zero_()", "w.grad = None"), "suggest"),
        (STOPS.replace("### How", "<!-- deckgen: keep -->\n\n### How"), "ship"),
        (
            STOPS.replace(
                "w.grad.data.zero_()\n", "w.grad.data.zero_()\nw + 1\n# tensor([2., 2.], grad_fn=<AddBackward0>)\n"
            ),
            "withhold",
        ),
    ],
)
def test_no_card_is_made_of_code_that_stops(text: str, disposition: str) -> None:
    assert {one.disposition.value for one in decided(text)} == {disposition}


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
