"""Notes of the cards that their author wrote as cards, as data (`extract/records`) or in the format of another tool (`read/flashcards`)."""

from __future__ import annotations

import re
from dataclasses import replace
from string import ascii_uppercase

from deckgen.extract.blocks import says
from deckgen.extract.declared.incomplete import NO_BACK
from deckgen.extract.declared.marks import Gapped, gapped, has_gaps
from deckgen.extract.declared.separators import BOTH_WAYS
from deckgen.extract.key import code_anchor, code_key
from deckgen.extract.page import Made, Page, collected
from deckgen.model.document import Flashcard
from deckgen.model.note import Basic, Body, Choice, Cloze, Note, Option, Skipped
from deckgen.text.pattern import pattern
from deckgen.text.wiki import NOT_HERE, shows_elsewhere

NO_KEY = "a choice of another tool whose key names none of its options"


_COMMENT = pattern(r"<!--.*?-->", re.DOTALL)


@collected
def flashcards(page: Page) -> Made:
    """A note of each flashcard among the blocks of a page."""
    for index, card in page.each(Flashcard):
        gaps = gapped(card.front) if has_gaps(card.front) else None
        answered = gaps or (says(card.front) and (card.options or card.back.strip()))
        body = body_of(card, gaps) if answered else NO_BACK
        body = NOT_HERE if shows_elsewhere(card.text) else body
        yield Skipped(card.span, body) if isinstance(body, str) else note_of(card, body, page, index), [index]


def body_of(card: Flashcard, gaps: Gapped | None) -> Body | str:
    """What a card asks and answers, whose front has these gaps, or none; or why it asks nothing."""
    below = "\n\n".join(filter(None, (card.back, card.explanation)))
    if not _COMMENT.sub("", card.front).strip():
        return NO_BACK
    if gaps:
        return gaps.problem or Cloze(text=gaps.text, holes=gaps.holes, explanation=below, as_given=True)
    if card.options:
        options = tuple(map(Option, ascii_uppercase, card.options))
        right = tuple(option.letter for at, option in enumerate(options) if at in card.right)
        return Choice(stem=card.front, options=options, right=right, explanation=below) if right else NO_KEY
    return Basic(prompt=card.front, answer=below, reverse=card.both)


def note_of(card: Flashcard, body: Body, page: Page, index: int, headings: tuple[str, ...] | None = None) -> Note:
    """The note of a card, with its id, tags and deck; under `headings`, or else those of the block at an index."""
    anchor = body.text if isinstance(body, Cloze) else card.front
    known_by = code_key((), code_anchor(anchor)) if isinstance(body, Cloze) and body.language else anchor
    note = page.note(body, card.span, index, known_by, headings=headings, rests_on=page.apis_on(card.span))
    tags = dict.fromkeys((*note.tags, *card.tags, *([BOTH_WAYS] if card.both else [])))
    return replace(note, tags=tuple(tags), deck=card.deck, explicit_id=card.id or None)
