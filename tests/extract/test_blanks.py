"""Fill-ins and recap questions: the tutor's key, the pupil's confirmed line, or the key in the notes."""

import pytest
from carded import cards, made, notes, reasons, said

from deckgen.extract.quiz.blanks import NO_KEY
from deckgen.model.note import Basic, Choice, Cloze, holes

RECAP = """
    ### Fill in!

    1️⃣ It logs one number: `add_ _____`
    2️⃣ It logs a distribution: `add_ _____`
    3️⃣ Which class writes the log?
"""
KEYS = {
    "It logs one number: `add_____`": "It logs one number: `add_scalar`",
    "It logs a distribution: `add_____`": "It logs a distribution: `add_histogram`",
    "Which class writes the log?": "SummaryWriter",
}


def test_the_pupils_line_is_the_key_once_all_of_it_is_called_right():
    assert cards(said(RECAP, "add\\_scalar add\\_histogram SummaryWriter", "🎉 太精彩啦！全！部！正！确！")) == KEYS
    assert cards(said(RECAP, "1: add_scalar 2. add_histogram 3) SummaryWriter", "All three correct!")) == KEYS


def test_what_the_pupil_says_is_no_key_by_itself():
    text = said(RECAP, "add_scalar add_histo Writer", "Let us look at that tomorrow.")
    assert cards(text) == {}
    assert reasons(text).count("a blank whose answer the source does not give") == 2


def test_a_table_of_scores_is_a_key_and_its_remarks_correct_typing_mistakes():
    tutor = """
        | No. | Your answer | Right? | Remark |
        | --- | --- | --- | --- |
        | 1️⃣ | `add_scalar` | ✅ | Perfect! |
        | 2️⃣ | `add_histograms` | ✅ (typo) | right, but it should be `add_histogram` |
        | 3️⃣ | `SummaryWriter` | ✅ | Yes. |
    """
    text = said(RECAP, "1 add_scalar 2 add_histograms 3 SummaryWriter", tutor)
    assert cards(text) == {**KEYS, "Which class writes the log?": "`SummaryWriter`"}
    assert "a pupil's answers and scores" in reasons(text)


def test_a_reply_that_goes_through_the_answers_gives_their_keys():
    tutor = """
        ### ✅ 1. 记录一个数？

        你写的是：`add_scalar`
        ✔️ 完美正确！

        ### 🧐 2. 记录分布？

        你写的是：`add_hist`
        ❌ 应该是 `add_histogram`

        ### 🤔 3. 哪个类？

        你写的是：`Writer`

        📌 理想答案是：**`SummaryWriter`**（或 `FileWriter`）
    """
    text = said(RECAP, "1 add_scalar 2 add_hist 3 Writer", tutor)
    assert cards(text) == {**KEYS, "Which class writes the log?": "**`SummaryWriter`**（或 `FileWriter`）"}


def test_one_blank_alone_is_answered_by_the_whole_reply():
    text = said("填空：`torch.fft.____` 把零频移到中心。", "fftshfit", "差一点，拼写应为 `fftshift`。")
    assert cards(text) == {"`torch.fft.____` 把零频移到中心。": "`torch.fft.fftshift` 把零频移到中心。"}


def test_in_notes_the_key_stands_behind_the_blank_or_below_it():
    text = """
        The class for custom gradients is ____ (answer: `torch.autograd.Function`).

        梯度累加在 ____ 属性里。
        答案：`grad`
    """
    assert list(cards(text, Cloze).values()) == [
        "The class for custom gradients is `torch.autograd.Function`.",
        "梯度累加在 `grad` 属性里。",
    ]


def test_several_blanks_are_several_holes():
    (note,) = notes("A dataset has ____ and ____ (answer: `__len__`, `__getitem__`).\n", Cloze)
    assert holes(note) == ((1, "`__len__`"), (2, "`__getitem__`"))


def test_answers_between_commas_may_be_phrases():
    text = "The call ______ on a slice and then ______.\n\nAnswers: shares its memory, calls `f(a, b)`\n"
    (note,) = notes(text, Cloze)
    assert [hidden for _, hidden in holes(note)] == ["shares its memory", "calls `f(a, b)`"]


