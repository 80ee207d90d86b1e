"""Text in a fence below code may explain it: it is no false output."""

import pytest
from notes_checked import words


def told(code: str, below: str) -> list[str]:
    return words(f"```python\nimport torch\nx = torch.arange(3)\n{code}\n```\n\n```text\n{below}\n```\n")


@pytest.mark.parametrize(
    ("code", "below"),
    [
        ("print(x)", "x is a vector\nwith three elements"),
        ("print(x.shape)\nprint(x.dtype)", "Notes:\n- one axis\n- of 3 integers"),
        ("x.sum()", "A sum over all axes is a scalar."),
    ],
)
def test_words_below_code_that_shows_values_alone_are_no_false_output(code: str, below: str) -> None:
    verdicts = told(code, below)
    assert verdicts
    assert all(verdict.startswith("unverified words") for verdict in verdicts)


@pytest.mark.parametrize(
    ("code", "below", "verdicts"),
    [
        ("print(x)", "tensor([0, 1, 3])\nand no more", ["contradicted", "contradicted"]),
        ("print('a vector')", "a matrix", ["contradicted"]),
        ("print(f'{x.sum()} in all')", "four in all", ["contradicted"]),
        ("print(x)", "tensor([0, 1, 2])\nand no more", ["holds", "contradicted"]),
    ],
)
def test_words_where_values_or_words_are_printed_are_compared(code: str, below: str, verdicts: list[str]) -> None:
    assert told(code, below) == verdicts
