"""Quizzes: the right letters wherever the document gives them, and never without."""

import pytest
from carded import answers, cards, extracted, notes, reasons, said

from deckgen.extract.quiz.choices import ALL_MARKED, NOT_DEALT, PARTED
from deckgen.model.note import Choice, Cloze, front

QUIZ = """
    ### Question: which call copies?

    A. `x.view(3)`
    B. `x.clone()`
    C. `x.detach()`
"""


def replied(pupil: str, tutor: str, quiz: str = QUIZ) -> list[str]:
    return answers(said(quiz, pupil, tutor))


@pytest.mark.parametrize(
    ("pupil", "tutor", "right"),
    [
        ("B", "🎉 Correct! The answer is **B. `x.clone()`**!", "B"),
        ("b", "完全正确！就是 **B. `x.clone()`**！", "B"),
        ("A", "Nice thinking! A is tempting, but the correct answer is B.", "B"),
        ("A", "You picked A. Great idea! However, the best choice is (b).", "B"),
        ("a", "很聪明的回答！你选的是 **A. `x.view(3)`**，\n不过最优答案其实是 B：`x.clone()`。", "B"),
        ("A", "嘿嘿，这次小失误啦～\n正确答案应该是 —— **B**", "B"),
        ("A\\\\B", "你的两个回答都很有道理，而且**都可以是正确的**。", "AB"),
        ("A and B", "Exactly right, both do!", "AB"),
        ("吧", "完美！答案就是 **B. `x.clone()`**！", "B"),
        ("A", "A 不对，C 也不对，B 才对。", "B"),
        ("C", "Not quite. The right answer: `x.clone()`.", "B"),
        ("A", "A is wrong, and C is wrong too; B is right.", "B"),
        ("B", "没错，A 和 C 都是错的，就是 B。", "B"),
        ("x.clone()", "Yes — clone is the one. It copies, so B.", "B"),
        ("`x.view(3)`", "Correct! ✅", "A"),
    ],
)
def test_the_reply_decides_whatever_it_praises_or_names_first(pupil: str, tutor: str, right: str):
    assert replied(pupil, tutor) == [right]


@pytest.mark.parametrize(
    ("pupil", "tutor"),
    [("B", "Interesting. Let us go on."), ("B", "Not quite, think again!"), ("hm", "Sure, take your time.")],
)
def test_no_answer_is_made_up(pupil: str, tutor: str):
    text = said(QUIZ, pupil, tutor)
    assert answers(text) == []
    assert any("answer" in reason for reason in reasons(text))


@pytest.mark.parametrize(
    "options",
    [
        "A. one\nB. two\nC. three",
        "A) one\nB) two\nC) three",
        "(a) one\n(b) two\n(c) three",
        "A、one\nB、two\nC、three",
        "A．one\nB．two\nC．three",
        "**A.** one\n**B.** two\n**C.** three",
        "**A) one**\n**B) two**\n**C) three**",
        "- A. one\n- B. two\n- C. three",
        "- [ ] A. one\n- [ ] B. two\n- [ ] C. three",
        "（A）one\n（B）two\n（C）three",
        "Ⓐ one\nⒷ two\nⒸ three",
        "A. one  B. two  C. three",
        "A. one\n\nB. two\n\nC. three",
        "A: one\nB: two\nC: three",
    ],
)
def test_letters_in_any_dress(options: str):
    (note,) = notes(f"### Which number is even?\n\n{options}\n\n**Answer: B**\n", Choice)
    assert isinstance(note.body, Choice)
    assert [(option.letter, option.text.strip("* ")) for option in note.body.options] == [
        ("A", "one"),
        ("B", "two"),
        ("C", "three"),
    ]
    assert note.body.right == ("B",)


@pytest.mark.parametrize(
    "menu",
    [
        "你想从哪一部分开始？\n🅰️ 总览\n🅱️ 张量\n🅲️ 自动微分",
        "Where would you like to start?\n\nA) Tensors\nB) Autograd",
        "接下来请选：\nA. 继续\nB. 复习",
        "要不要进入下一章？\nA. 好\nB. 不",
    ],
)
def test_a_menu_is_no_quiz(menu: str):
    text = said(menu, "A", "Great, A it is! The answer to everything is ahead.")
    assert answers(text) == []
    assert "a menu of what to do next, not a question" in reasons(text)


def test_an_outline_in_letters_is_left_alone():
    assert answers("# Plan\n\n- A. tensors\n- B. autograd\n- C. modules\n\n## Answers\n\nNone.\n") == []


