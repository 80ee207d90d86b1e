"""Before a note is withheld: do learners have it already, perhaps under another wording?"""

from __future__ import annotations

from rendered import built, note

from deckgen.identity import known
from deckgen.model.note import Api, Basic, Body, Key, Note, Place
from deckgen.model.source import Span


def source_note(anchor: str, answer: str, body: Body | None = None) -> Note:
    return Note(
        key=Key(("Tensors",), anchor),
        places=(Place("tensors.md", Span(0, 1)),),
        headings=("Tensors",),
        body=body or Basic(prompt=anchor, answer=answer),
    )


LOCK = built(
    [note("what does view share", "the memory of the tensor"), note("what is a leaf", "made by the user")]
).lock


def test_a_note_with_its_old_key_is_known_and_a_new_one_is_not():
    notes = [source_note("what does view share", "nothing"), source_note("what is autocast", "a context")]
    assert known(notes, LOCK) == (True, False)


def test_a_reworded_note_is_known():
    notes = [source_note("what does view share with its base", "the memory of the tensor")]
    assert known(notes, LOCK) == (True,)


def test_a_note_that_was_removed_is_still_with_those_who_had_it():
    gone = built([note("what is a leaf", "made by the user")], LOCK).lock
    assert known([source_note("what does view share", "the memory of the tensor")], gone) == (True,)


def test_a_note_of_another_type_is_not_known():
    api = Api(name="view", signature="view()", meaning="x")
    assert known([source_note("what does view share", "", api)], LOCK) == (False,)
