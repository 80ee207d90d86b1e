"""The station: every note is repaired where it can be, and doubted where a row of the rules finds it not worth learning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from deckgen.extract.page import Finds
from deckgen.extract.worth import doubts
from deckgen.extract.worth.facts import DocumentFacts, Facts
from deckgen.extract.worth.repairs import REPAIRS, as_question, with_reasons
from deckgen.model.document import Document
from deckgen.model.note import Doubt, FoundAs, Note, Skipped, Standing

QUIZ = (FoundAs.QUIZ, FoundAs.MNEMONIC)
"""Notes that ask what their author asks: they are repaired, though declared, and never doubted."""


def weigh(notes: Iterable[Note], document: Document) -> Finds:
    """The notes with what speaks against them; a refusal with its note for each whose card would show marks or nothing.

    What its author declared to be a card is not judged.
    """
    kept: list[Note] = []
    refused: list[Skipped] = []
    repairs = with_reasons([repaired(note) for note in notes], document)
    of_document = DocumentFacts(document, repairs)
    for note in repairs:
        facts = Facts(note, of_document)
        against = [] if note.kept or note.explicit_id else doubts_about(facts)
        torn = next((row for row in against if row.refuses or note.found_as is FoundAs.FACT), None)
        asked = note if note.origin is Standing.DECLARED else as_question(facts)
        if torn:
            refused.append(Skipped(note.span, torn.reason, rule=f"worth: {torn.name}", note=replace(asked, kept=True)))
        else:
            doubted = tuple(Doubt(one.name, one.reason) for one in against)
            kept.append(replace(asked, doubts=asked.doubts + doubted) if doubted else asked)
    return Finds(tuple(kept), tuple(refused))


def repaired(note: Note) -> Note:
    """A note without what can be taken out of it to make it good; what its author wrote as a card is left as it is."""
    if note.origin is Standing.DECLARED and note.found_as not in QUIZ:
        return note
    for repair in REPAIRS:
        note = repair(note)
    return note


def doubts_about(facts: Facts) -> list[doubts.DoubtRow]:
    """The rows that speak against a note; of what its author wrote as a card only those that find it torn or empty."""
    note = facts.note
    declared = note.found_as in QUIZ or note.origin is Standing.DECLARED
    against = (row for row in doubts.DOUBTS if (row.refuses or not declared) and row.applies(facts))
    # of what is not offered one reason is enough
    return [*islice(against, 1)] if note.found_as is FoundAs.FACT else [*against]
