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
from deckgen.extract.asked.question_tables import question_tables
from deckgen.extract.asked.questions import questions
from deckgen.extract.claims.answers import answered
from deckgen.extract.claims.snippets import snippets
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
from deckgen.extract.notes.code_gap import code_gaps
from deckgen.extract.notes.output import outputs
from deckgen.extract.page import Idiom, Page
from deckgen.extract.placed import placed
from deckgen.extract.pointing import telling
from deckgen.extract.quiz_dress import undressed
from deckgen.extract.quizzes.blanks import blanks
from deckgen.extract.quizzes.choices import choices
from deckgen.extract.quizzes.dressed import dressed
from deckgen.extract.quizzes.exams import exams
from deckgen.extract.quizzes.judged_lists import judged_lists
from deckgen.extract.quizzes.judged_options import judged_options
from deckgen.extract.quizzes.judgements import judgements
from deckgen.extract.quizzes.numbered import numbered
from deckgen.extract.quizzes.promised import promised
from deckgen.extract.quizzes.true_or_false import true_or_false
from deckgen.extract.unclosed import unclosed
from deckgen.extract.unique import at_odds, unique
from deckgen.extract.unwieldy import UNWIELDY, borne, unwieldy
from deckgen.model.document import Document
from deckgen.model.extraction import Extraction
from deckgen.model.note import Note, Skipped

__all__ = ["IDIOMS", "extract", "merge"]

IDIOMS: tuple[Idiom, ...] = (
    asides,
    judged_lists,
    judged_options,
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
    code_gaps,
)


def _by(rule: str, skipped: Iterable[Skipped]) -> list[Skipped]:
    """The refusals, each with the rule that refused; one that has a rule keeps it."""
    return [skip if skip.rule else replace(skip, rule=rule) for skip in skipped]


def _lines(note: Note) -> tuple[int, int]:
    span = note.span
    return span.start, span.stop


def extract(document: Document) -> Extraction:
    """Everything that a document holds, before anything is run; every block that gave no note has its reason."""
    document = undressed(narrowed(borne(document)))
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
    checked, asked_about = answered(grounded(kept, page.snippets), page.snippets, document)
    found = Extraction(
        document=document,
        notes=checked,
        snippets=asked_about,
        apis=page.apis,
        skipped=tuple(sorted(skipped, key=lambda skip: skip.span)),
        remarks=(*misspelt(document), *unclosed(document), *(at_odds(wanted, kept, document) if doubled else ())),
    )
    return placed(found) if document.places else found
