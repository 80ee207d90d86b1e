"""Cards that are written out in plain text, and what only looks like one. See also tests/cases/notes.md."""

import pytest
from carded import cards, notes

from deckgen.model.note import Basic, Cloze


@pytest.mark.parametrize(
    "line",
    [
        ".. note:: this is a remark",
        "x[::2] takes every second element",
        "Use std::vector<int> or Vec::<T> here",
        "run pytest tests/test_x.py::test_y now",
        "f(x::int) is a cast",
        "Example::",
        "`a::b` is in code",
        "status:: done",
        "标签:: 张量",
    ],
)
def test_names_slices_directives_and_fields_are_no_cards(line: str):
    assert notes(f"# T\n\n{line}\n", Basic) == []


@pytest.mark.parametrize("mark", ["::", ":::", " :: "])
def test_front_and_back_on_a_line_are_a_card(mark: str):
    assert cards(f"# T\n\n叶子张量{mark}用户创建的张量\n") == {"叶子张量": "用户创建的张量"}


def test_three_colons_ask_a_question_both_ways():
    (one, both) = (notes(f"# T\n\nWhat is a leaf?{mark}made by the user\n", Basic)[0].body for mark in ("::", ":::"))
    assert (one.reverse, both.reverse) == (False, True)


def test_holes_keep_their_numbers_and_lose_their_hints():
    (note,) = notes("# T\n\nThe {{c2::optimizer::who}} updates the {{c1::weights}}.\n", Cloze)
    assert note.body.text == "The optimizer updates the weights."
    assert [(hole.number, note.body.text[hole.start : hole.stop]) for hole in note.body.holes] == [
        (2, "optimizer"),
        (1, "weights"),
    ]


def test_a_line_with_a_mark_stands_between_front_and_back_in_lists_and_above_code_too():
    text = "- What is `numel`?\n?\nThe number of elements.\n\nHow to stop gradients?\n?\n```python\nx.detach()\n```\n"
    assert cards(f"# T\n\n{text}") == {
        "What is `numel`?": "The number of elements.",
        "How to stop gradients?": "```python\nx.detach()\n```",
    }


def test_what_a_plugin_notes_of_when_a_card_is_due_is_no_part_of_it():
    text = "What is a leaf?\n?\n- made by the user\n- keeps `.grad`\n<!--SR:!2024-03-01,3,250-->\n"
    assert cards(f"# T\n\n{text}") == {"What is a leaf?": "- made by the user\n- keeps `.grad`"}


@pytest.mark.parametrize(
    "front", ["Which tensors are leaves? #card", "## Which tensors are leaves? #flashcard/torch\n"]
)
def test_a_tag_of_a_plugin_marks_a_front_and_is_no_part_of_it(front: str):
    (note,) = notes(f"# T\n\n{front}\nThose that no operation made.\n", Basic)
    assert (note.body.prompt, note.body.answer) == ("Which tensors are leaves?", "Those that no operation made.")