def test_names_with_underscores_are_no_blanks():
    assert notes("Implement `__len__` and __getitem__, or add_ as a prefix.\n", Cloze, Choice, Basic) == []
    assert reasons("Implement `__len__` and __getitem__.\n") != ["a blank whose answer the source does not give"]


@pytest.mark.parametrize(
    "answer", ["应该是 backward", "是 backward 吧？", "我觉得填 `backward`", "I think it's backward"]
)
def test_the_doubts_around_an_answer_are_no_part_of_it(answer):
    asked = "你：考考我\n\nAI：好的！第1题：填空：`loss.____()` 计算梯度。\n\n你："
    assert cards(f"{asked}{answer}\n\nAI：没错！\n") == {"`loss.____()` 计算梯度。": "`loss.backward()` 计算梯度。"}
    assert cards(f"{asked}{answer}\n\nAI：不对，再想想。\n") == {}


@pytest.mark.parametrize(
    "reply",
    [
        "应该是 backward。",
        "不对，要填 `backward`。",
        "答案应该是 backward，它从损失开始。",
        "Not quite. It should be backward.",
    ],
)
def test_an_answer_that_the_tutor_gives_in_passing_is_the_key(reply):
    talk = f"你：考考我\n\nAI：好的！第1题：`loss.____()` 计算梯度。\n\n你：step\n\nAI：{reply}\n\n第2题：`optimizer.____()` 更新参数。\n"
    assert cards(talk) == {"`loss.____()` 计算梯度。": "`loss.backward()` 计算梯度。"}


def test_a_reply_that_goes_through_several_answers_on_one_line_tells_each():
    asked = """
        1. What is the default `dim` of `torch.cat`?
           a) 1
           b) 0
        2. What does `torch.arange(5).dtype` give?
           a) torch.int64
           b) torch.float32
        3. True or false: `x.view()` always returns a copy.
        4. Fill in: `torch.____(x)` tells whether all elements are nonzero.
    """
    reply = "1. Correct. 2. Correct. 3. Not quite: it's false, `view` shares storage. 4. Right!"
    choice, other, judged, gap = notes(said(asked, "1b 2a 3 true 4 all", reply))
    assert (choice.body.right, other.body.right) == (("B",), ("A",))
    assert judged.body.answer.startswith("False")
    assert [text for _, text in holes(gap)] == ["all"]


@pytest.mark.parametrize(
    "line", ["Name: ____________  Date: __________", "姓名：________ 学号：________ 得分：________"]
)
def test_the_fields_on_top_of_a_test_are_no_questions(line):
    assert NO_KEY not in reasons(f"# Test\n\n{line}\n")


def test_an_answer_that_ends_with_a_code_span_keeps_its_mark():
    (note,) = notes("# 形状\n\n两个维度必须相等时，给它们____。\n\n答案：同一个 `Dim`\n")
    assert note.body.text == "两个维度必须相等时，给它们同一个 `Dim`。"


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("True or false?\n\n1. A view shares its memory. (T/F)\n2. A copy does. (T/F)", "1. true 2. false"),
        ("判断：视图共享内存。（对/错）", "对"),
        ("True or false: a view shares its memory.", "true"),
    ],
)
def test_a_chat_that_ends_before_the_tutor_says_what_is_right_gives_no_verdict(asked, answered):
    chat = said(asked, answered, "")
    assert notes(chat) == []
    assert any("whose answer the source does not give" in reason for reason in reasons(chat))


@pytest.mark.parametrize("label", ["答案", "Answer", "**答案**"])
def test_a_gap_in_an_answer_asks_nothing(label):
    text = (
        f"# Pinned memory\n\nSome words.\n{label}: `x.to(device, ____=True)` copies `x`.\n\n{label}: `non_blocking`\n"
    )
    assert [note for note in notes(text) if not note.body.prompt] == []


def test_a_statement_to_be_judged_may_have_its_verdict_behind_the_label_of_an_answer():
    asked = "True or false: `torch.arange(3).sum()` returns `tensor(3)`."
    for text in (f"Q: {asked}\nA: True", f"{asked}\nA: True", f"Q: {asked}\nA: True, it adds."):
        (note,) = made(text)
        assert (note.rule, note.body.answer.partition("\n")[0]) == ("blanks", "True")
    (note,) = made(f"{asked}\nA: True\nB: False\n\nAnswer: A")
    assert isinstance(note.body, Choice)
