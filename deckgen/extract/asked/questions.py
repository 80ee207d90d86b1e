"""Questions with their answers: headings that ask, `Q:`/`A:`, bold questions, `<details>`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from textwrap import dedent

from deckgen.extract import talk, wording
from deckgen.extract.asked.answering import answer_of, is_about_answers, labelled, with_figure, without_mark
from deckgen.extract.asked.asking import (
    AT_ONCE,
    BOLD,
    FOLLOWS_UP,
    LABELLED,
    TOGGLE,
    Made,
    asked_note,
    asked_text,
    asks_more,
)
from deckgen.extract.asked.asking_headings import asked_by_heading
from deckgen.extract.asked.asking_items import asked_by_items
from deckgen.extract.asked.hidden import asked_by_lid, asked_by_quote, is_lid
from deckgen.extract.asked.numbered_questions import SHORTEST, answer_below, numbered_question, several_numbered
from deckgen.extract.asked.one_line import labelled_at_once, told_at_once
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import items_on, left_of
from deckgen.extract.quiz.choices import NO_ANSWER
from deckgen.extract.quiz.notations import are_options, is_option
from deckgen.extract.text import plain, width, without_emoji, without_number
from deckgen.model.document import Block, Details, Heading, Items, Prose, Quote, Turn
from deckgen.model.note import Basic, Note, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_ALONE = pattern(r"^\s*(?P<text>[^\s>|#][^.。!！?？\n]*(?:[.](?=\w)[^.。!！?？\n]*)*[?？])\s*$")
"""One sentence that asks."""
_FEW_LINES = 3
_CHOOSES = pattern(r"(?:[A-H]|[\s/、,，|或?？!！~～.。]|or)+")


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
            made = [*_prose(page, index, block)] or [*_quoted(page, index, block)]
            yield from made
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
    marked = "?" in block.text or "？" in block.text
    asked = [at for at, line in enumerate(lines) if _begins(line, marked=marked)]
    if not asked and marked and all(map(AT_ONCE.match, lines)):
        asked = [*range(len(lines))]
    several = [*several_numbered(page, index, block)] if len(lines) > 1 and not asked and not page.chat else []
    if several:
        yield from several
        return
    if not asked and marked and not page.chat and _asks_and_answers(lines):
        asked = [0]
    if not asked:
        yield from numbered_question(page, index, block.text, block.span)
        return
    before = ""
    for at, stop in pairwise([*asked, len(lines)]):
        match = next(found for form in (BOLD, LABELLED, TOGGLE, AT_ONCE, _ALONE) if (found := form.match(lines[at])))
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
        elif below and stop == len(lines) and below[-1].rstrip().endswith((":", "：")):
            blocks += answer_below(page, index)
            below += ["", answer_of(page, blocks[1:])] if blocks[1:] else []
        if not any(below) or _is_menu(rest) or width(plain(match["text"])) < SHORTEST:
            continue
        if before and FOLLOWS_UP.match(lines[at]):
            figured = f"{before}\n\n{figured}"
        before = asked_
        answer = dedent("\n".join(line.rstrip() for line in below))
        first = block.span.start + at
        yield asked_note(page, index, figured, answer, Span(first, block.span.start + stop), anchor=asked_), blocks


def _begins(line: str, *, marked: bool) -> bool:
    """True for a line that begins a question: with a label; or, if there is a question `marked` at all, in bold or behind a sign."""
    return bool(LABELLED.match(line) or (marked and (BOLD.match(line) or TOGGLE.match(line))))


def _at_once(page: Page, index: int, match: re.Match[str], below: Sequence[str]) -> tuple[str, str] | None:
    """(question, answer) of a labelled line that holds both; None if the answer has a label of its own below."""
    if "rest" in match.groupdict():
        return None
    marked = labelled_at_once(match["text"])
    following = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    lines = [*below, *([following.text] if not below and isinstance(following, Prose | Quote) else [])]
    answered = any(labelled(line) is not None for line in lines)
    return marked or (None if answered or isinstance(following, Details) else told_at_once(match["text"]))


def _quoted(page: Page, index: int, block: Prose) -> Made:
    """A question alone, answered by the quote right below it; in a conversation a quote says anything."""
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) and page.free(index + 1) else None
    asked = _ALONE.match(block.text.strip()) if isinstance(below, Quote) and not page.chat else None
    if not asked or not isinstance(below, Quote) or is_lid(below) or asks_more(below):
        return
    told = answer_of(page, [index + 1])
    if told and width(plain(asked["text"])) >= SHORTEST:
        yield asked_note(page, index, asked_text(asked["text"]), told, block.span | below.span), [index, index + 1]


def _asks_and_answers(lines: Sequence[str]) -> bool:
    """A question that is the first line of a paragraph, and at most a few lines below it that ask nothing."""
    first, *below = lines
    return (
        0 < len(below) <= _FEW_LINES
        and _ALONE.match(first) is not None
        and all(wording.QUESTION.search(line.strip()) is None and not is_option(line) for line in below)
    )


def _is_menu(lines: Sequence[str]) -> bool:
    """Invitations, and what points at nothing but letters: `👉 A / B / C？`"""
    told = [line.replace("👉", "").strip() for line in lines if line.strip()]
    return bool(told) and all(talk.CHATTER.search(line) or _CHOOSES.fullmatch(line) for line in told)