def test_the_answer_stands_in_the_same_block():
    text = """
        **4.** Pick the true statements.
        A. `backward()` accumulates
        B. `backward()` overwrites
        C. `zero_grad()` resets
        Answer: A, C
        Explanation: gradients add up.
    """
    (note,) = notes(text, Choice)
    assert isinstance(note.body, Choice)
    assert (note.body.stem, note.body.right) == ("Pick the true statements.", ("A", "C"))
    assert note.body.explanation == "gradients add up."


def test_two_quizzes_in_one_list_do_not_mix():
    text = """
        1. Which is a leaf?
           - A. `x`
           - B. `x + 1`
           - Answer: A
        2. Which has a `grad_fn`?
           - A. `x`
           - B. `x + 1`
           - Answer: B
    """
    assert answers(text) == ["A", "B"]
    assert next(iter(cards(text, Choice))).startswith("A.")
    assert "Which has a `grad_fn`?" in front(notes(text, Choice)[1])


def test_an_answer_is_marked_hidden_or_in_a_key_at_the_end():
    text = """
        1. Which attribute tells a leaf?
           - A. `grad_fn`
           - B. `is_leaf`

        2. True or false: `no_grad` disables tracking.
           A. True ✅
           B. False

        **Q3. What is printed?** A. 1  B. 2  C. 3

        <details>
        <summary>Answer</summary>

        C, because the hook doubles it.

        </details>

        ## Answer key

        1. B - only leaves
    """
    assert answers(text) == ["B", "A", "C"]
    third = notes(text, Choice)[2].body
    assert isinstance(third, Choice)
    assert (third.stem, third.explanation) == ("What is printed?", "because the hook doubles it.")


def test_a_key_in_one_line_and_in_a_table():
    quizzes = "1. 哪个对？\n\nA. 甲\nB. 乙\n\n2. 哪些对？\n\nA. 甲\nB. 乙\nC. 丙\n\n"
    assert answers(quizzes + "## 参考答案\n\n1-B 2-AC\n") == ["B", "AC"]
    assert answers(quizzes + "## 参考答案\n\n| 题号 | 答案 |\n|---|---|\n| 1 | A |\n| 2 | BC |\n") == ["A", "BC"]


def test_several_questions_of_one_turn_are_answered_by_number():
    quiz = """
        **1. Which is even?**

        A. 1
        B. 2

        **2. Which is odd?**

        A. 4
        B. 5
        C. 6

        **3. Which are primes?**

        A. 2
        B. 3
        C. 4
    """
    reply = "1. ✅ B\n2. ❌ You said A, the correct answer is B: it is not divisible by two.\n3. ✅ AB, both."
    assert answers(said(quiz, "1B 2A 3AB", reply)) == ["B", "B", "AB"]
    assert answers(said(quiz, "B B AB", "All correct!")) == ["B", "B", "AB"]


def test_sub_questions_stay_between_stem_and_options():
    text = """
        ### Which of the statements hold?

        1. `x.view` copies.
        2. `x.clone` copies.

        A. only 1
        B. only 2

        Answer: B
    """
    (note,) = notes(text, Choice)
    assert "`x.clone` copies." in front(note)


def test_the_code_that_is_asked_about_is_in_the_stem():
    text = said("```python\nprint(1 + 1)\n```\n\nWhat does it print?\n\nA. 2\nB. 11", "A", "Yes, A is right.")
    assert "print(1 + 1)" in front(notes(text, Choice)[0])


def test_explanations_are_kept_and_praise_is_not():
    tutor = """
        🎉 Correct! The answer is **B. `x.clone()`**!
        You are on fire! Let's continue.

        It allocates new storage and keeps the graph.

        ## Next

        Something else.
    """
    (note,) = notes(said(QUIZ, "B", tutor), Choice)
    assert isinstance(note.body, Choice)
    assert note.body.explanation == "It allocates new storage and keeps the graph."


def test_a_note_holds_the_lines_from_its_stem_to_its_last_option():
    (note,) = extracted("## Quiz\n\nWhich is even?\nA. 1\nB. 2\n\nAnswer: B\n").notes
    assert (note.span.first, note.span.last) == (3, 5) or note.span.first == 1


def test_code_below_the_last_option_is_the_next_questions_where_the_first_option_has_none():
    text = "Which is even?\n\nA. 1\nB. 2\n\n```python\nprint(3)\n```\n\nWhat is it?\n\nA. 3\nB. 4\n\nAnswer: A\n"
    (note,) = notes(text, Choice)
    assert isinstance(note.body, Choice)
    assert [option.text for option in note.body.options] == ["3", "4"]


