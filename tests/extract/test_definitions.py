"""Lists: terms with their text, statements as clozes with their ancestors, and lists that are no cards."""

import pytest
from carded import cards, made, notes, reasons

from deckgen.extract.notes.statement import hole_in
from deckgen.model.note import Api, Basic, Cloze, front, holes


@pytest.mark.parametrize(
    ("line", "asked", "text"),
    [
        ("- 梯度模式：影响求导的模式", "梯度模式是什么？", "影响求导的模式"),
        ("- **ZeRO-1**：切分优化器状态", "ZeRO-1 是什么？", "切分优化器状态"),
        ("- **Sampler** - decides the order", "Sampler — what does it do?", "decides the order"),
        ("- 1）Dataset：数据集的基类", "Dataset 是什么？", "数据集的基类"),
        ("- leaf tensor: made by the user", "leaf tensor — what is it?", "made by the user"),
        ("- Hook - 用途：用来查看梯度", "Hook 的用途是什么？", "用来查看梯度"),
    ],
)
def test_a_term_with_its_text_is_a_question_about_it(line: str, asked: str, text: str):
    assert cards(f"# Notes\n\n{line}\n", Basic, among=made) == {asked: text}


def test_a_term_that_is_an_api_is_an_api_note_and_keeps_its_type():
    (note,) = notes("# f()\n\n- `recurse` (bool)：是否递归\n", Api)
    assert isinstance(note.body, Api)
    assert (note.body.name, note.body.meaning, note.body.details) == ("recurse", "是否递归", (("类型", "bool"),))


def test_a_call_needs_no_marks_to_be_an_api():
    (note,) = notes("# Making tensors\n\n- torch.eye(n): ones on its diagonal\n", Api)
    assert isinstance(note.body, Api)
    assert (note.body.name, note.body.signature) == ("torch.eye", "torch.eye(n)")


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
            - a new gradient is computed by `backward`
            - gradients are accumulated until they are cleared
            - `step` changes the parameters in place
    """
    (note,) = made(text, Cloze)
    assert holes(note) == ((1, "`backward`"), (2, "`step`"))
    assert front(note).endswith(
        "Optimizers: update parameters\n\n- a new gradient is computed by ____\n- ____ changes the parameters in place"
    )


def test_no_cloze_has_more_than_three_holes():
    items = "\n".join(f"    - `call_{n}` returns the number of layer {n}" for n in range(8))
    assert [len(holes(note)) for note in made(f"# A\n\n- Calls: of a model\n{items}\n", Cloze)] == [3, 3, 2]


def test_what_the_context_gives_away_is_not_hidden():
    text = "# `forward`\n\n- Hooks: run around it\n    - `forward` is called by `__call__` of the module\n"
    assert "`forward`" in front(made(text, Cloze)[-1])


@pytest.mark.parametrize(
    ("sentence", "hidden"),
    [
        ("`nn.Flatten` makes one dimension of several", "`nn.Flatten`"),
        ("The gradient is cut off by calling `detach()` on it", "`detach()`"),
        ("可以通过优化器中的`weight_decay`指定权重衰减", "`weight_decay`"),
        ("Some layers behave in another way after `eval()` or `train()`", None),
        ("Gradients are accumulated until somebody clears them", None),
        ("Run `pip install torch` in a shell of the machine", None),
    ],
)
def test_a_hole_hides_what_a_sentence_is_about_and_nothing_else(sentence: str, hidden: str | None):
    place = hole_in(sentence, "")
    assert (sentence[slice(*place)] if place else None) == hidden


def test_a_few_names_of_a_kind_are_no_answer():
    text = "# PyTorch\n\n- Core modules\n    - `torch.nn`\n    - `torch.optim`\n    - `torch.autograd`\n"
    assert cards(text) == {}


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
