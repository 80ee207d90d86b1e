"""API entries: a heading with a name, and what stands below it."""

import pytest
from carded import cards, notes

from deckgen.model.note import Api, Note


def entries(text: str) -> list[Api]:
    return [note.body for note in notes(text, Api) if isinstance(note.body, Api)]


def test_heading_signature_and_one_line():
    (body,) = entries("# Random\n\n### `randint`\n```python\ntorch.randint(low, high, size)\n```\n区间内的随机整数。\n")
    assert (body.name, body.signature, body.meaning) == (
        "randint",
        "torch.randint(low, high, size)",
        "区间内的随机整数。",
    )


def test_a_signature_in_a_line_of_its_own_is_no_meaning():
    (body,) = entries("# Shapes\n\n## squeeze\n\n`torch.squeeze(input, dim)`\n\nRemoves dimensions of size 1.\n")
    assert (body.signature, body.meaning) == ("torch.squeeze(input, dim)", "Removes dimensions of size 1.")


@pytest.mark.parametrize(
    "heading",
    ["### `torch.no_grad`", "## 1. torch.no_grad()", "### torch.no_grad", "#### 2. **`torch.no_grad()`**"],
)
def test_a_line_below_the_name_is_enough(heading: str):
    (body,) = entries(f"# Grad\n\n{heading}\n\nDisables tracking.\n")
    assert (body.name, body.meaning) == ("torch.no_grad", "Disables tracking.")


def test_features_are_a_question_of_their_own():
    text = "# Mul\n\n## 1. torch.mm()\n\n两个矩阵相乘。\n\n### 特点:\n- 只支持二维\n- 不广播\n"
    assert cards(text) == {
        "`torch.mm()`": "两个矩阵相乘。",
        "torch.mm() - 特点？": "- 只支持二维\n- 不广播",
    }


def test_plain_lines_below_the_name_are_its_meaning():
    (body,) = entries("# Shape\n\n### view()\n- 要求内存连续\n- 不会复制数据\n")
    assert body.meaning == "- 要求内存连续\n- 不会复制数据"


def test_a_gloss_and_an_example_make_an_entry():
    (body,) = entries("# Layers\n\n### 3.1 全连接层 (nn.Linear)\n\n```python\nlayer = nn.Linear(10, 20)\n```\n")
    assert (body.name, body.meaning, body.example) == ("nn.Linear", "全连接层", "layer = nn.Linear(10, 20)")


def test_a_heading_without_a_name_over_a_few_calls():
    one, other = entries("# Model\n\n## 7. 损失函数\n\n```python\nmse = nn.MSELoss()\nbce = nn.BCELoss()\n```\n")
    assert (one.name, one.meaning, one.example) == ("nn.MSELoss", "损失函数", "mse = nn.MSELoss()")
    assert (other.name, other.meaning, other.example) == ("nn.BCELoss", "损失函数", "bce = nn.BCELoss()")


def test_a_name_does_not_say_what_it_is_for():
    code = "opt = torch.optim.SGD(w, lr=0.1)\nplan = torch.optim.lr_scheduler.StepLR(opt, 3)\n"
    assert entries(f"# Model\n\n## torch.optim.lr_scheduler.StepLR\n\n```python\n{code}```\n") == []


def test_a_sentence_above_code_that_calls_what_it_names():
    sentence = "使用 `notebook_launcher` 在 Notebook 里启动。"
    text = f"# Launch\n\n{sentence}\n\n```python\nnotebook_launcher(train, num_processes=2)\n```\n"
    (body,) = entries(text)
    assert (body.name, body.meaning) == ("notebook_launcher", sentence)


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\n## view() 和 reshape()\n\n改变形状。\n\n### view()\n\n共享内存。\n\n### reshape()\n\n必要时复制。\n",
    ],
)
def test_two_names_with_entries_of_their_own_are_not_one_entry(text: str):
    assert [body.name for body in entries(text)] == ["view", "reshape"]


@pytest.mark.parametrize(
    "text",
    [
        "# Docs\n\n## 使用`torch.no_grad`禁用梯度计算\n\n```python\nwith torch.no_grad():\n    pass\n```\n",
        "# Docs\n\n## 学习路线图\n\n### `torch.nn`\n\n第二周。\n",
        "# torch.utils.data 的学习\n\n这一章讲数据。\n",
        "# What does `torch.mm` do?\n\nMultiplies.\n",
    ],
)
def test_headings_about_something_else_are_no_entries(text: str):
    assert entries(text) == []


def resting(note: Note) -> tuple[str, ...]:
    return note.rests_on


def test_an_entry_rests_on_its_heading_and_signature():
    (note,) = notes("# R\n\n### `randn`\n```python\ntorch.randn(size)\n```\n像 `torch.rand` 一样。\n", Api)
    assert set(resting(note)) == {"a5.1"} or set(resting(note)) == {"a3.1", "a5.1"}
