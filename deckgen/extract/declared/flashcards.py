"""Notes of flashcards in the formats of other tools, which the reader found by their marks (`read/flashcards`)."""

from __future__ import annotations

from dataclasses import replace

from deckgen.extract.blocks import says
from deckgen.extract.declared.marks import gapped, has_gaps
from deckgen.extract.declared.separators import BOTH_WAYS
from deckgen.extract.page import Made, Page, collected
from deckgen.model.document import Flashcard
from deckgen.model.note import Basic, Body, Choice, Cloze, Option, Skipped

NO_BACK = "a card of another tool without an answer, or with nothing that asks"
NO_KEY = "a choice of another tool whose key names none of its options"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@collected
def flashcards(page: Page) -> Made:
    """A note of each flashcard, with its id, tags and deck."""
    for index, block in page.each(Flashcard):
        made = _body(block)
        if isinstance(made, str):
            yield Skipped(block.span, made), [index]
            continue
        text = made.text if isinstance(made, Cloze) else block.front
        note = page.note(made, block.span, index, text, rests_on=page.apis_on(block.span))
        tags = (*note.tags, *block.tags, *([BOTH_WAYS] if block.both else []))
        yield replace(note, tags=tuple(dict.fromkeys(tags)), deck=block.deck, explicit_id=block.id or None), [index]


def _body(card: Flashcard) -> Body | str:
    """What is asked and answered; or why nothing is."""
    if has_gaps(card.front):
        found = gapped(card.front)
        if found is not None:
            return found.problem or Cloze(text=found.text, holes=found.holes, explanation=card.back, as_given=True)
    if not says(card.front):
        return NO_BACK
    if card.options:
        options = tuple(Option(letter, text) for letter, text in zip(_LETTERS, card.options, strict=False))
        right = tuple(option.letter for at, option in enumerate(options, 1) if at in card.right)
        return Choice(stem=card.front, options=options, right=right, explanation=card.back) if right else NO_KEY
    return Basic(prompt=card.front, answer=card.back, reverse=card.both) if card.back.strip() else NO_BACK
