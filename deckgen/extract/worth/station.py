"""The station: every note is repaired where it can be, and doubted where a row of the rules finds it not worth learning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from deckgen.extract.page import Finds
from deckgen.extract.worth import rules
from deckgen.extract.worth.reasons import with_reasons
from deckgen.extract.worth.repairs import REPAIRS, as_question
from deckgen.extract.worth.whole import Whole
from deckgen.model.document import Document
from deckgen.model.note import Doubt, FoundAs, Note, Skipped, Standing

AUTHORED = (FoundAs.QUIZ, FoundAs.MNEMONIC)
"""Notes that are as their author meant them."""


def weigh(notes: Iterable[Note], document: Document) -> Finds:
    """The notes with what speaks against them; a refusal with its note for each whose card would show marks or nothing.

    What its author declared to be a card is not judged.
    """
    kept: list[Note] = []
    refused: list[Skipped] = []
    repairs = with_reasons([repaired(note) for note in notes], document)
    whole = Whole(document, repairs)
    for note in repairs:
        broken = [] if note.kept or note.explicit_id else broken_rules(note, whole)
        torn = next((rule for rule in broken if rule.refuses or note.found_as is FoundAs.FACT), None)
        asked = note if note.origin is Standing.DECLARED else as_question(note, whole)
        if torn:
            refused.append(Skipped(note.span, torn.reason, rule=f"worth: {torn.name}", note=replace(asked, kept=True)))
        else:
            kept.append(replace(asked, doubts=(*asked.doubts, *(Doubt(one.name, one.reason) for one in broken))))
    return Finds(tuple(kept), tuple(refused))


def repaired(note: Note) -> Note:
    """A note without what can be taken out of it to make it good; what its author wrote as a card is left as it is."""
    if note.origin is Standing.DECLARED and note.found_as not in AUTHORED:
        return note
    for repair in REPAIRS:
        note = repair(note)
    return note


def broken_rules(note: Note, whole: Whole) -> list[rules.WorthRule]:
    """The rules that a note breaks; of what its author wrote as a card only those that would leave it torn or empty."""
    declared = note.found_as in AUTHORED or note.origin is Standing.DECLARED
    asked = (rule for rule in rules.RULES if rule.refuses or not declared)
    broken = (rule for rule in asked if rule.is_broken_by(note, whole))
    return (
        [*islice(broken, 1)] if note.found_as is FoundAs.FACT else [*broken]
    )  # of what is not offered one reason is enough
