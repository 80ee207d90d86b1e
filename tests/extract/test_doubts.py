"""Signs of bad cards: what each doubts, and what it leaves alone."""

import pytest
from carded import extracted, made

from deckgen.model.note import Api, Standing


def doubted(text: str) -> list[list[str]]:
    """The names of the doubts of each note."""
    return [[doubt.name for doubt in note.doubts] for note in made(text)]


def code(*lines: str) -> str:
    return "```python\nimport torch\n" + "\n".join(lines) + "\n```\n\n"


@pytest.mark.parametrize(
    ("lines", "sign"),
    [
        (["x = torch.ones(6).view(2, 3)", "print(x.shape)  # torch.Size([2, 3])"], "typed numbers"),
        (["x = torch.arange(6).view(2, 3).t()", "print(x.shape)  # torch.Size([3, 2])"], ""),
        (["x = torch.arange(4)", "spare = list(x)", "print(x.sum())  # tensor(6)"], "dead code"),
        (["x = torch.arange(4)", "part = list(x)", "print(len(part), x.sum())  # 4 tensor(6)"], ""),
        (["torch.ones(2, 3)", "# tensor([[1., 1., 1.],", "#         [1., 1., 1.]])"], "repeated code"),
        (["torch.eye(2)", "# tensor([[1., 0.],", "#         [0., 1.]])"], ""),
        (["x = torch.tensor([1, 2])", "print(x)  # tensor([1, 2])"], "repeated code"),
        (["x = torch.tensor([1, 2])", "y = x.neg()", "print(x)  # tensor([1, 2])"], ""),
    ],
)
def test_an_output_is_doubted_by_its_code(lines: list[str], sign: str) -> None:
    (found,) = doubted(code(*lines))
    assert sign in found if sign else not found


def test_two_prints_are_two_questions_and_a_loop_is_one() -> None:
    shown = "Output:\n\n```text\ntensor(6)\ntensor(3)\n```\n"
    assert doubted(code("x = torch.arange(4)", "print(x.sum())", "print(x.max())") + shown) == [["two prints"]]
    looped = code("x = torch.arange(4)", "for one in (x.sum(), x.max()):", "    print(one)")
    assert doubted(looped + shown) == [[]]


def test_the_second_card_of_the_same_code_is_doubted_and_not_the_first() -> None:
    asked = code("print(torch.arange(3).sum())  # tensor(3)")
    assert doubted(f"## One\n\n{asked}## Two\n\n{asked}") == [[], ["asked again"]]
    other = code("print(torch.arange(4).sum())  # tensor(6)")
    assert doubted(f"## One\n\n{asked}## Two\n\n{other}") == [[], []]


def test_the_second_card_of_one_code_with_the_same_output_is_doubted() -> None:
    lines = ["x = torch.arange(4)", "print(x.sum())  # tensor(6)", "print(x.cumsum(0)[3])  # tensor(6)"]
    assert doubted(code(*lines)) == [[], ["sister"]]


def test_a_method_without_its_class_is_doubted_and_one_below_its_class_has_it() -> None:
    line = "- `forward()`: computes the output of the layers\n"
    assert doubted(line) == [["bare method"]]
    (found,) = made(f"## `nn.Module`\n\n{line}", Api)
    assert isinstance(found.body, Api)
    assert found.body.name == "nn.Module.forward"
    assert found.key.anchor == "forward()"
    assert not found.doubts


def test_a_question_with_one_fact_is_not_doubted_and_one_with_a_list_is() -> None:
    asked = "## Why is `torch.compile` fast?\n\n"
    assert doubted(f"{asked}It fuses kernels, so less memory is moved.\n") == [[]]
    assert doubted(f"{asked}It fuses kernels, leaves out copies, and runs less Python.\n") == [["several facts"]]


def test_a_row_is_sure_only_if_its_name_looks_like_one_of_torchs() -> None:
    table = "| Name | Meaning |\n| --- | --- |\n| {} | adds the elements up |\n| {} | multiplies the elements |\n"
    made = [note.origin for note in extracted(table.format("`torch.sum`", "`torch.prod`")).notes]
    assert made == [Standing.SURE, Standing.SURE]
    made = [note.origin for note in extracted(table.format("The adder", "The multiplier")).notes]
    assert made == [Standing.SUGGESTED, Standing.SUGGESTED]
