"""Where a mark of versions stands in a source, and that it is about nothing else."""

from __future__ import annotations

import pytest
from carded import extracted

from deckgen.model.document import Extraction
from deckgen.since import claims_of, marked, only_marks_moved, with_lines


def bounded(text: str, *claims: str, mark: str = "{torch>=2.9}") -> tuple[str, str | None, dict[str, str]]:
    """(the text with marks for these claims, what is wrong with it, what was left)."""
    before = extracted(text)
    marks = {one.id: mark for one in claims_of(before) if one.text in claims}
    assert marks, [one.text for one in claims_of(before)]
    lines, left = marked(before, marks)
    after = with_lines(before.document.source, lines).text
    return after, only_marks_moved(before, extracted(after), marks), left


def names(extraction: Extraction) -> list[str]:
    return [one.text for one in claims_of(extraction)]


@pytest.mark.parametrize(
    ("text", "claim", "line", "marked_line"),
    [
        ("# A\n\n~~~python\nimport torch\nprint(torch.ones(1))  # tensor([1.])\n~~~\n", "tensor([1.])", 3, "~~~python {torch>=2.9}"),
        ("# A\n\n| Name | What |\n|---|---|\n| `torch.numel(x)` | counts \\| sums |\n", "torch.numel(x)", 5, "| `torch.numel(x)` {torch>=2.9} | counts \\| sums |"),
        ("# A\n\n- `torch.numel(x)`: counts\n- `torch.add(x, y)`: adds\n", "torch.numel(x)", 3, "- `torch.numel(x)`: counts {torch>=2.9}"),
        ("# A\n\nA line with `torch.numel` in it  \nand another one.\n", "torch.numel", 3, "A line with `torch.numel` in it {torch>=2.9}  "),
    ],
)  # fmt: skip
def test_a_mark_stands_where_its_author_would_write_it(text: str, claim: str, line: int, marked_line: str) -> None:
    after, problem, left = bounded(text, claim)
    assert (problem, left) == (None, {})
    assert after.split("\n")[line - 1] == marked_line
    assert names(extracted(after)) == names(extracted(text))


def test_a_mark_that_is_about_its_neighbour_too_is_found_out() -> None:
    text = "# A\n\n- `torch.numel(x)`: counts, as `torch.add(x, y)` adds\n"
    _, problem, _ = bounded(text, "torch.numel(x)")
    assert problem == "its mark would be about `torch.add(x, y)` of line 3, too"


def test_what_nobody_could_judge_goes_with_its_fence() -> None:
    before = extracted(
        "# A\n\n```python\nimport torch\nprint(torch.ones(1))  # tensor([1.])\nprint(torch.ones(2))  # tensor([1., 1.])\n```\n"
    )
    first, second = (one.id for one in claims_of(before) if one.text.startswith("tensor"))
    lines, _ = marked(before, {first: "{torch>=2.9}"})
    after = extracted(with_lines(before.document.source, lines).text)
    assert only_marks_moved(before, after, {first: "{torch>=2.9}"}, {second}) is None
    assert "`tensor([1., 1.])` of line 6, too" in (only_marks_moved(before, after, {first: "{torch>=2.9}"}) or "")


def test_a_mark_that_no_reader_takes_for_one_is_found_out() -> None:
    before = extracted("# A\n\nA line with `torch.numel` in it.\n")
    after = extracted("# A\n\nA line with `torch.numel` in it.\n")
    marks = {one.id: "{torch>=2.9}" for one in claims_of(before)}
    assert only_marks_moved(before, after, marks) == "a mark on its line would not be about it"


def test_code_without_a_fence_is_left() -> None:
    text = "# A\n\n    >>> import torch\n    >>> torch.ones(1) + 1\n    tensor([2.])\n"
    _, _, left = bounded(text, "tensor([2.])")
    assert list(left.values()) == ["its code stands in no fence, behind which a mark could stand"]


@pytest.mark.parametrize(
    "line",
    [
        "`torch.numel` counts. \\\nMore.",
        "`torch.numel` counts. ^block-1",
        "`torch.numel` counts. {: .note }",
        "Note `torch.numel`::",
        '!!! tip "`torch.numel` counts"',
    ],
)
def test_what_has_to_end_its_line_is_left_with_the_reason(line: str) -> None:
    text = f"# A\n\nSome text.\n\n{line}\n"
    after, _, left = bounded(text, "torch.numel")
    assert after == text
    assert set(left.values()) == {"what stands at the end of its line has to stay there: write the mark yourself"}
