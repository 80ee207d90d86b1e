"""A fence that nobody closed is told with its line, and no other one."""

import pytest

from deckgen.extract import extract
from deckgen.model.source import Source
from deckgen.read import read

OPEN = "# A\n\n```python\nprint(1)  # 1\n\n"


def told(text: str) -> list[tuple[int, str]]:
    return [(remark.span.first, remark.text) for remark in extract(read(Source("notes.md", text))).remarks]


def test_a_fence_that_runs_into_the_next_one_is_told() -> None:
    ((line, said),) = told(OPEN + "## B\n\nText.\n\n```python\nprint(2)\n```\n")
    assert line == 3
    assert said.startswith("this fence is not closed above line 10")


@pytest.mark.parametrize(
    "below", ["## B\n\nText is no code.\n", "It returns a view.\n", "它返回视图。\n", "| a | b |\n|---|---|\n"]
)
def test_a_fence_that_takes_the_rest_of_the_notes_is_told(below: str) -> None:
    ((line, said),) = told(OPEN + below)
    assert line == 3
    assert said.startswith("this fence is never closed")


@pytest.mark.parametrize(
    "text",
    [
        OPEN + "print(2)",
        OPEN + "# What comes now is a comment\nprint(2)",
        OPEN + "```\n\nText.\n\n```python\nprint(2)\n```\n",
        "````markdown\n```python\nprint(1)\n```\n````\n",
        "```markdown\n```python\nprint(1)\n```\n",
        "- item\n\n  ```python\n  print(1)\n  ```\n\n## B\n",
        '```python\ntext = """\n```\n"""\n```\n',
    ],
)
def test_nothing_is_told_of_notes_that_end_with_code_or_quote_fences(text: str) -> None:
    assert told(text) == []
