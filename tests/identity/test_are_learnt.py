"""Before a note is withheld: do learners have it already, perhaps under another wording?"""

from __future__ import annotations

from dataclasses import replace

from rendered import built, note

from deckgen.identity import are_learnt
from deckgen.model.note import Api, Basic, Body, Key, Note, Place, Standing
from deckgen.model.source import Span


def source_note(anchor: str, answer: str, body: Body | None = None) -> Note:
    return Note(
        key=Key(("Tensors",), anchor),
        places=(Place("tensors.md", Span(0, 1)),),
        headings=("Tensors",),
        body=body or Basic(prompt=anchor, answer=answer),
        origin=Standing.SURE,
    )


LOCK = built(
    [note("what does view share", "the memory of the tensor"), note("what is a leaf", "made by the user")]
).lock


def test_a_note_with_its_old_key_is_known_and_a_new_one_is_not():
    notes = [source_note("what does view share", "nothing"), source_note("what is autocast", "a context")]
    assert are_learnt(notes, LOCK) == (True, False)


def test_a_reworded_note_is_known():
    notes = [source_note("what does view share with its base", "the memory of the tensor")]
    assert are_learnt(notes, LOCK) == (True,)


def test_a_note_that_was_removed_is_still_with_those_who_had_it():
    gone = built([note("what is a leaf", "made by the user")], LOCK).lock
    assert are_learnt([source_note("what does view share", "the memory of the tensor")], gone) == (True,)


def test_a_note_of_another_type_is_not_known():
    api = Api(name="view", signature="view()", meaning="x")
    assert are_learnt([source_note("what does view share", "", api)], LOCK) == (False,)


def suggestion(anchor: str, answer: str) -> Note:
    return replace(source_note(anchor, answer), origin=Standing.SUGGESTED)


def test_a_suggestion_is_no_removed_note_that_comes_back():
    gone = built([note("what is a leaf", "made by the user")], LOCK).lock
    assert are_learnt([suggestion("what does view share", "the memory of the tensor")], gone) == (False,)


def test_a_suggestion_that_was_shipped_is_known_and_so_it_is_in_other_words():
    assert are_learnt([suggestion("what is a leaf", "made by the user")], LOCK) == (True,)
    reworded = suggestion("what is a leaf tensor", "made by the user")
    assert are_learnt([source_note("what does view share", "the memory of the tensor"), reworded], LOCK) == (True, True)


def test_a_suggestion_takes_no_line_from_a_note_that_is_none():
    reworded = source_note("what is a leaf tensor", "made by the user")
    assert are_learnt([suggestion("what is a leaf node", "made by the user"), reworded], LOCK) == (False, True)
