"""Extraction of a file of cards: each is read as a document by itself, so that nothing of one is taken for a part of another.

Its author says that it is a card: claims are found, names looked up and answers decided as in any note, and its worth is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from deckgen.extract.blocks import UNWIELDY, half_width, unwieldy
from deckgen.extract.declared.marks import gapped
from deckgen.extract.engine import Rule
from deckgen.extract.key import code_anchor, code_key
from deckgen.extract.page import Finds, Page
from deckgen.extract.versions import text_without_marks
from deckgen.model.document import Code, Document, Record, Refused, Remark
from deckgen.model.note import Basic, Body, Choice, Cloze, FoundAs, Key, Option, Skipped, Standing
from deckgen.text.syntax import parsed

NO_GAP = 'a "text" without a gap: write `{{c1::...}}` around what is to be hidden'
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def record(page: Page) -> Finds:
    """The note of a record, or a refusal with the reason."""
    one = page.document.records[0]
    every = frozenset(range(len(page.blocks)))
    body, asked = ("", "") if any(map(unwieldy, page.blocks)) else _body(one, page)
    if isinstance(body, str):
        return Finds(skipped=(Skipped(one.span, body or UNWIELDY),), used=every)
    note = page.note(body, one.span, 0, asked, headings=(), rests_on=page.apis_on(one.span))
    tags = tuple(dict.fromkeys((*note.tags, *one.tags)))
    return Finds((replace(note, tags=tags, explicit_id=one.id or None, deck=one.deck),), (), every, cards=every)


RULE = Rule("records", record, 100, Standing.DECLARED, FoundAs.CARD, "", ())
"""Has no line in the table of rules, whose examples are Markdown."""


def errors(document: Document, refused: Iterable[Skipped]) -> Iterator[Remark]:
    """An error for each record that could not be read, and for each that is no card as its author meant it."""
    for block in document.blocks:
        if isinstance(block, Refused) and block.is_error:
            yield Remark(block.span, block.reason, is_error=True)
    for skip in () if document.is_foreign else refused:
        yield Remark(skip.span, f"no card: {skip.reason}", is_error=True)


def unread(document: Document) -> Iterator[Skipped]:
    """A refusal of each record in a file of somebody else's that is no card."""
    for block in document.blocks:
        if isinstance(block, Refused) and not block.is_error and document.is_foreign:
            yield Skipped(block.span, block.reason)


def _body(one: Record, page: Page) -> tuple[Body | str, str | Key]:
    """What a record says, or why it says nothing, and what it is known by."""
    front, back, explanation = map(_shown, (one.front, one.back, one.explanation))
    if one.options:
        options = tuple(Option(LETTERS[at], _shown(text)) for at, text in enumerate(one.options))
        right = tuple(LETTERS[at] for at in one.right)
        return Choice(stem=front, options=options, right=right, explanation=explanation), front
    if not one.has_gaps:
        return Basic(prompt=front, answer=_joined(back, explanation)), front
    (*others,) = (block for block in page.blocks if not isinstance(block, Code))
    code = next((block for block in page.blocks if isinstance(block, Code)), None)
    alone = code is not None and front.startswith(("```", "~~~")) and not others
    found = page.gaps.texts.get((0, 0)) if alone else gapped(front)
    if found is None or found.problem or not found.holes:
        return (found.problem if found else "") or NO_GAP, ""
    below = _joined(back, explanation)
    if code is None or not alone:
        return Cloze(text=found.text, holes=found.holes, explanation=below, as_given=True), found.text
    language = code.language or ("python" if parsed(found.text) else "text")
    body = Cloze(text=found.text, holes=found.holes, language=language, explanation=below, as_given=True)
    return body, code_key((), code_anchor(found.text))


def _shown(text: str) -> str:
    """A text as the rules have texts: without marks of versions, and with digits and letters as most authors write them."""
    return text_without_marks(text if text.isascii() or "```" in text else half_width(text))


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))
