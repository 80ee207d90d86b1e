"""Extraction as a whole: keys, unique fronts, merging, directives, reasons, speed, and any text at all."""

import json

import pytest
from carded import cards, extracted, fronts, made, notes, reasons
from hypothesis import given, settings
from hypothesis import strategies as st

from deckgen.extract import extract, merge
from deckgen.extract.key import code_anchor, key
from deckgen.extract.report import oversized
from deckgen.model.note import Basic, Cloze, front
from deckgen.model.source import Source
from deckgen.read import read


def test_keys_ignore_numbering_emoji_and_width():
    assert key(["🧠 3. 张量：基础"], "2）什么是 `view`？") == key(["4. 张量:基础"], "什么是 view?")
    assert key(["A"], "What is x?") != key(["A"], "What is y?")


def test_keys_of_code_ignore_comments_spacing_and_quotes():
    assert code_anchor("x = f( 'a' )  # one") == code_anchor('x = f("a")')
    assert code_anchor("x = f('a')") != code_anchor("x = f('b')")
    assert code_anchor("print(") != code_anchor("print)")


def test_a_key_does_not_know_the_answer():
    one, two = (notes(f"# A\n\n## What is `x.T`?\n\n{answer}\n")[0].key for answer in ("A tensor.", "A number."))
    assert one == two


def test_the_same_fact_twice_in_a_source_is_one_note_with_both_places():
    (note,) = notes("# A\n\n- leaf: a tensor made by the user\n\nText between.\n\n- leaf: a tensor made by the user\n")
    assert [place.span.first for place in note.places] == [3, 7]


def test_one_question_with_two_answers_is_reported():
    text = "# A\n\n- leaf: a tensor made by the user\n\nText between.\n\n- leaf: a part of a tree\n"
    assert len(notes(text)) == 1
    assert "asks the same as line 3, with another answer" in reasons(text)


def test_of_code_that_is_asked_about_twice_the_two_lines_are_told():
    text = "```python\nimport torch\nx = torch.ones(2)\nprint(x.sum())  # tensor(2.)\nprint(x.sum())  # 2.0\n```\n"
    (skipped,) = extracted(text).skipped
    assert (skipped.span.first, skipped.reason) == (5, "asks the same as line 4, with another answer")


def test_sources_that_say_the_same_share_a_note():
    first = extracted("# Grad\n\n## 什么是叶子？\n\n用户创建的张量，没有 `grad_fn`。\n", "a.md").notes
    second = extracted("# 别处\n\n# Grad\n\n## 什么是叶子?\n\n用户创建的张量,没有 grad_fn。\n", "b.md").notes
    (note,) = merge([*first, *second])
    assert [place.source for place in note.places] == ["a.md", "b.md"]


def test_sources_that_differ_keep_their_notes():
    first = extracted("# Grad\n\n## What is a leaf?\n\nMade by the user.\n", "a.md").notes
    second = extracted("# Grad\n\n## What is a leaf?\n\nPart of a tree.\n", "b.md").notes
    assert len(merge([*first, *second])) == 2


def test_authors_may_skip_name_and_tag():
    text = """
        # A

        <!-- deckgen: skip -->
        ## What is x?

        A tensor.

        <!-- deckgen: id=why-slow tags=speed,io -->
        ## Why is it slow?

        No workers.
    """
    (note,) = notes(text)
    assert (note.explicit_id, note.tags) == ("why-slow", ("speed", "io"))
    assert any(reason.startswith("skipped by the author") for reason in reasons(text))


def test_every_block_is_a_note_or_has_a_reason():
    text = """
        # A

        Some text about nothing in particular.

        ```text
        +--+
        |  |
        +--+
        ```

        ```bash
        pip install torch
        ```

        ```python
        import torch
        ```

        ![](picture.png)

        > Just a remark.
    """
    found = reasons(text)
    assert found == [
        "running text in which deckgen found no question, no definition and no fact to ask for",
        "a fence that holds no Python",
        "shell commands",
        "code without a claimed output",
        "a picture by itself",
        "a quote in which deckgen found nothing to ask for",
    ]


