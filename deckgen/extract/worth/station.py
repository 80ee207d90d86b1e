"""The station: every note is repaired where it can be, and refused where a row of the rules finds it not worth learning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from deckgen.extract.page import Finds
from deckgen.extract.worth import rules
from deckgen.extract.worth.repairs import REPAIRS, as_question
from deckgen.extract.worth.whole import Whole
from deckgen.model.document import Document
from deckgen.model.note import Note, Skipped

AUTHORED = ("choices", "blanks", "mnemonics")
"""Rules whose notes are as their author meant them."""


def weigh(notes: Iterable[Note], document: Document) -> Finds:
    """The notes that are worth learning, and a refusal with its note for each of the others.

    What the author wants to keep (`<!-- deckgen: keep -->`, or an id) stays whatever it is worth.
    """
    kept: list[Note] = []
    refused: list[Skipped] = []
    repairs = [repaired(note) for note in notes]
    whole = Whole(document, repairs)
    for note in repairs:
        rule = None if note.kept or note.explicit_id else broken_rule(note, whole)
        asked = as_question(note)
        if rule is None:
            kept.append(asked)
        else:
            name = f"worth: {rule.name}"
            refused.append(Skipped(note.span, rule.reason, rule=name, note=replace(asked, kept=True)))
    return Finds(tuple(kept), tuple(refused))


def repaired(note: Note) -> Note:
    """A note without what can be taken out of it to make it good."""
    for repair in REPAIRS:
        note = repair(note)
    return note


def broken_rule(note: Note, whole: Whole) -> rules.WorthRule | None:
    """The first rule that a note breaks; what its author put as a question, a gap or a rhyme is not judged."""
    if note.rule in AUTHORED:
        return None
    return next((rule for rule in rules.RULES if rule.refuses(note, whole)), None)
