"""Outputs: what is asked, what is shown, and that nothing gives the answer away."""

from carded import made, notes

from deckgen.model.note import Cloze, Output, front, holes


def outputs(text: str) -> list[Output]:
    return [note.body for note in made(text, Output) if isinstance(note.body, Output)]


def test_a_pasted_output_is_one_note():
    code = "x = torch.arange(3)\nprint(x.sum())\nprint(x.max())"
    (body,) = outputs(f"# A\n\n```python\n{code}\n```\n\nOutput:\n\n```\ntensor(3)\ntensor(2)\n```\n")
    assert (body.code, body.output, body.prompt) == (code, "tensor(3)\ntensor(2)", "What does this print?")


def test_each_value_in_a_comment_is_a_note_of_its_own():
    text = (
        "# 形状\n\n```python\nx = torch.zeros(2, 1, 3)\ny = x.squeeze()  # y.shape: (2, 3)\n"
        "z = x.unsqueeze(0)  # z.shape: (1, 2, 1, 3)\n```\n"
    )
    first, second = outputs(text)
    assert first.code == "x = torch.zeros(2, 1, 3)\ny = x.squeeze()"
    assert second.code == "x = torch.zeros(2, 1, 3)\nz = x.unsqueeze(0)"
    assert "`z" in second.prompt


def test_no_front_shows_a_claim():
    text = "# A\n\n```python\nx = torch.ones(2)\nprint(x.sum())  # tensor(2.)\nprint(x.mean())  # tensor(1.)\n```\n"
    fronts = [front(note) for note in notes(text, Output)]
    assert ["tensor(" in shown for shown in fronts] == [False, False]


def test_a_claim_inside_a_with_block_shows_the_code_up_to_it():
    text = (
        "# A\n\n```python\nwith torch.no_grad():\n    y = torch.ones(1)\n    print(y.requires_grad)  # False\n"
        "    print(y.shape)  # torch.Size([1])\n```\n"
    )
    assert [body.code.count("print") for body in outputs(text)] == [1, 2]


def test_a_note_rests_on_the_claims_of_its_answer():
    found = notes("# A\n\n```python\nprint(torch.eye(2).sum())  # 2\nprint(torch.eye(3).sum())  # 3\n```\n", Output)
    assert [note.rests_on for note in found] == [("4.1",), ("5.1",)]


def test_code_without_a_claim_hides_the_call_that_its_heading_names():
    text = (
        "# Logs\n\n## `SummaryWriter(log_dir=...)` 决定了名字！\n\n目录。\n"
        "\n```python\nw = SummaryWriter(log_dir='运行/a')\n```\n"
        "\n```python\nv = SummaryWriter(log_dir='b')\n```\n"
    )
    found = [note for note in notes(text, Cloze) if isinstance(note.body, Cloze) and note.body.language]
    assert found
    assert all(holes(note) == ((1, "SummaryWriter"),) for note in found)


def test_what_is_said_to_raise_is_not_on_the_card_of_what_comes_below_it():
    text = (
        "# A\n\n```python\nx = torch.ones(2, requires_grad=True)\nx.add_(1)  # RuntimeError\ny = x * 2\n"
        "print(y.sum())  # tensor(4.)\n```\n"
    )
    error, value = outputs(text)
    assert error.code.endswith("x.add_(1)")
    assert value.code == "x = torch.ones(2, requires_grad=True)\ny = x * 2\nprint(y.sum())"


def test_what_raised_in_a_cell_above_is_not_on_the_card_either():
    text = (
        "# A\n\n```python\nx = torch.ones(2, requires_grad=True)\ny = (x ** 2).sum()\ny.backward()\n```\n"
        "\n```python\ny.backward()\n```\n\n    RuntimeError: Trying to backward through the graph a second time\n"
        "\n```python\nprint(x.grad)  # tensor([2., 2.])\n```\n"
    )
    *_, last = outputs(text)
    assert last.code.count("y.backward()") == 1


def test_what_catches_its_error_or_only_warns_stays_on_the_card():
    caught = (
        "# A\n\n```python\nok = True\ntry:\n    torch.ones(2).view(5)  # RuntimeError\nexcept RuntimeError:\n    ok = False\n"
        "print(ok)  # False\n```\n"
    )
    warned = (
        "# A\n\n```python\nx = torch.ones(2, 3, 4)\nx.T.add_(1)  # UserWarning\nprint(x.sum())  # tensor(48.)\n```\n"
    )
    assert "try:" in outputs(caught)[-1].code
    assert "x.T.add_(1)" in outputs(warned)[-1].code


def test_output_of_the_whole_stands_below_all_prints_that_wrote_it():
    text = (
        "# A\n\n```python\nx = torch.arange(4)\nprint(x)\nprint(x.sum())  # tensor(6)\nprint(x.shape)\n```\n"
        "\nOutput:\n\n```\ntensor([0, 1, 2, 3])\ntensor(6)\ntorch.Size([4])\n```\n"
    )
    assert sorted(body.code.count("print(") for body in outputs(text)) == [1, 2]


def test_what_is_said_exactly_is_the_value_alone():
    (body,) = outputs("# A\n\n```python\ntorch.tensor(4.5).floor()  # tensor(4.) (rounded down)\n```\n")
    assert body.output == "tensor(4.)"
