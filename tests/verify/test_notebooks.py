"""What a notebook keeps of its cells, checked: what is printed, values and progress bars are apart."""

import nbformat
import pytest
from notes_checked import checked

v4 = nbformat.v4


def verdicts(code: str, *outputs: nbformat.NotebookNode) -> list[str]:
    book = v4.new_notebook(cells=[v4.new_code_cell(f"import sys, torch\n{code}", outputs=list(outputs))])
    return [str(one.word) for one in checked(nbformat.writes(book), "notes.ipynb")[1].verdicts]


def printed(text: str, stream: str = "stdout") -> nbformat.NotebookNode:
    return v4.new_output("stream", name=stream, text=text)


@pytest.mark.parametrize(
    "code",
    [
        "torch.manual_seed(1)\nprint(torch.full((1,), 2.))",
        "torch.nn.Identity().eval()\nprint(torch.full((1,), 2.))\nx = 3",
        "for n in range(9):\n    print(n, file=sys.stderr)\nprint(torch.full((1,), 2.))",
    ],
)
def test_what_was_printed_is_neither_a_value_nor_a_progress_bar(code: str) -> None:
    assert verdicts(code, printed("tensor([2.])\n")) == ["holds"]
    assert verdicts(code, printed("tensor([3.])\n")) == ["contradicted"]
    assert verdicts(code, printed("100%|###| 9/9\n", "stderr"), printed("tensor([3.])\n")) == ["contradicted"]


def test_a_value_of_a_cell_is_not_what_it_prints() -> None:
    value = v4.new_output("execute_result", {"text/plain": "tensor(3)"})
    assert verdicts("print(torch.tensor(2))\ntorch.tensor(3)", printed("tensor(2)\n"), value) == ["holds", "holds"]
    assert verdicts("torch.tensor(3)\nprint(torch.tensor(2))", printed("tensor(3)\n")) == ["contradicted"]
