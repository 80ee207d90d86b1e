"""Cloze numbers: a card's history stays with its hole, whatever happens around it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from rendered import NOW, Assigned, built, cloze

from deckgen.model.deck import FIELDS

LATER = NOW + 60


def holes(made: Assigned) -> dict[str, int]:
    """Hole text -> number, as shipped."""
    (card,) = made.deck.cards
    text = card.rendered.fields[FIELDS.index("Prompt")]
    found = {text: int(number) for number, text in re.findall(r"\{\{c(\d+)::(.*?)\}\}", text)}
    assert sorted(set(found.values())) == [ordinal + 1 for ordinal in card.rendered.ordinals]
    return found


FIRST = built([cloze("use {{c1::view}} or {{c2::reshape}} to change the shape", (1, 2))])


def test_a_hole_put_in_front_gets_a_new_number():
    again = built(
        [cloze("{{c1::please}} use {{c2::view}} or {{c3::reshape}} to change the shape", (1, 2, 3))], FIRST, LATER
    )
    assert holes(again) == {"please": 3, "view": 1, "reshape": 2}
    assert again.changes.changed


def test_a_hole_that_goes_leaves_a_gap():
    again = built([cloze("use {{c1::reshape}} to change the shape", (1,))], FIRST, LATER)
    assert holes(again) == {"reshape": 2}
    assert "Empty Cards" in again.changes.changed[0].detail


def test_a_number_is_never_given_to_another_hole():
    gone = built([cloze("use {{c1::reshape}} to change the shape", (1,))], FIRST, LATER)
    again = built([cloze("use {{c1::reshape}} to change the {{c2::layout}}", (1, 2))], gone, LATER)
    assert holes(again) == {"reshape": 2, "layout": 3}


def test_a_hole_that_comes_back_has_its_number_again():
    gone = built([cloze("use {{c1::reshape}} to change the shape", (1,))], FIRST, LATER)
    again = built([cloze("use {{c1::view}} or {{c2::reshape}} to change the shape", (1, 2))], gone, LATER)
    assert holes(again) == {"view": 1, "reshape": 2}


def test_a_corrected_hole_keeps_its_number_by_what_stands_around_it():
    again = built([cloze("use {{c1::view}} or {{c2::permute}} to change the shape", (1, 2))], FIRST, LATER)
    assert holes(again) == {"view": 1, "permute": 2}


def test_holes_that_change_places_keep_their_numbers():
    again = built([cloze("use {{c1::reshape}} or {{c2::view}} to change the shape", (1, 2))], FIRST, LATER)
    assert holes(again) == {"view": 1, "reshape": 2}


def test_numbers_of_their_own_do_not_make_an_unchanged_note_a_changed_one():
    moved = built(
        [cloze("{{c1::please}} use {{c2::view}} or {{c3::reshape}} to change the shape", (1, 2, 3))], FIRST, LATER
    )
    again = built(
        [cloze("{{c1::please}} use {{c2::view}} or {{c3::reshape}} to change the shape", (1, 2, 3))], moved, LATER + 9
    )
    assert again.deck == moved.deck
    assert again.lock == moved.lock


def test_highlighted_code_is_known_by_its_text_not_its_markup():
    plain = '<span class="n">x</span>.{{c1::<span class="n">view</span>}}(<span class="mi">2</span>)'
    styled = '<b class="nn">x</b>.{{c2::<b class="nb">view</b>}}(<b>2</b>) {{c1::new}}'
    first = built([cloze("", (1,), Code=plain)])
    again = built([cloze("", (1, 2), Code=styled)], first, LATER)
    assert "{{c1::<b" in again.deck.cards[0].rendered.fields[FIELDS.index("Code")]
    assert "{{c2::new" in again.deck.cards[0].rendered.fields[FIELDS.index("Code")]


def test_several_holes_of_one_number_stay_one_card():
    first = built([cloze("{{c1::a}} and {{c1::b}} then {{c2::c}}", (1, 2))])
    again = built([cloze("{{c1::c}} before {{c2::a}} and {{c2::b}}", (1, 2))], first, LATER)
    assert holes(again) == {"a": 1, "b": 1, "c": 2}


words = st.lists(
    st.sampled_from(["view", "reshape", "permute", "stack", "cat", "where"]), unique=True, min_size=1, max_size=7
)


@given(st.lists(words, min_size=2, max_size=6))
def test_whatever_comes_and_goes_a_word_keeps_its_number(edits: list[list[str]]):
    """Each hole stands between words of its own, so that only its text can be what it is known by."""
    made, numbers = None, {}
    for step, edit in enumerate(edits):
        text = " ".join(f"({word} {step} is {{{{c{number}::{word}}}}} {step})" for number, word in enumerate(edit, 1))
        made = built([cloze(text, range(1, len(edit) + 1))], made, NOW + step)
        for word, number in holes(made).items():
            assert numbers.setdefault(word, number) == number
    assert len(set(numbers.values())) == len(numbers)