def test_two_quizzes_that_ask_the_same_and_disagree_are_told():
    quiz = (
        "# Quiz {n}\n\nWhat does this print?\n\n```python\nprint(1 + 1)\n```\n\n- A. 1\n- B. 2\n\nAnswer: {right}\n\n"
    )
    found = extracted(
        "## Quiz\n\n" + "".join(quiz.format(n=n, right=right) for n, right in ((1, "B"), (2, "A"), (3, "B")))
    )
    assert answers(found.document.source.text) == ["B"]
    ((line, remark),) = [(one.span.first, one.text) for one in found.remarks]
    assert line == 16
    assert remark.startswith("asks the same as line 3 and says that another option is right")


def test_a_fill_in_below_a_quiz_does_not_explain_it():
    text = (
        "### Which is even?\n\nA. 1\nB. 2\n\nAnswer: B\n\nThe call ______ makes zeros.\n\nAnswer: `zeros`\n\n### Next\n"
    )
    choice, cloze = notes(text, Choice, Cloze)
    assert isinstance(choice.body, Choice)
    assert choice.body.explanation == ""
    assert front(cloze).endswith("The call ____ makes zeros.")


def test_letters_that_fit_no_number_of_questions_are_told_as_such() -> None:
    questions = "1. Which copies?\n   A. `view`\n   B. `clone`\n2. Which is lazy?\n   A. `LazyLinear`\n   B. `Linear`\n"
    assert NOT_DEALT in reasons(f"{questions}\nAnswers: A B A\n")
    assert NOT_DEALT not in reasons(f"{questions}\nAnswers: B\n")


def test_options_that_nobody_answers_are_told_and_not_the_answer_of_a_card() -> None:
    text = """
    **Q5. `nn.Sequential` supports:**
    A) indexing B) slicing C) both
    """
    assert cards(text) == {}
    assert reasons(text) == ["a multiple-choice question whose answer the source does not give"]


HEAD = "#### Q4. Which call copies?\n\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{HEAD}- [x] `clone`\n- [x] `copy_`\n", ALL_MARKED),
        (f"{HEAD}- [x] `view`\n\n`t`\n\n- [ ] `clone`\n- [x] `detach`\n", PARTED),
        (f"{HEAD}```text\ncode\n- [x] `clone`\n- [ ] `view`\n```\n\n- [ ] `t`\n- [x] `view`\n", PARTED),
    ],
    ids=["all marked", "one apart", "in a fence that is not closed"],
)
def test_options_of_which_nobody_can_tell_the_right_one_are_refused_with_their_reason(text, reason):
    assert not cards(text)
    assert reason in reasons(text)


def test_an_option_alone_tells_that_the_others_are_apart():
    text = f"{HEAD}- [ ] A\n\n![one](one.png)\n\n- [x] B\n\n![two](two.png)\n"
    assert any("write them as one list" in reason for reason in reasons(text))


def test_a_question_whose_answer_only_announces_says_so():
    assert any(
        "ends with a colon" in reason for reason in reasons("1. **Which cases are there?**\n\n   The cases are:\n")
    )


def test_the_letter_behind_a_label_ends_with_its_line():
    text = f"{HEAD}- A: `clone`\n- B: `view`\n\n<details><summary>Answer</summary>\n\n#### Answer: B\n\nA view is none.\n\n</details>\n"
    assert answers(text) == ["B"]


@pytest.mark.parametrize(
    ("line", "explanation"),
    [
        ("**Answer:** A. It stays (by default `None`).", "It stays (by default `None`)."),
        ("**答案：** A。到达 `eta_min`（默认为 0）。", "到达 `eta_min`（默认为 0）。"),
        ("(Answer: A, because it stays)", "because it stays"),
        ("**Answer: A) It stays.**", "It stays."),
        ("Answer: A (it stays)", "it stays"),
        ("Answer: A.", ""),
    ],
)
def test_an_explanation_behind_the_answer_stays_as_it_is_written(line: str, explanation: str):
    (note,) = notes(f"# Q\n\nWhich call keeps `x.grad`?\n\n- A. `a()`\n- B. `b()`\n\n{line}\n", Choice)
    assert isinstance(note.body, Choice)
    assert note.body.explanation == explanation


def test_a_picture_for_dark_pages_makes_no_other_note():
    asked = "Which activation is drawn?\n![a curve](a.svg{})\n{}\n- A. `nn.ReLU`\n- B. `nn.GELU`\n\nAnswer: B\n"
    (plain,) = notes(asked.format("", ""), Choice)
    (both,) = notes(asked.format("#only-light", "![a curve](a.night.svg#only-dark)\n"), Choice)
    assert both.key == plain.key
    assert "a.night.svg" in both.body.stem
