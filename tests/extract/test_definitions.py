"""Lists: terms with their text, statements as clozes with their ancestors, and lists that are no cards."""

import pytest
from carded import cards, fronts, notes, reasons

from deckgen.extract.notes.statement import hole_in
from deckgen.model.note import Api, Basic, Cloze, front, holes


@pytest.mark.parametrize(
    ("line", "term", "text"),
    [
        ("- 梯度模式：影响求导的模式", "梯度模式", "影响求导的模式"),
        ("- **ZeRO-1**：切分优化器状态", "**ZeRO-1**", "切分优化器状态"),
        ("- **Sampler** - decides the order", "**Sampler**", "decides the order"),
        ("- 1）Dataset：数据集的基类", "Dataset", "数据集的基类"),
        ("- leaf tensor: made by the user", "leaf tensor", "made by the user"),
    ],
)
def test_a_term_with_its_text_is_a_basic_note(line: str, term: str, text: str):
    assert cards(f"# Notes\n\n{line}\n", Basic) == {term: text}


def test_a_term_that_is_an_api_is_an_api_note_and_keeps_its_type():
    (note,) = notes("# f()\n\n- `recurse` (bool)：是否递归\n", Api)
    assert isinstance(note.body, Api)
    assert (note.body.name, note.body.meaning, note.body.details) == ("recurse", "是否递归", (("类型", "bool"),))


def test_a_call_needs_no_marks_to_be_an_api():
    (note,) = notes("# Making tensors\n\n- torch.zeros(size): a tensor of zeros\n", Api)
    assert isinstance(note.body, Api)
    assert (note.body.name, note.body.signature) == ("torch.zeros", "torch.zeros(size)")


def test_ancestors_are_the_context():
    text = """
        # Grad

        - modes: how gradients are tracked
            - `no_grad`: nothing is recorded
    """
    assert front(notes(text, Api)[0]) == "Grad › modes\n\n`no_grad`"


def test_statements_side_by_side_share_a_cloze_under_their_parent():
    text = """
        # Grad

        - Optimizers: update parameters
            - the step must come after `backward`
            - gradients are accumulated until they are cleared
    """
    (note,) = notes(text, Cloze)
    assert holes(note) == ((1, "`backward`"), (2, "accumulated until they are cleared"))
    assert front(note).endswith(
        "Optimizers: update parameters\n\n- the step must come after ____\n- gradients are ____"
    )


def test_no_cloze_has_more_than_three_holes():
    items = "\n".join(f"    - rule {n} is number {n}" for n in range(8))
    assert [len(holes(note)) for note in notes(f"# A\n\n- Rules: to obey\n{items}\n", Cloze)] == [3, 3, 2]


def test_what_the_context_gives_away_is_not_hidden():
    text = "# `forward`\n\n- Hooks: run around it\n    - `forward` must not be called directly\n"
    assert "`forward`" in fronts(text, Cloze)[-1]


def test_a_row_of_verbs_is_not_cut_at_its_comma():
    text = "模块类包含、维护自己的状态"
    place = hole_in(text, "", whole=False)
    assert place is not None
    assert text[slice(*place)] == "自己的状态"
    assert hole_in("`Function` 的实现、说明", "Function", whole=False) is None


def test_a_label_over_a_few_names_asks_for_all_of_them():
    text = "# PyTorch\n\n- Core modules\n    - `torch.nn`\n    - `torch.optim`\n    - `torch.autograd`\n"
    assert cards(text) == {"Core modules": "- `torch.nn`\n- `torch.optim`\n- `torch.autograd`"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# 目录\n\n- [一](#a)\n- [二](#b)\n", "a list of links"),
        ("# Read\n\n- Docs: https://pytorch.org\n- <https://example.org>\n", "a list of links"),
        ("# Plan\n\n- Why is it slow?\n- What is a worker?\n", "questions that are not answered here"),
        ("# 学习大纲\n\n- 张量：基础\n- 求导：进阶\n", "an outline of contents"),
    ],
)
def test_lists_that_are_no_cards(text: str, reason: str):
    assert notes(text) == []
    assert reason in reasons(text)


def test_a_remark_word_is_no_term():
    assert cards("# A\n\n- 注意：不要直接调用\n- Note: call it twice\n", Basic) == {}
