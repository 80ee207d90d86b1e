"""Extraction of a file of cards: each is read as a document by itself, so that nothing of one is taken for a part of another.

Its author says that it is a card: claims are found, names looked up and answers decided as in any note, and its worth is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from deckgen.extract.blocks import UNWIELDY, half_width, unwieldy
from deckgen.extract.declared.flashcards import body_of, note_of
from deckgen.extract.declared.marks import gapped
from deckgen.extract.engine import Rule
from deckgen.extract.page import Finds, Page
from deckgen.extract.versions import text_without_marks
from deckgen.model.document import Code, Document, Flashcard, Refused, Remark
from deckgen.model.note import Cloze, FoundAs, Note, Skipped, Standing
from deckgen.text.syntax import parsed

NO_GAP = 'a "text" without a gap: write `{{c1::...}}` around what is to be hidden'


def rule(card: Flashcard) -> Rule:
    """The rule that reads this card; it has no line in the table of rules, whose examples are Markdown."""
    return Rule("records", partial(_finds, card), 100, Standing.DECLARED, FoundAs.CARD, "", ())


def _finds(card: Flashcard, page: Page) -> Finds:
    """The note of a card whose blocks are the page, or a refusal with the reason."""
    every = frozenset(range(len(page.blocks)))
    made = UNWIELDY if any(map(unwieldy, page.blocks)) else _note(card, page)
    if isinstance(made, str):
        return Finds(skipped=(Skipped(card.span, made),), used=every)
    return Finds((made,), (), every, cards=every)


def errors(document: Document, refused: Iterable[Skipped]) -> Iterator[Remark]:
    """An error for each record that could not be read, and for each that is no card as its author meant it."""
    for block in document.blocks:
        if isinstance(block, Refused) and block.is_error:
            yield Remark(block.span, block.reason, is_error=True, card=block.id)
    ids = {block.span: block.id for block in document.blocks if isinstance(block, Flashcard)}
    for skip in () if document.is_foreign else refused:
        yield Remark(skip.span, f"no card: {skip.reason}", is_error=True, card=ids.get(skip.span, ""))


def unread(document: Document) -> Iterator[Skipped]:
    """A refusal of each record in a file of somebody else's that is no card."""
    for block in document.opened().blocks:
        if isinstance(block, Refused) and not block.is_error and document.is_foreign:
            yield Skipped(block.span, block.reason)


def _note(card: Flashcard, page: Page) -> Note | str:
    card = replace(card.with_sides(_shown, card.blocks), options=tuple(map(_shown, card.options)))
    code = _code_alone(card, page)
    gaps = None
    if card.has_gaps and not card.options:
        gaps = page.gaps.texts.get((0, 0)) if code else gapped(card.front)
        if gaps is None:
            return NO_GAP
    body = body_of(card, gaps)
    if code and isinstance(body, Cloze):
        body = replace(body, language=code.language or ("python" if parsed(body.text) else "text"))
    return body if isinstance(body, str) else note_of(card, body, page, 0, headings=())


def _code_alone(card: Flashcard, page: Page) -> Code | None:
    """The code of a card that is a fence and nothing else."""
    codes = [block for block in page.blocks if isinstance(block, Code)]
    return codes[0] if codes and len(codes) == len(page.blocks) and card.front.startswith(("```", "~~~")) else None


def _shown(text: str) -> str:
    """A text as the rules have texts: without marks of versions, and with digits and letters as most authors write them."""
    return text_without_marks(text if text.isascii() or "```" in text else half_width(text))
