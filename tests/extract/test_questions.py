"""Questions that are answered right where they stand."""

import pytest
from carded import cards, extracted, made, notes, said
from wrapping import ON_ONE_LINE

from deckgen.model.note import Basic, front


@pytest.mark.parametrize(
    ("text", "asked", "answer"),
    [
        ("## 什么是 `pin_memory`？\n\n锁页内存。\n", "什么是 `pin_memory`？", "锁页内存。"),
        ("## 🧠 知识闪卡：什么是 `Dataset`？\n\n样本的来源。\n", "什么是 `Dataset`？", "样本的来源。"),
        ("## 3. Why is it slow?\n\nNo workers.\n", "Why is it slow?", "No workers."),
        ("## checkpoint 是啥\n\n用计算换显存。\n", "checkpoint 是啥", "用计算换显存。"),
        (
            "## How is a one-cycle schedule built?\n\nUp, then down.\n",
            "How is a one-cycle schedule built?",
            "Up, then down.",
        ),
        ("## checkpoint 的做法：\n\n前向不保存。\n", "checkpoint 的做法？", "前向不保存。"),
        ("## Advantages of eager mode\n\n- simple\n", "Advantages of eager mode?", "- simple"),
        ("Q: What is a leaf?\nA: A tensor made by the user.\n", "What is a leaf?", "A tensor made by the user."),
        ("**问：叶子是什么？**\n答：用户创建的张量。\n", "叶子是什么？", "用户创建的张量。"),
        ("**How do you freeze it?**\n\nUnset the flag.\n", "How do you freeze it?", "Unset the flag."),
        ("1. What is `x`?\n\n   A tensor.\n", "What is `x`?", "A tensor."),
        (
            "<details><summary>What is a hook?</summary>\n\nA callback.\n\n</details>\n",
            "What is a hook?",
            "A callback.",
        ),
        (
            "What is a hook?\n\n<details><summary>Click to see the answer</summary>\n\nA callback.\n\n</details>\n",
            "What is a hook?",
            "A callback.",
        ),
    ],
)
def test_what_asks_is_answered_by_what_follows(text: str, asked: str, answer: str):
    found = cards("# Notes\n\n" + text, Basic, among=made)
    assert {question.strip(): reply.strip() for question, reply in found.items()} == {asked: answer}


@pytest.mark.parametrize(("lines", "one_line"), ON_ONE_LINE.values(), ids=ON_ONE_LINE)
@pytest.mark.parametrize(
    "text",
    [
        "# Leaves\n\nQ: What does `torch.cat` do with its tensors?\nA: It joins them.\n",
        "# 叶子\n\n一些话。\n\n**问：`torch.cat` 对张量做什么？**\n\n答：把它们拼接起来。\n",
        "# Leaves\n\n## Q: What is a leaf?\n\n- Q: What does `torch.cat` do with its tensors?\n\n  A: It joins them.\n",
        "# Leaves\n\n## Q1: What is a leaf?\n\n> **Q2: What does `torch.cat` do with its tensors?**\n>\n> A: It joins them.\n",
    ],
    ids=["label", "bold label", "item", "quote"],
)
def test_a_labelled_question_is_asked_the_same_where_all_of_it_is_one_line_of_the_file(text, lines, one_line):
    (asked,) = made(one_line(text), Basic)
    (wanted,) = made(lines(text), Basic)
    assert (asked.body, asked.headings, asked.key) == (wanted.body, wanted.headings, wanted.key)
    assert asked.span.start < 2


def test_no_line_of_the_file_is_taken_for_the_question_of_a_page():
    page = (
        "<!doctype html>\n<h1>A</h1>\n<h2>Q: What is a leaf?</h2>\n<p>Q: What does cat do?</p>\n<p>A: It joins.</p>\n"
    )
    assert [front(note) for note in made(page, Basic)] == ["A\n\nWhat does cat do?"]


def test_a_bare_aspect_takes_its_parent_as_subject():
    text = "# Shapes\n\n## view()\n\n### 优点\n\n不复制数据。\n\n## expand()\n\n### 优点\n\n不占内存。\n"
    assert set(cards(text, Basic, among=made)) >= {"view() - 优点？", "expand() - 优点？"}


