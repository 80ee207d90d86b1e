"""What stays with a note from build to build, and what an edit moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from patience import calls, patience
from rendered import DECK_ID, NOW, built, guids, note, source_decks

from deckgen.identity import Assigned, format_lock
from deckgen.identity.content import guid
from deckgen.identity.lock import LockedSubdeck
from deckgen.model.deck import FIELDS, LEARNT, Rendered, Reverse
from deckgen.model.errors import UsageError
from deckgen.model.note import Key

LATER = NOW + 3600
THREE = [
    note("what is a tensor", "a box of numbers"),
    note("what is a dtype", "the kind of number"),
    note("what is a view", "another shape"),
]


def mtimes(made) -> list[int]:
    return [card.mtime for card in made.deck.cards]


def with_field(rendered: Rendered, name: str, value: str) -> Rendered:
    fields = list(rendered.fields)
    fields[FIELDS.index(name)] = value
    return replace(rendered, fields=tuple(fields))


def test_nothing_changed_gives_the_same_lock_and_deck():
    first = built(THREE)
    again = built(THREE, first, LATER)
    assert again.deck == first.deck
    assert format_lock(again.lock) == format_lock(first.lock)
    assert again.changes.unchanged == 3


def test_an_edited_answer_moves_the_time_of_its_note_only():
    first = built(THREE)
    edited = built([THREE[0], note("what is a dtype", "float32 and the like"), THREE[2]], first, LATER)
    assert guids(edited) == guids(first)
    assert mtimes(edited) == [NOW, LATER, NOW]
    assert [change.title for change in edited.changes.changed] == ["Tensors: what is a dtype"]


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in ("Source", "Checked")])
def test_every_field_but_the_stamp_is_an_update(name: str):
    first = built(THREE)
    assert mtimes(built([with_field(THREE[0], name, "new"), *THREE[1:]], first, LATER))[0] == LATER


@pytest.mark.parametrize("name", ["Source", "Checked"])
def test_the_stamp_stands_as_it_stood_until_the_note_changes(name: str):
    assert name not in LEARNT
    first = built(THREE)
    stamped = [with_field(each, name, "torch 3.0.0") for each in THREE]
    again = built(stamped, first, LATER)
    assert again.deck == first.deck
    edited = built([with_field(stamped[0], "Answer", "better"), *stamped[1:]], again, LATER)
    stamps = [card.rendered.fields[FIELDS.index(name)] for card in edited.deck.cards]
    assert stamps[0] == "torch 3.0.0"
    assert stamps[1] == first.deck.cards[1].rendered.fields[FIELDS.index(name)]


def test_restamp_sends_a_new_stamp_and_leaves_what_has_the_same():
    first = built(THREE)
    stamped = [with_field(THREE[0], "Checked", "torch 3.0.0"), *THREE[1:]]
    assert mtimes(built(stamped, first, LATER, restamp=True)) == [LATER, NOW, NOW]


def test_a_stamp_that_checking_has_overtaken_is_told_until_it_is_sent():
    open_ = [replace(each, tags=("torch", "deckgen::unverified")) for each in THREE[:2]]
    first = built([*open_, THREE[2]])
    assert first.changes.warnings == ()
    again = built(THREE, first, LATER)
    assert again.deck == first.deck
    (warning,) = again.changes.warnings
    assert "2 notes" in warning
    assert "--restamp" in warning
    sent = built(THREE, again, LATER, restamp=True)
    assert sent.changes.warnings == ()
    assert mtimes(sent) == [LATER, LATER, NOW]


def test_a_torch_outside_of_the_versions_that_a_note_is_about_leaves_its_line_as_it_is():
    first = built([replace(THREE[0], words=("holds",)), THREE[1]])
    skipped = replace(THREE[0], words=("skipped",))
    assert format_lock(built([skipped, THREE[1]], first, LATER).lock) == format_lock(first.lock)
    edited = built([with_field(skipped, "Answer", "an array"), THREE[1]], first, LATER)
    assert edited.lock.notes[0].words == ("skipped",)


def test_verdict_words_are_in_the_lock_and_touch_no_note():
    first = built(THREE)
    judged = built([replace(each, words=("holds",)) for each in THREE], first, LATER)
    assert judged.deck.cards[0].mtime == NOW
    assert judged.lock.notes[0].words == ("holds",)


def test_tags_of_the_environment_stand_and_those_of_the_author_are_as_they_are_now():
    first = built([replace(THREE[0], tags=("torch", "deckgen::unverified"))])
    again = built([replace(THREE[0], tags=("torch", "basics"))], first, LATER)
    (card,) = again.deck.cards
    assert card.mtime == NOW
    assert card.rendered.tags == ("torch", "basics", "deckgen::unverified")


def test_time_never_stands_still_or_runs_back():
    first = built(THREE)
    early = built([with_field(THREE[0], "Answer", "x"), *THREE[1:]], first, NOW - 500)
    assert mtimes(early) == [NOW + 1, NOW, NOW]
    assert mtimes(built([with_field(THREE[0], "Answer", "y"), *THREE[1:]], early, NOW))[0] == NOW + 2


def test_a_section_on_top_touches_no_note_below():
    first = built(THREE)
    moved = [
        replace(each, places=(replace(each.places[0], span=each.places[0].span | each.places[0].span),))
        for each in THREE
    ]
    moved = [with_field(each, "Source", "tensors.md:40") for each in moved]
    again = built([note("what is autograd", "a tape"), *moved], first, LATER)
    assert len(again.changes.new) == 1
    assert again.changes.unchanged == 3
    assert [card.guid for card in again.deck.cards if card.mtime == NOW] == [card.guid for card in first.deck.cards]


def test_a_note_that_moves_to_another_file_keeps_its_identity_and_its_subdeck():
    first = built(THREE, source_decks=source_decks("Tensors", "Views"))
    elsewhere = note("what is a view", "another shape", file="views.md")
    again = built([*THREE[:2], elsewhere], first, LATER, source_decks=source_decks("Tensors", "Views"))
    assert guids(again) == guids(first)
    assert {card.subdeck for card in again.deck.cards} == {"PyTorch::010 Tensors"}
    (moved,) = again.changes.moved
    assert "tensors.md" in moved.detail
    assert "010 Tensors" in moved.detail


def test_a_removed_note_is_told_with_a_search_and_keeps_its_line():
    first = built(THREE)
    again = built(THREE[:2], first, LATER)
    assert [change.title for change in again.changes.removed] == ["Tensors: what is a view"]
    assert again.changes.search == '("note:deckgen Question" "Title:Tensors\\: what is a view")'
    assert len(again.lock.notes) == 3
    assert len(again.deck.cards) == 2
    assert built(THREE[:2], again, LATER).changes.removed == ()


def test_a_note_that_comes_back_is_itself():
    first = built(THREE)
    gone = built(THREE[:2], first, LATER)
    back = built(THREE, gone, LATER + 5)
    assert back.deck == first.deck
    assert len(back.changes.returned) == 1


def test_the_one_note_that_went_from_a_section_may_be_the_one_that_came():
    first = built(THREE)
    other = note("may memory be shared", "by windows")
    made = built([*THREE[:2], other], first, LATER)
    (removed,) = made.changes.removed
    assert removed.perhaps == guids(made)["may memory be shared"]
    two = built([THREE[0], other], first, LATER).changes.removed
    assert [removed.perhaps for removed in two] == ["", ""]
    for came in (
        [],
        [other, note("why strides", "they step")],
        [note("may memory be shared", "by windows", headings=("B",))],
    ):
        (removed,) = built([*THREE[:2], *came], first, LATER).changes.removed
        assert removed.perhaps == removed.detail == ""


def test_a_note_that_comes_back_elsewhere_is_itself():
    first = built(THREE)
    gone = built(THREE[:2], first, LATER)
    back = built([*THREE[:2], note("what is a view", "another shape", headings=("Views",))], gone, LATER + 5)
    assert guids(back) == guids(first)
    other = built([*THREE[:2], note("what is a view", "a window", headings=("Views",))], gone, LATER + 5)
    assert guids(other)["what is a view"] != guids(first)["what is a view"]


def test_a_note_that_may_be_either_of_two_removed_ones_is_neither():
    apart = [note("what is a view", "another shape", headings=(name,)) for name in ("Shapes", "Memory")]
    first = built([*THREE[:2], *apart])
    gone = built(THREE[:2], first, LATER)
    back = built([*THREE[:2], note("what is a view", "another shape", headings=("Views",))], gone, LATER + 5)
    assert guids(back)["what is a view"] not in {line.guid for line in first.lock.notes}
    alone = built([*THREE[:2], apart[0]])
    back = built([*THREE[:2], apart[1]], built(THREE[:2], alone, LATER), LATER + 5)
    assert guids(back) == guids(alone)


def test_a_note_that_learners_have_moves_to_where_a_removed_one_asked_the_same():
    first = built([note("what is a view", "another shape"), note("what is a view", "a window", headings=("Views",))])
    one_less = built([note("what is a view", "a window", headings=("Views",))], first, LATER)
    moved = built([note("what is a view", "a window")], one_less, LATER + 5)
    assert guids(moved) == guids(one_less)


def test_a_note_that_comes_back_changed_is_newer_than_anything_shipped():
    gone = built(THREE[:2], built(THREE), LATER)
    back = built([*THREE[:2], note("what is a view", "no copy")], gone, NOW)
    assert mtimes(back)[2] > LATER


def test_notes_of_a_file_that_was_not_read_are_not_removed():
    notes = [note("a", "1", file="one.md"), note("b", "2", file="two.md")]
    first = built(notes)
    partial = built(notes[:1], first, LATER, unread={"two.md"})
    assert partial.changes.removed == ()
    assert [card.guid for card in partial.deck.cards] == [guids(first)["a"]]
    assert built(notes, partial, LATER).deck == first.deck


def test_a_note_of_an_unread_file_is_no_rename():
    first = built([note("how does view reshape a tensor", "it copies nothing at all", file="two.md")])
    other = note("how does view() reshape a tensor", "it copies nothing at all", file="one.md")
    again = built([other], first, LATER, unread={"two.md"})
    assert len(again.changes.new) == 1


def test_identical_notes_become_one_with_both_places():
    twins = [
        note("what is a tensor", "a box", file="a.md"),
        note("what is a tensor", "a box", file="b.md", tags=("b",)),
    ]
    twins = [with_field(each, "Source", "x") for each in twins]
    made = built(twins)
    (card,) = made.deck.cards
    assert [place.source for place in card.rendered.places] == ["a.md", "b.md"]
    assert card.rendered.tags == ("torch", "b")
    left = built(twins[1:], made, LATER)
    assert guids(left) == guids(made)
    assert left.changes.removed == ()


def test_an_id_keeps_a_note_whatever_becomes_of_its_text():
    first = built([note("what is a tensor", "a box", explicit_id="tensor"), *THREE[1:]])
    again = built(
        [*THREE[1:], note("wholly different", "words", headings=("New",), explicit_id="tensor")], first, LATER
    )
    assert guids(again)["wholly different"] == guids(first)["what is a tensor"]
    assert again.changes.new == again.changes.removed == ()


def test_an_id_given_later_is_taken_up_by_the_note_that_has_the_key():
    first = built(THREE)
    named = built([note("what is a tensor", "a box of numbers", explicit_id="tensor"), *THREE[1:]], first, LATER)
    assert guids(named) == guids(first)
    assert (
        guids(built([note("renamed", "now", explicit_id="tensor"), *THREE[1:]], named))["renamed"]
        == guids(first)["what is a tensor"]
    )


def test_two_notes_with_one_id_are_refused_with_both_lines():
    with pytest.raises(UsageError) as caught:
        built([note("a", explicit_id="x", line=3), note("b", explicit_id="x", line=9)])
    assert caught.value.where == "tensors.md:9"
    assert "tensors.md:3" in caught.value.message


def test_a_note_of_another_type_is_a_new_note_and_both_are_told_why():
    first = built([note("zeros", "makes zeros")])
    again = built([note("zeros", "makes zeros", kind="api")], first, LATER)
    assert again.deck.cards[0].guid != first.deck.cards[0].guid
    assert "Anki cannot turn one into the other" in again.changes.new[0].detail
    assert "Anki cannot turn one into the other" in again.changes.removed[0].detail


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_equal_keys_are_told_apart_by_their_answers_not_their_order(order: tuple[int, int]):
    pair = [
        note("features", "a graph that is built while it runs", line=5),
        note("features", "one tensor library for all devices", line=9),
    ]
    first = built(pair)
    by_answer = {card.rendered.answer_text: card.guid for card in first.deck.cards}
    edited = [replace(pair[0], answer_text="a graph that is built while the code runs"), pair[1]]
    again = built([edited[place] for place in order], first, LATER)
    assert {card.rendered.answer_text: card.guid for card in again.deck.cards} == {
        "a graph that is built while the code runs": by_answer["a graph that is built while it runs"],
        "one tensor library for all devices": by_answer["one tensor library for all devices"],
    }


def test_a_note_inserted_before_one_of_equal_key_does_not_take_its_place():
    first = built([note("features", "a graph that is built while it runs")])
    again = built(
        [note("features", "one library for all devices"), note("features", "a graph that is built while it runs")],
        first,
        LATER,
    )
    assert [card.rendered.answer_text for card in again.deck.cards if card.guid == first.deck.cards[0].guid] == [
        "a graph that is built while it runs"
    ]


@pytest.mark.parametrize(("before", "after"), [(2, 1), (1, 2)])
def test_which_of_two_notes_of_equal_key_one_with_another_answer_is_only_its_author_knows(before: int, after: int):
    answers = ["relu keeps what is positive", "a stride counts elements", "seeds are set by hand", "gradients add up"]
    first = built([note("features", answer) for answer in answers[:before]])
    again = built([note("features", answer) for answer in answers[2 : 2 + after]], first, LATER)
    assert {card.guid for card in first.deck.cards}.isdisjoint(card.guid for card in again.deck.cards)
    assert len(again.changes.doubtful) == after
    assert {change.detail for change in (*again.changes.new, *again.changes.removed)} == {""}


def test_equal_keys_are_warned_of_with_both_lines_and_a_way_out():
    (warning,) = built([note("features", "one", line=5), note("features", "two", line=9)]).changes.warnings
    assert warning.startswith("tensors.md:9: ")
    assert "tensors.md:5" in warning
    assert "<!-- deckgen: id=" in warning


def test_a_new_note_never_gets_a_guid_that_another_had():
    first = built([note("what does torch.view return", "a tensor that shares its memory")])
    renamed = built([note("what does torch.view return to you", "a tensor that shares its memory")], first, LATER)
    assert guids(renamed)["what does torch.view return to you"] == guids(first)["what does torch.view return"]
    both = built(
        [
            note("what does torch.view return to you", "a tensor that shares its memory"),
            note("what does torch.view return", "quite something else"),
        ],
        renamed,
        LATER,
    )
    assert len(set(guids(both).values())) == 2


def test_a_lost_lock_gives_the_same_guids_again():
    assert guids(built(THREE)) == guids(built(THREE[::-1], None, LATER))
    assert built(THREE).changes.first


def test_guids_are_what_they_were_in_the_first_release():
    assert guid(DECK_ID, Key(("Tensors",), "what is a tensor"), None) == "5wYMEqM9cyxctc"
    assert guid(DECK_ID, Key((), "x"), "an-id") == "dAI8xmfbFmYJcd"


def test_a_guid_is_never_taken_for_an_option_of_a_command():
    assert all(guid(DECK_ID, Key((), str(number)), None).isalnum() for number in range(500))


def test_a_lock_of_another_deck_is_refused():
    first = built(THREE)
    with pytest.raises(UsageError, match="this lock is of deck"):
        built(THREE, first, deck_id=77)


def test_a_deck_keeps_its_name_because_anki_knows_it_by_nothing_else():
    again = built(THREE, built(THREE), LATER, deck_name="Torch")
    assert again.deck.name == "PyTorch"
    assert "Torch" in again.changes.warnings[0]


def test_the_note_types_move_only_when_their_look_does():
    first = built(THREE)
    assert built(THREE, first, LATER).deck.notetypes_mtime == NOW
    restyled = tuple(replace(each, css=each.css + "/**/") for each in first_types())
    again = built(THREE, first, LATER, notetypes=restyled)
    assert again.deck.notetypes_mtime == LATER
    assert again.changes.notetypes
    assert mtimes(again) == [NOW] * 3


def test_the_look_has_the_time_that_it_changed_in_deckgen_and_not_that_of_a_build():
    first = built(THREE, look_changed=NOW - 99)
    assert first.deck.notetypes_mtime == NOW - 99
    assert built(THREE, None, LATER, look_changed=NOW - 99).deck.notetypes_mtime == NOW - 99


def test_a_look_that_changed_before_an_older_lock_was_written_is_newer_all_the_same():
    restyled = tuple(replace(each, css=each.css + "/**/") for each in first_types())
    again = built(THREE, built(THREE), LATER, notetypes=restyled, look_changed=NOW - 99)
    assert again.deck.notetypes_mtime == NOW + 1


def first_types():
    from rendered import TYPES

    return TYPES


def dues(made) -> dict[str, int]:
    return {card.rendered.key.anchor: card.due for card in made.deck.cards}


def test_new_notes_are_met_in_the_order_of_the_document():
    assert dues(built([note(name) for name in "cab"])) == {"c": 1000, "a": 2000, "b": 3000}


def test_a_note_between_two_gets_a_place_between_them_and_moves_none():
    first = built([note("a"), note("b")])
    again = built([note("a"), note("x"), note("y"), note("b"), note("z")], first, LATER)
    assert dues(again) == {"a": 1000, "x": 1333, "y": 1666, "b": 2000, "z": 3000}


def test_a_note_before_all_others_is_met_first_but_never_before_the_users_own():
    first = built([note("a")])
    for name in "bcdefghijklmnop":
        first = built([note(name), *(card.rendered for card in first.deck.cards)], first, LATER)
    assert min(dues(first).values()) >= 1
    assert dues(first)["c"] <= dues(first)["b"] < dues(first)["a"]


def test_notes_at_the_end_of_a_file_do_not_crowd_the_next_file():
    many = [note(f"a{number}", file="tensors.md") for number in range(3)]
    other = [note("b", file="views.md")]
    first = built([*many, *other], source_decks=source_decks("Tensors", "Views"))
    for number in range(3, 30):
        many.append(note(f"a{number}", file="tensors.md"))
        first = built([*many, *other], first, LATER, source_decks=source_decks("Tensors", "Views"))
    assert [dues(first)[f"a{number}"] for number in range(30)] == sorted(
        {dues(first)[f"a{number}"] for number in range(30)}
    )


def test_subdecks_are_numbered_once_and_a_new_file_goes_between():
    def subdecks(made) -> set[str]:
        return {card.subdeck for card in made.deck.cards}

    one, three = note("a", file="tensors.md"), note("c", file="views.md")
    first = built([one, three], source_decks=source_decks("Tensors", "Views"))
    assert subdecks(first) == {"PyTorch::010 Tensors", "PyTorch::020 Views"}
    again = built(
        [one, note("b", file="dtypes.md"), three], first, LATER, source_decks=source_decks("Tensors", "Dtypes", "Views")
    )
    assert subdecks(again) == {"PyTorch::010 Tensors", "PyTorch::015 Dtypes", "PyTorch::020 Views"}


def test_a_subdeck_keeps_its_name_when_its_file_or_title_is_renamed():
    from deckgen.identity import SourceDeck

    first = built([note("a")], source_decks=source_decks("Tensors"))
    retitled = built(
        [note("a"), note("b")], first, LATER, source_decks=[SourceDeck("tensors.md", "tensors.md", "All about tensors")]
    )
    assert {card.subdeck for card in retitled.deck.cards} == {"PyTorch::010 Tensors"}
    refiled = built(
        [note("a", file="01.md"), note("b", file="01.md")],
        first,
        LATER,
        source_decks=[SourceDeck("01.md", "01.md", "Tensors")],
    )
    assert {card.subdeck for card in refiled.deck.cards} == {"PyTorch::010 Tensors"}


def test_a_title_with_colons_makes_no_subdeck_of_a_subdeck():
    from deckgen.identity import SourceDeck

    made = built([note("a")], source_decks=[SourceDeck("tensors.md", "tensors.md", 'torch::Tensor "x"')])
    assert made.deck.cards[0].subdeck == "PyTorch::010 torch: Tensor 'x'"


def test_cards_that_no_longer_exist_are_told():
    first = built([note("a", "b", ordinals=(0, 1), AskReverse="1")])
    (change,) = built([note("a", "b")], first, LATER).changes.changed
    assert "Empty Cards" in change.detail


def spare(prompt: str, answer: str, **more: Any) -> Rendered:
    """A note whose reverse card would not be made today."""
    return replace(note(prompt, answer, **more), spare=Reverse("What is this?", "Tensors"))


def asked_back(prompt: str, answer: str, **more: Any) -> Rendered:
    """The same note as it was when everybody got that card."""
    return replace(spare(prompt, answer, **more).with_spare(), spare=None)


def ordinals(made: Assigned) -> list[tuple[int, ...]]:
    return [card.rendered.ordinals for card in made.deck.cards]


def test_a_spare_reverse_card_is_made_for_nobody_new():
    assert ordinals(built([spare("a", "b")])) == [(0,)]


def test_a_spare_reverse_card_that_learners_have_stays_and_changes_nothing():
    first = built([asked_back("a", "b"), note("c", "d")])
    second = built([spare("a", "b"), note("c", "d")], first, LATER)
    assert ordinals(second) == [(0, 1), (0,)]
    assert (second.changes.unchanged, second.changes.spare) == (2, 1)
    assert second.lock.notes == first.lock.notes


@pytest.mark.parametrize(
    "edited",
    [spare("a", "b, said better"), spare("what is this a", "b"), spare("a", "b", headings=("Views",))],
    ids=["another answer", "reworded", "moved"],
)
def test_a_note_that_is_still_itself_keeps_its_spare_card(edited: Rendered):
    first = built([asked_back("what is an a", "b") if "what" in edited.key.anchor else asked_back("a", "b")])
    second = built([edited], first, LATER)
    assert [card.guid for card in second.deck.cards] == [card.guid for card in first.deck.cards]
    assert ordinals(second) == [(0, 1)]


def test_a_note_that_comes_back_keeps_its_spare_card():
    first = built([asked_back("a", "b")])
    gone = built([], first, LATER)
    assert ordinals(built([spare("a", "b")], gone, LATER + 1)) == [(0, 1)]


def test_spare_cards_of_notes_with_one_key_stay_with_their_own():
    """They are told apart by their hashes, which were of notes with the card."""
    first = built([asked_back("a", "b", Code="x"), asked_back("a", "b", Code="y"), note("a", "b", Code="z")])
    again = [spare("a", "b", Code="z"), spare("a", "b", Code="y"), spare("a", "b", Code="x")]
    second = built(again, first, LATER)
    code = FIELDS.index("Code")
    assert {card.rendered.fields[code]: card.guid for card in second.deck.cards} == {
        card.rendered.fields[code]: card.guid for card in first.deck.cards
    }
    assert second.changes.unchanged == len(again)


def test_spare_cards_are_taken_back_when_asked_and_stay_away():
    first = built([asked_back("a", "b"), note("c", "d")])
    retired = built([spare("a", "b"), note("c", "d")], first, LATER, retire=True)
    assert ordinals(retired) == [(0,), (0,)]
    assert (retired.changes.emptied, retired.changes.spare, len(retired.changes.changed)) == (1, 0, 1)
    after = built([spare("a", "b"), note("c", "d")], retired, LATER + 1)
    assert (ordinals(after), after.changes.unchanged) == ([(0,), (0,)], 2)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_notes_that_ask_and_answer_nearly_the_same_stay_who_they_are(count: int):
    alike = [
        note("what does step do", f"it moves parameter {n} by one step", line=n + 1, Title=f"step {n}")
        for n in range(count)
    ]
    first = built(alike)
    again = built(alike[::-1], first, LATER)
    assert again.changes.unchanged == count
    edited = built(
        [note("what does step do", "it moves parameter 0 by one stride", Title="step 0"), *alike[1:]], again, LATER
    )
    assert (len(edited.changes.changed), edited.changes.unchanged) == (1, count - 1)
    assert edited.changes.new == ()


def test_notes_of_equal_key_in_several_files_are_told_apart_by_their_files():
    pair = [note("read data", f"loop over loader {name}", file=f"{name}.md", Title=name) for name in "ab"]
    first = built(pair)
    edited = [note("read data", f"loop over a loader, {name}", file=f"{name}.md", Title=name) for name in "ba"]
    again = built(edited, first, LATER)
    by_title = {card.rendered.fields[0]: card.guid for card in first.deck.cards}
    assert {card.rendered.fields[0]: card.guid for card in again.deck.cards} == by_title


@pytest.mark.parametrize("changed", ["one", "all"])
def test_four_times_the_notes_with_one_key_take_four_times_the_work(changed: str):
    def work(count: int) -> int:
        many = [note("example", f"answer number {number}", Title=f"example {number}") for number in range(count)]
        first = built(many)
        edited = (
            [*many[:-1], note("example", "other", Title="x")]
            if changed == "one"
            else [note("example", f"{n}", Title=f"{n}") for n in range(count)]
        )
        made: list[Assigned] = []
        taken = calls(lambda: made.append(built(edited, first, LATER)))
        assert made[0].changes.unchanged == (count - 1 if changed == "one" else 0)
        return taken

    with patience():
        assert work(3000) <= 5 * work(750)


def test_a_deck_of_ten_sources_is_met_in_their_order_and_a_deck_that_learners_have_keeps_its_digits():
    titles = [f"Part{letter}" for letter in "abcdefghijkl"]
    notes = [note(title, file=f"{title.lower()}.md") for title in titles]
    names = {card.subdeck for card in built(notes, source_decks=source_decks(*titles)).deck.cards}
    assert [name.partition(" ")[2] for name in sorted(names)] == titles
    first = built(notes[:1], source_decks=source_decks(titles[0])).lock
    short = replace(first, subdecks=(LockedSubdeck("10 Parta", "parta.md"),))
    again = built(notes[:2], short, source_decks=source_decks(*titles[:2]))
    assert {one.name for one in again.lock.subdecks} == {"10 Parta", "20 Partb"}


def test_cards_of_a_deck_with_a_number_come_behind_those_of_smaller_numbers():
    dues = [
        [card.due for card in built([note("a"), note("b")], deck_name=name).deck.cards]
        for name in ("PyTorch::01 Tensors", "PyTorch::02 Autograd", "PyTorch::1999 in torch", "PyTorch")
    ]
    assert dues == [[10_010, 10_020], [20_010, 20_020], [1000, 2000], [1000, 2000]]
