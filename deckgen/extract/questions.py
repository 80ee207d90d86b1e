"""Questions with their answers: headings that ask, `Q:`/`A:`, bold questions, `<details>`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from textwrap import dedent

from deckgen.document import Block, Details, Directive, Heading, Items, Prose, Quote, Table, Turn
from deckgen.extract import talk, wording
from deckgen.extract.answering import answer_of, is_about_answers, labelled, with_figure, without_mark
from deckgen.extract.asking import (
    AT_ONCE,
    BOLD,
    LABELLED,
    TOGETHER,
    TOGGLE,
    Made,
    asked_note,
    asked_text,
    asks_more,
    first_line,
)
from deckgen.extract.asking_headings import LONGEST, asked_by_heading
from deckgen.extract.blocks import is_rule
from deckgen.extract.choices import NO_ANSWER
from deckgen.extract.hidden import asked_by_lid, asked_by_quote, is_lid
from deckgen.extract.one_line import labelled_at_once, told_at_once
from deckgen.extract.options import are_options
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import items_on, left_of
from deckgen.extract.text import is_chinese, plain, width, without_emoji, without_number
from deckgen.note import Basic, Note, Skipped
from deckgen.pattern import pattern
from deckgen.source import Span

_SHORTEST = 8
"""Columns of a question: `Why?` asks nothing by itself."""
_MOST = 6
"""Blocks of an answer to a numbered question."""
_NUMBERED = pattern(r"^\W{0,3}(?P<number>\d{1,3})\s*[.、)）]\s*(?P<text>\S.*)$")
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
                asked.setdefault(index, []).append(note.span.start)
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
            yield from _items(page, index, block)
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
        yield from _numbered(page, index, block.text, block.span)
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
            blocks += _answer_below(page, index)
            figured, told = with_figure(page, asked_, blocks[1:])
            below = [answer_of(page, told)] if told else []
        if not any(below) or _is_menu(below) or width(plain(match["text"])) < _SHORTEST:
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


def _numbered(page: Page, index: int, text: str, span: Span, number: str = "") -> Made:
    """`2、X 和 Y 的区别`, answered by further lines or by what stands below it up to the next number."""
    first, _, rest = text.strip().partition("\n")
    match = None if number else _NUMBERED.match(first)
    number, asked = (match["number"], match["text"]) if match else (number, first)
    apart = None if page.chat or rest.strip() else labelled_at_once(asked)
    if apart and wording.QUESTION.search(apart[0]):
        yield asked_note(page, index, asked_text(apart[0]), apart[1], span), [index]
        return
    words = plain(asked)
    if page.chat or not number or not _asks(words) or width(words) < _SHORTEST:
        return
    below = [] if rest.strip() else _answer_below(page, index, int(number))
    if below and is_lid(page.blocks[below[0]]):
        return
    asked = asked_text(asked)
    figured, told = with_figure(page, asked, below)
    answer = without_mark(rest.strip()) if rest.strip() else answer_of(page, told) if told else ""
    if answer.strip() and answer.count("\n") < LONGEST:
        yield asked_note(page, index, figured, answer, span, anchor=asked), [index, *below]


def _asks(words: str) -> bool:
    return bool(wording.QUESTION.search(words) or wording.TO_EXPLAIN.search(words)) or (
        is_chinese(words) and bool(wording.INTERROGATIVE.search(words.rstrip("。.")))
    )


def _is_menu(lines: Sequence[str]) -> bool:
    return all(talk.CHATTER.search(line) for line in lines if line.strip())


def _answer_below(page: Page, index: int, number: int = 0) -> list[int]:
    """The blocks that answer a question standing alone: up to three, to the next question, heading or rule.

    Of a question with a number up to six, and none that the next number begins.
    """
    blocks: list[int] = []
    for at in range(index + 1, min(index + 1 + (_MOST if number else 3), len(page.blocks))):
        block = page.blocks[at]
        if isinstance(block, Heading | Turn | Table | Directive) or is_rule(page.blocks[at]) or not page.free(at):
            break
        if _begins_another(block, first=not blocks) or (number and _bears(block, number + 1)):
            break
        if isinstance(block, Details) and not wording.REVEAL.match(plain(block.summary)):
            break
        blocks.append(at)
    return blocks


def _bears(block: object, number: int) -> bool:
    """The next number begins a block."""
    if isinstance(block, Items):
        return block.items[0].number == str(number)
    match = _NUMBERED.match(first_line(block.text).strip("*")) if isinstance(block, Prose) else None
    return match is not None and int(match["number"]) == number


def _begins_another(block: object, *, first: bool) -> bool:
    """A paragraph that begins with a question of its own; below an answer also a list of nothing but questions."""
    return asks_more(block) and not (first and isinstance(block, Items | Quote))


def _items(page: Page, index: int, block: Items) -> Made:
    """Items that ask and are answered by further lines or by their children."""
    items = block.items
    if len(items) == 1 and items[0].number.isdigit():
        made = list(_numbered(page, index, items[0].text, block.span, items[0].number))
        yield from made
        if made:
            return
    together = len(items) > 1 and all(TOGETHER.match(item.text.strip()) for item in items)
    for at, item in enumerate(items):
        first, _, rest = item.text.strip().partition("\n")
        bold = BOLD.match(first) or AT_ONCE.match(first) or (TOGETHER.match(first) if together else None)
        asked = bold["text"] if bold else first
        if not wording.QUESTION.search(asked.strip()) or "“" in asked[:2]:
            continue
        children = []
        for child in items[at + 1 :]:
            if child.depth <= item.depth:
                break
            children.append(child)
        own = "\n".join(part for part in ((bold["rest"] if bold else ""), without_mark(rest)) if part.strip())
        below = "\n".join(f"{'    ' * (c.depth - item.depth - 1)}- {c.text.strip()}" for c in children)
        answer = "\n".join(part for part in (own, without_mark(below) if len(children) == 1 else below) if part)
        if answer:
            span = Span(item.span.start, (children or [item])[-1].span.stop)
            prompt_ = without_number(asked_text(asked))
            yield asked_note(page, index, prompt_, answer, span), [index]