def test_a_rule_in_a_heading_asks_why_and_how():
    text = "# CUDA\n\n## 2. Always synchronise before timing\n\nKernels run asynchronously.\n"
    assert cards(text, Basic) == {"Always synchronise before timing — why, and how?": "Kernels run asynchronously."}


def test_a_question_over_sections_is_answered_by_their_headings():
    text = (
        "# Which tools are there?\n\nThese are common:\n\n## 1. **Netron**\n\nShows it.\n\n## 2. **Comet**\n\nLogs.\n"
    )
    assert cards(text, among=made)["Which tools are there?"] == "- Netron\n- Comet"


@pytest.mark.parametrize(
    "text",
    [
        "# 小测试：你懂了吗？\n\n加油！\n",
        "# Example: what now?\n",
        "# Want to continue?\n\nReply with yes.\n",
        "# 你想继续进入哪一节？\n\n回复 B5。\n",
        "# Where is the answer?\n\n# Next\n",
        "# Did you wonder, too?\n\n- Why is it slow?\n- What is a worker?\n",
    ],
)
def test_what_is_no_question_or_has_no_answer_is_no_card(text: str):
    assert notes(text, Basic) == []


def test_the_conversation_around_an_answer_is_left_out():
    text = said(
        "## What is a sampler?\n\nIt orders the indices.\n\n👉 Shall we continue? Reply with yes!\n", "yes", "Fine."
    )
    assert cards(text) == {"What is a sampler?": "It orders the indices."}


def test_the_pupil_is_not_quoted():
    assert notes(said("Hello.", "## What is a tensor?\n\nI think an array.", "Yes.")) == []


def test_the_heading_path_is_on_the_front():
    (note,) = made("# Data\n\n## Loading\n\n### What is a worker?\n\nA process.\n")
    assert front(note) == "Data › Loading\n\nWhat is a worker?"


def test_a_quoted_answer_is_not_quoted_on_the_card():
    assert cards("# What is a leaf?\n\n> Made by the user.\n") == {"What is a leaf?": "Made by the user."}


def test_a_callout_in_an_answer_is_named():
    text = "# What happens?\n\nIt fails.\n\n> [!WARNING]\n> For good.\n\n> [!tip]- Try this\n> Restart.\n"
    assert cards(text, among=made) == {
        "What happens?": "It fails.\n\n> **Warning**\n> For good.\n\n> **Try this**\n> Restart."
    }


def test_a_drawing_in_a_fence_with_a_false_language_is_text():
    text = "# How does it work?\n\n```csharp\n[Dataset] --> [Loader]\n```\n"
    assert cards(text)["How does it work?"] == "```text\n[Dataset] --> [Loader]\n```"


def test_items_that_nothing_is_made_of_are_told_beside_those_that_something_is():
    text = "# T\n\n- foo\n- T/F: the view shares its memory. True.\n- bar\n"
    found = extracted(text)
    assert len(found.notes) == 1
    assert [skip.span.first for skip in found.skipped] == [3, 5]


def test_labels_in_bold_are_no_speakers():
    text = "**优点**：快。\n\n**缺点**：占内存。\n\n**优点**：简单。\n\n**缺点**：不灵活。\n"
    assert extracted(text).document.reader == "markdown"


@pytest.mark.parametrize("sign", [">=", ">>", ">>=", ":", "::", "?", "~", "@", "!=", "//=", "`>`"])
def test_an_answer_that_is_only_a_sign_is_an_answer(sign):
    assert cards(f"# Signs\n\n### Which sign does it?\n\n{sign}\n", among=made) == {"Which sign does it?": sign}
    assert cards(f"# Signs\n\n**Q: Which sign does it?**\n\nA: {sign}\n", among=made) == {"Which sign does it?": sign}


def test_a_quote_whose_text_stands_behind_its_mark_is_still_a_quote():
    assert cards("# A\n\n### What does he say?\n\n>It is fine.\n> So it is.\n", among=made) == {
        "What does he say?": "It is fine.\nSo it is."
    }


@pytest.mark.parametrize("line", ["It does this:", "Does it?", "---"])
def test_a_line_that_leads_on_or_asks_or_separates_answers_nothing(line):
    assert cards(f"# A\n\n### Which sign does it?\n\n{line}\n") == {}
