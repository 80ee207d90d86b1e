"""Extraction: a document becomes notes, snippets with claims, and APIs to look up.

Idioms are asked in order, the surest first; each is one module and one line in `IDIOMS`.
"""

from __future__ import annotations

from deckgen.document import Document
from deckgen.extract.answered import answered
from deckgen.extract.apis import mentions
from deckgen.extract.blanks import blanks
from deckgen.extract.blocks import unwieldy
from deckgen.extract.choices import choices
from deckgen.extract.code_clozes import code_clozes
from deckgen.extract.code_questions import code_questions
from deckgen.extract.definitions import definitions
from deckgen.extract.dialogue import dialogue
from deckgen.extract.directives import obeyed
from deckgen.extract.dressed import dressed
from deckgen.extract.entries import entries
from deckgen.extract.exams import exams
from deckgen.extract.flash_cards import flash_cards
from deckgen.extract.full_width import narrowed
from deckgen.extract.grounds import grounded
from deckgen.extract.judged_lists import judged_lists
from deckgen.extract.judgements import judgements
from deckgen.extract.left_over import left_over, oversized
from deckgen.extract.merge import merge
from deckgen.extract.misspelt import misspelt
from deckgen.extract.numbered import numbered
from deckgen.extract.outputs import outputs
from deckgen.extract.page import Idiom, Page
from deckgen.extract.placed import placed
from deckgen.extract.promised import promised
from deckgen.extract.question_tables import question_tables
from deckgen.extract.questions import questions
from deckgen.extract.rhymes import rhymes
from deckgen.extract.said import said
from deckgen.extract.sentences import sentences
from deckgen.extract.snippets import snippets
from deckgen.extract.tables import tables
from deckgen.extract.takeaways import takeaways
from deckgen.extract.true_or_false import true_or_false
from deckgen.extract.unique import at_odds, unique
from deckgen.extraction import Extraction
from deckgen.note import Note, Skipped

__all__ = ["IDIOMS", "extract", "merge"]

UNWIELDY = "a line or a paragraph too long to have been written by hand"

IDIOMS: tuple[Idiom, ...] = (
    judged_lists,
    dressed,
    exams,
    numbered,
    choices,
    flash_cards,
    promised,
    blanks,
    judgements,
    true_or_false,
    code_questions,
    dialogue,
    question_tables,
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


def _lines(note: Note) -> tuple[int, int]:
    span = note.span
    return span.start, span.stop


def extract(document: Document) -> Extraction:
    """Everything that a document holds, before anything is run; every block that gave no note has its reason."""
    document = narrowed(document)
    too_big = frozenset(index for index, block in enumerate(document.blocks) if unwieldy(block))
    page = Page(document, snippets(document), mentions(document), too_big)
    notes: list[Note] = []
    skipped = [Skipped(document.blocks[index].span, UNWIELDY) for index in sorted(too_big)]
    for idiom in IDIOMS:
        finds = idiom(page)
        notes += finds.notes
        skipped += finds.skipped
        page = page.after(finds)
    wanted, unwanted = obeyed(page, sorted(notes, key=_lines))
    kept, doubled = unique(wanted, document)
    skipped += [*unwanted, *doubled]
    skipped += [*left_over(page, kept, skipped), *oversized(kept)]
    told, asked_about = answered(grounded(kept, page.snippets), page.snippets, document)
    stated = said(document, told, skipped, asked_about, page.apis)
    found = Extraction(
        document=document,
        notes=stated.notes,
        snippets=tuple(sorted((*asked_about, *stated.snippets), key=lambda snippet: snippet.span.start)),
        apis=tuple(sorted((*page.apis, *stated.apis), key=lambda claim: claim.span.start)),
        skipped=tuple(sorted(stated.skipped, key=lambda skip: skip.span)),
        remarks=(*misspelt(document), *(at_odds(wanted, kept, document) if doubled else ())),
    )
    return placed(found) if document.places else found
