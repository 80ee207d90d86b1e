"""Questions with their answers: headings that ask, `Q:`/`A:`, bold questions, `<details>`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from textwrap import dedent

from deckgen.document import Block, Details, Heading, Items, Prose, Quote, Turn
from deckgen.extract import talk
from deckgen.extract.answering import answer_of, is_about_answers, labelled, with_figure, without_mark
from deckgen.extract.asking import (
    AT_ONCE,
    BOLD,
    LABELLED,
    TOGGLE,
    Made,
    asked_note,
    asked_text,
)
from deckgen.extract.asking_headings import asked_by_heading
from deckgen.extract.asking_items import asked_by_items
from deckgen.extract.choices import NO_ANSWER
from deckgen.extract.hidden import asked_by_lid, asked_by_quote
from deckgen.extract.numbered_questions import SHORTEST, answer_below, numbered_question
from deckgen.extract.one_line import labelled_at_once, told_at_once
from deckgen.extract.options import are_options
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import items_on, left_of
from deckgen.extract.text import plain, width, without_emoji, without_number
from deckgen.note import Basic, Note, Skipped
from deckgen.pattern import pattern
from deckgen.source import Span

_FOLLOWS_UP = pattern(
    r"^\W*(?:追问|follow[- ]?up)|^[^:：]{0,12}[:：]\s*(?:那么?(?![个些种])|and\b|but\b|so\b)", re.IGNORECASE
)


def questions(page: Page) -> Finds:
    """Basic notes of everything that asks and is answered right there."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    asked: dict[int, list[int]] = {}
    for index, block in enumerate(page.blocks):
        if index in used or not page.free(index) or _said_by_pupil(page, index):
            continue
        for note, blocks in _made(page, index, block, used):
            used.update(blocks)
            if isinstance(note.body, Basic) and are_options(note.body.answer):
                skipped.append(Skipped(note.span, NO_ANSWER, unanswered=True))
                continue
            notes.append(note)
            if isinstance(block, Items):
                asked.setdefault(index, []).extend(range(note.span.start, note.span.stop))
    left = left_of(page, {index: items_on(page.blocks[index], lines) for index, lines in asked.items()})
    return Finds(tuple(notes), tuple(skipped), frozenset(used - left.keys()), left)


def _made(page: Page, index: int, block: Block, used: set[int]) -> Made:
    match block:
        case Heading():
            yield from asked_by_heading(page, index, block, used)
        case Prose():
            yield from _prose(page, index, block)
        case Details():
            yield from asked_by_lid(page, index, block)
        case Items():
            yield from asked_by_items(page, index, block)
        case Quote():
            yield from asked_by_quote(page, index, block)
        case _:
            return


def _said_by_pupil(page: Page, index: int) -> bool:
    if not page.chat:
        return False
    turn = page.blocks[page.turns[index]] if page.turns[index] >= 0 else None
    return not isinstance(turn, Turn) or turn.speaker != "tutor"


def _prose(page: Page, index: int, block: Prose) -> Made:
    lines = block.text.split("\n")
    asked = [at for at, line in enumerate(lines) if LABELLED.match(line) or BOLD.match(line) or TOGGLE.match(line)]
    if not asked and all(map(AT_ONCE.match, lines)):
        asked = [*range(len(lines))]
    if not asked:
        yield from numbered_question(page, index, block.text, block.span)
        return
    before = ""
    for at, stop in pairwise([*asked, len(lines)]):
        match = next(found for form in (BOLD, LABELLED, TOGGLE, AT_ONCE) if (found := form.match(lines[at])))
        apart = _at_once(page, index, match, lines[at + 1 : stop])
        told_here = apart[1] if apart else match.groupdict().get("rest") or ""
        rest = [told_here, *lines[at + 1 : stop]]
        below = [line for line in (without_mark(line) for line in rest) if line.strip() and not is_about_answers(line)]
        blocks: list[int] = [index]
        asked_ = figured = asked_text(without_number(without_emoji(apart[0] if apart else match["text"])).strip())
        if not below and stop == len(lines):
            blocks += answer_below(page, index)
            figured, told = with_figure(page, asked_, blocks[1:])
            below = [answer_of(page, told)] if told else []
        if not any(below) or _is_menu(below) or width(plain(match["text"])) < SHORTEST:
            continue
        if before and _FOLLOWS_UP.match(lines[at]):
            figured = f"{before}\n\n{figured}"
        before = asked_
        answer = dedent("\n".join(line.rstrip() for line in below))
        first = block.span.start + at
        yield asked_note(page, index, figured, answer, Span(first, block.span.start + stop), anchor=asked_), blocks


def _at_once(page: Page, index: int, match: re.Match[str], below: Sequence[str]) -> tuple[str, str] | None:
    """(question, answer) of a labelled line that holds both; None if the answer has a label of its own below."""
    if "rest" in match.groupdict():
        return None
    marked = labelled_at_once(match["text"])
    following = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    lines = [*below, *([following.text] if not below and isinstance(following, Prose | Quote) else [])]
    answered = any(labelled(line) is not None for line in lines)
    return marked or (None if answered or isinstance(following, Details) else told_at_once(match["text"]))


def _is_menu(lines: Sequence[str]) -> bool:
    return all(talk.CHATTER.search(line) for line in lines if line.strip())
