"""Renames: a reworded question keeps its history, another question does not inherit it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rendered import NOW, built, guids, note

from deckgen.identity import adopt, copies, keep_apart
from deckgen.identity.likeness import likeness
from deckgen.model.errors import UsageError

CASES = Path(__file__).parents[1] / "cases" / "renames.md"
LATER = NOW + 60


def cases() -> list[list[str]]:
    rows = [line.strip("|").split("|") for line in CASES.read_text("utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_there_are_thirty_edits_and_half_of_them_must_not_match():
    told = [case[0] for case in cases()]
    assert len(told) >= 30
    assert told.count("one") == told.count("two")


@pytest.mark.parametrize(("told", "question", "answer", "new_question", "new_answer"), cases())
def test_an_edit_is_told_from_another_note(told: str, question: str, answer: str, new_question: str, new_answer: str):
    first = built([note("what stays", "this"), note(question, answer)])
    again = built([note("what stays", "this"), note(new_question, new_answer)], first, LATER)
    same = guids(again)[new_question] == guids(first)[question]
    assert same is (told == "one")
    if same:
        (renamed,) = again.changes.renamed
        assert question in renamed.detail
        assert again.changes.new == again.changes.removed == ()
    else:
        assert len(again.changes.new) == len(again.changes.removed) == 1


def test_of_two_vanished_notes_that_fit_equally_none_is_guessed():
    old = [
        note("What does view(a) do to strides?", "It changes them."),
        note("What does view(b) do to strides?", "It changes them."),
    ]
    first = built(old)
    again = built([note("What does view(c) do to strides?", "It changes them.")], first, LATER)
    assert len(again.changes.new) == 1
    (doubt,) = again.changes.doubtful
    assert doubt.command("notes") == f"deckgen adopt {doubt.old} {doubt.new} notes"
    assert doubt.old in guids(first).values()


def test_a_better_match_elsewhere_settles_who_is_who():
    old = [
        note("how does gradient clipping by value work", "each entry is cut off"),
        note("how does gradient clipping by norm work", "the whole is scaled down"),
    ]
    first = built(old)
    new = [
        note("how does gradient clipping by value work in torch", "each entry is cut off"),
        note("how does gradient clipping by norm work in torch", "the whole is scaled down"),
    ]
    again = built(new, first, LATER)
    assert list(guids(again).values()) == list(guids(first).values())
    assert len(again.changes.renamed) == 2


def test_a_renamed_heading_keeps_every_note_below_it():
    names = ("view()", "reshape()", "permute()", "stack()", "cat()")
    answers = {name: f"the one who tells about {name} says this at some length" for name in names}
    first = built([note("features", answers[name], headings=("Notes", name), Title=name) for name in names])
    again = built(
        [note("features", answers[name], headings=("Handbook", name), Title=name) for name in names], first, LATER
    )
    old = {card.rendered.answer_text: card.guid for card in first.deck.cards}
    assert {card.rendered.answer_text: card.guid for card in again.deck.cards} == old
    assert len(again.changes.moved) == 5


@pytest.mark.parametrize(
    ("meaning", "renamed", "doubtful"),
    [("Joins tensors along a new dimension.", 1, 0), ("What makes a taller thing of several.", 0, 1)],
)
def test_a_name_is_known_again_under_another_heading_with_its_parameters_written(meaning, renamed, doubtful):
    old = note("torch.stack", "Joins tensors along a new dimension.", kind="api", headings=("Autograd",))
    new = note("torch.stack(tensors, dim=0)", meaning, kind="api", headings=("AD",))
    changes = built([new], built([old]), LATER).changes
    assert (len(changes.renamed), len(changes.doubtful)) == (renamed, doubtful)


def test_a_note_with_a_name_of_its_own_is_not_taken_for_a_reworded_one():
    old, new = (
        note(f"what does torch.view return{more}", "a tensor that shares its memory") for more in ("", " to you")
    )
    assert len(built([new], built([old]), LATER).changes.renamed) == 1
    named = built([replace(old, explicit_id="view")])
    assert len(built([new], named, LATER).changes.new) == 1


def test_an_answer_that_many_questions_have_proves_nothing():
    first = built([note("is a leaf kept", "True")])
    again = built([note("may dtype differ", "True")], first, LATER)
    assert len(again.changes.new) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("torch.zeros", "torch.zeros_like"),
        ("conv1d", "conv2d"),
        ("add_", "add"),
        ("encoder", "decoder"),
        ("不连续", "连续"),
    ],
)
def test_names_that_look_alike_are_not_alike(one: str, other: str):
    assert likeness(f"what does {one} mean here", f"what does {other} mean here") < 0.75


def test_likeness_is_the_same_from_both_sides():
    for _, one, _, other, _ in cases():
        assert likeness(one, other) == likeness(other, one)
        assert likeness(one, one) == 1


def doubtful():
    first = built(
        [note("what is the difference between a leaf and the rest", "leaves hold their gradients after the pass")]
    )
    again = built(
        [note("tell leaves from other tensors", "only a leaf keeps grad when backward is through")], first, LATER
    )
    assert len(again.changes.new) == len(again.changes.removed) == 1
    return first, again


def test_adopting_gives_a_new_note_the_history_of_an_old_one():
    first, again = doubtful()
    lock = adopt(again.lock, again.changes.removed[0].guid, again.changes.new[0].guid)
    third = built([card.rendered for card in again.deck.cards], lock, LATER + 60)
    (card,) = third.deck.cards
    assert card.guid == first.deck.cards[0].guid
    assert card.mtime > first.deck.cards[0].mtime
    assert card.due == first.deck.cards[0].due
    assert third.changes.new == ()


def asked():
    """Two notes of which only the author can say whether they are one."""
    first = built([note("when is the gradient of a leaf tensor kept", "it gathers in grad")])
    changed = note("when is the gradient of a root tensor kept", "nothing is kept there at all")
    return changed, built([changed], first, LATER)


def test_a_doubt_is_told_until_the_author_has_settled_it():
    changed, again = asked()
    (doubt,) = again.changes.doubtful
    third = built([changed], again, LATER + 60)
    assert third.changes.doubtful == (doubt,)
    assert third.lock == again.lock
    parted = keep_apart(third.lock, doubt.old, doubt.new)
    assert built([changed], parted, LATER + 120).changes.doubtful == ()
    adopted = adopt(third.lock, doubt.old, doubt.new)
    fourth = built([changed], adopted, LATER + 120)
    assert fourth.changes.doubtful == ()
    assert guids(fourth) == {changed.key.anchor: doubt.old}


def test_a_doubt_is_over_when_the_old_note_is_back():
    changed, again = asked()
    both = built([changed, note("when is the gradient of a leaf tensor kept", "it gathers in grad")], again, LATER + 60)
    assert both.changes.doubtful == ()
    assert built([changed], both, LATER + 120).changes.doubtful == ()


def test_notes_that_nobody_doubts_cannot_be_parted():
    _, again = asked()
    with pytest.raises(UsageError, match="no note is called"):
        keep_apart(again.lock, "gradient of a leaf", "something else")


def test_whoever_has_the_new_note_already_is_told_how_to_find_its_copy():
    _, again = doubtful()
    lock = adopt(again.lock, again.changes.removed[0].guid, again.changes.new[0].guid)
    assert (
        copies(again.lock, lock)
        == r'(("note:deckgen Question" "Title:Tensors\: tell leaves from other tensors")) is:new'
    )


def test_the_place_of_an_adopted_note_is_not_haunted_by_its_copy():
    """It moves away and back, and is reworded and worded again: nothing but itself stands there."""
    first, again = doubtful()
    lock = adopt(again.lock, again.changes.removed[0].guid, again.changes.new[0].guid)
    (note_,) = [card.rendered for card in again.deck.cards]
    away = note("tell leaves from other tensors", note_.answer_text, headings=("Elsewhere",))
    other = note("tell a leaf from other tensors", note_.answer_text)
    for shown in (note_, away, note_, other, note_):
        made = built([shown], lock, LATER + 60)
        assert [card.guid for card in made.deck.cards] == [first.deck.cards[0].guid]
        lock = made.lock


def test_a_note_that_is_still_there_is_known_while_others_are_gone():
    first = built([note("what is the difference between a leaf and the rest", "a"), note("what else is there", "b")])
    again = built([note("tell leaves from other tensors", "c"), note("what else is there", "b")], first, LATER)
    with pytest.raises(UsageError, match="is still in the deck"):
        adopt(again.lock, guids(again)["what else is there"], "tell leaves")


def test_notes_are_adopted_by_their_questions_too():
    first, again = doubtful()
    lock = adopt(again.lock, "difference between a leaf", "Tensors: tell leaves from other tensors")
    assert first.deck.cards[0].guid in {line.guid for line in lock.live}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("no such note", "tell leaves", "no note is called"),
        ("what", "tell leaves", "may mean 2 notes"),
        ("difference", "what is nothing", "no note is called"),
    ],
)
def test_a_name_that_fits_none_or_several_is_refused(old: str, new: str, message: str):
    first = built([note("what is the difference between a leaf and the rest", "a"), note("what else is there", "b")])
    again = built([note("tell leaves from other tensors", "c")], first, LATER)
    with pytest.raises(UsageError, match=message):
        adopt(again.lock, old, new)


def test_a_note_of_another_type_cannot_be_adopted():
    first = built([note("zeros", "a")])
    again = built([note("ones", "quite another", kind="api")], first, LATER)
    with pytest.raises(UsageError, match="of kind basic"):
        adopt(again.lock, "zeros", "ones")


def test_a_note_that_is_still_there_gives_its_place_to_nobody():
    made = built([note("one", "a"), note("another", "b")])
    with pytest.raises(UsageError, match="still in the deck"):
        adopt(made.lock, guids(made)["one"], guids(made)["another"])
