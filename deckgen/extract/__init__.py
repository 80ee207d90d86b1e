"""Extraction: a document becomes notes, snippets with claims, and APIs to look up.

Idioms are asked in order, the surest first; each is one module and one line in `IDIOMS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from deckgen.extract.apis.mentions import mentions
from deckgen.extract.asked.asides import asides
from deckgen.extract.asked.code_questions import code_questions
from deckgen.extract.asked.dialogue import dialogue
from deckgen.extract.asked.flash_cards import flash_cards
from deckgen.extract.asked.questions import questions
from deckgen.extract.asserted.answered import answered
from deckgen.extract.asserted.said import said
from deckgen.extract.defined.definitions import definitions
from deckgen.extract.defined.rhymes import rhymes
from deckgen.extract.defined.sentences import sentences
from deckgen.extract.defined.takeaways import takeaways
from deckgen.extract.described.entries import entries
from deckgen.extract.described.tables import tables
from deckgen.extract.directives import obeyed
from deckgen.extract.full_width import narrowed
from deckgen.extract.grounds import grounded
from deckgen.extract.left_over import left_over, oversized
from deckgen.extract.merge import merge
from deckgen.extract.misspelt import misspelt
from deckgen.extract.page import Idiom, Page
from deckgen.extract.placed import placed
from deckgen.extract.pointing import telling
from deckgen.extract.quiz.blanks import blanks
from deckgen.extract.quiz.choices import choices
from deckgen.extract.shown.code_clozes import code_clozes
from deckgen.extract.shown.outputs import outputs
from deckgen.extract.shown.snippets import snippets
from deckgen.extract.unclosed import unclosed
from deckgen.extract.unique import at_odds, unique
from deckgen.extract.unwieldy import UNWIELDY, borne, unwieldy
from deckgen.model.document import Document
from deckgen.model.extraction import Extraction
from deckgen.model.note import Note, Skipped

__all__ = ["IDIOMS", "extract", "merge"]

IDIOMS: tuple[Idiom, ...] = (
    asides,
    choices,
    flash_cards,
    blanks,
    code_questions,
    dialogue,
    tables,
    rhymes,
    outputs,
    questions,
    entries,
    definitions,
    takeaways,
    sentences,
    code_clozes,
)


def _by(rule: str, skipped: Iterable[Skipped]) -> list[Skipped]:
    """The refusals, each with the rule that refused; one that has a rule keeps it."""
    return [skip if skip.rule else replace(skip, rule=rule) for skip in skipped]


def _lines(note: Note) -> tuple[int, int]:
    span = note.span
    return span.start, span.stop


def extract(document: Document) -> Extraction:
    """Everything that a document holds, before anything is run; every block that gave no note has its reason."""
    document = narrowed(borne(document))
    too_big = frozenset(index for index, block in enumerate(document.blocks) if unwieldy(block))
    page = Page(document, snippets(document), mentions(document), too_big)
    notes: list[Note] = []
    skipped = [Skipped(document.blocks[index].span, UNWIELDY, rule="unwieldy") for index in sorted(too_big)]
    for idiom in IDIOMS:
        finds = idiom(page)
        notes += [replace(note, rule=idiom.__name__) for note in finds.notes]
        skipped += _by(idiom.__name__, finds.skipped)
        page = page.after(finds)
    wanted, unwanted = obeyed(page, sorted(notes, key=_lines))
    answering, pointing = telling(wanted)
    kept, doubled = unique(answering, document)
    skipped += [*_by("directive", unwanted), *_by("cross_reference", pointing), *_by("unique", doubled)]
    skipped += [*_by("left_over", left_over(page, kept, skipped)), *_by("oversized", oversized(kept))]
    told, asked_about = answered(grounded(kept, page.snippets), page.snippets, document)
    stated = said(document, told, skipped, asked_about, page.apis)
    found = Extraction(
        document=document,
        notes=stated.notes,
        snippets=tuple(sorted((*asked_about, *stated.snippets), key=lambda snippet: snippet.span.start)),
        apis=tuple(sorted((*page.apis, *stated.apis), key=lambda claim: claim.span.start)),
        skipped=tuple(sorted(_by("said", stated.skipped), key=lambda skip: skip.span)),
        remarks=(*misspelt(document), *unclosed(document), *(at_odds(wanted, kept, document) if doubled else ())),
    )
    return placed(found) if document.places else found
