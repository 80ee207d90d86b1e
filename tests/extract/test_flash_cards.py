"""Cards that are written out in plain text, and what only looks like one. See also tests/cases/notes.md."""

import pytest
from carded import cards, notes

from deckgen.note import Basic, Cloze


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