def test_big_cards_are_carded_with_a_warning():
    lines = "\n".join(f"Line {n} of it." for n in range(13))
    found = notes(f"# A\n\n## What is `it`?\n\n{lines}\n")
    assert [remark.text for remark in oversized(found)] == ["its back has 13 lines: more than 12 are hard to recall"]


def test_lines_to_learn_by_heart():
    assert cards("# Log\n\n## 口诀\n\n```\n📈 曲线 → add_scalar\n🖼 图像 → add_image\n```\n") == {
        "曲线 → ?": "add_scalar",
        "图像 → ?": "add_image",
    }
    whole = cards("# Log\n\n## Mnemonic for layers\n\n```\nDeep and wide,\nfreeze the side.\n```\n", Basic)
    assert whole == {"Mnemonic for layers": "Deep and wide,\nfreeze the side."}


def test_quotes_and_sentences_that_define_are_clozes():
    assert fronts("# A\n\n> `torch.fft` 的本质是：**换一组基**。\n", Cloze) == ["`torch.fft` 的本质是：____。"]
    (note,) = made("# A\n\n`torch.svd` computes the singular values. More text.\n", Cloze)
    assert front(note).endswith("____ computes the singular values.")


@pytest.mark.parametrize("number", range(5))
def test_the_seeds_repeat_no_front_and_stay_within_their_lines(seed, number: int):
    document = read(Source(f"{number:03}.txt", seed(number).read_text("utf-8-sig")))
    extraction = extract(document)
    asked = [front(note) for note in extraction.notes]
    assert len(asked) == len(set(asked))
    assert len(asked) > 4
    for note in extraction.notes:
        assert 0 <= note.span.start < note.span.stop <= len(document.source.lines)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["# a", "A. x", "B. y", "- a: b", "    - c", "|a|b|", "|-|-|", "```", "> q", "____", "Answer: B", "",
             "You:", "ChatGPT:", "1. a?", "`f(x)`", "：", "答案", "<details>", "<!-- deckgen: skip -->", "\\",
             "**Q?**", "⭐1️⃣", "="]
        ),
        max_size=25,
    )
)  # fmt: skip
def test_any_text_is_extracted_without_an_exception(lines: list[str]):
    extraction = extracted("\n".join(lines))
    assert len({front(note) for note in extraction.notes}) == len(extraction.notes)


def test_a_false_statement_is_asked_for_and_never_taught():
    text = "# 判断题\n\n1. `torch.Tensor(3)` 是值为 3 的标量。（×）\n2. 子模块会自动注册。（√）\n"
    assert cards(text) == {
        "`torch.Tensor(3)` 是值为 3 的标量。 — 对还是错？": "错",
        "子模块会自动注册。 — 对还是错？": "对",
    }


def test_a_call_at_the_end_of_a_line_is_no_mark_of_false():
    assert notes("# A\n\nThe derivative of the loss is f(x)\n") == []
    assert notes("# A\n\nThe derivative of the loss is f(T)\n") == []


def test_bold_terms_in_prose_are_defined():
    text = "# A\n\n**overfitting**: small training error, large test error\n"
    assert cards(text, among=made) == {
        "overfitting — what is it?": "small training error, large test error",
    }
    assert notes("# A\n\n**Note**: read on.\n\n**Output:**\n") == []


def test_an_output_that_makes_no_card_is_told_by_what_is_above_it():
    def cell(code: str, output: str) -> dict[str, object]:
        stored = [{"output_type": "stream", "name": "stdout", "text": output}]
        return {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": code, "outputs": stored}

    cells = [cell("!pip list", "torch 2.1.0\n"), cell("for i in range(2):\n    pass", "...\n")]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    command = "what a command for IPython or the shell prints"
    told = "output that tells nothing of torch: progress, timings, a picture"
    assert [reason for reason in reasons(json.dumps(notebook, indent=1)) if reason in (command, told)] == [
        command,
        told,
    ]
