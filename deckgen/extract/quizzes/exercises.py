"""Exercises: lines that want to be filled in or answered, and which of them belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from deckgen.extract import talk, wording
from deckgen.extract.blocks import Line
from deckgen.extract.page import Page
from deckgen.extract.quizzes.code_blanks import asks_for_blanks
from deckgen.extract.quizzes.exam_parts import is_named_above
from deckgen.extract.quizzes.gaps import MAY_BE_GAP, gap_in
from deckgen.extract.quizzes.put_up import asks_to_judge
from deckgen.extract.quizzes.question_numbers import letter_borne, number_borne
from deckgen.extract.text import is_chinese, width, without_emoji
from deckgen.model.document import Block, Code, Heading, Items, Prose, Quote, Turn
from deckgen.text.pattern import any_of, pattern

_KINDS = (Prose, Quote, Items)
"""Blocks that may hold exercises."""
_EITHER = (*_KINDS, Code, Heading)
_KIND = pattern(
    r"^[（(](?:(?:填空|简答|问答)题?|fill[- ]in(?: the (?:blanks?|gaps?))?|short answer)[)）]\s*[.、:：)）]*(?:\*\*)?\s*",
    re.IGNORECASE,
)
"""Between the number of an exercise and its text."""
SOLUTION = pattern(
    r"^\W*(?:solutions?|answers?)\W{0,3}\.\W{0,3}\s(?P<key>`[^`]+`.*|[^.\n]{1,60})\.?\s*$", re.IGNORECASE
)
"""`*Solution.* ...` on a line of its own."""
STATED = pattern(
    rf"[（(【\[]?\s*\**(?:{wording.ANSWER_LABEL})\**\s*(?:是|为|is|:|：)\s*\**\s*(?P<key>(?:[^（(）)】\]]|"
    rf"[（(][^（()）]*[）)])+)[）)】\]]?",
    re.IGNORECASE,
)
_OPEN = pattern(
    r"^\W*(?:(?:第\s*\w{1,3}|最后一|下一)题?[，,：:\s]*)?(?:(?:简答|问答|思考|开放)题?\s*(?:】|[:：])|(?:short answer|open question)\s*\d*\s*[:.])",
    re.IGNORECASE,
)
"""A label before a question that is answered in words."""
_LEAD = pattern(
    r"^\W*(?:(?:第\s*\w{1,3}|最后一|下一)题?[，,：:\s]*)?(?:(?:填空|简答|问答|思考|开放)题?\s*】|(?:(?:填空|简答|问答|思考|开放)题?|fill(?: in)?(?: the (?:blanks?|gaps?))?)\s*\d*\s*(?:\*\*)?\s*[:：.，,])(?:\*\*(?!\S))?\s*",
    re.IGNORECASE,
)
"""What says of which kind an exercise is."""
_GOES_ON = pattern(r"[，,、]\s*$")
_WRAPPED = 60
"""Columns from which a line may have been broken to fit a page."""
_MAY_ASK = any_of("填空", r"[?？]|fill in")
"""Without a blank an exercise of a chat asks, or says that it wants to be filled in."""
HINT = pattern(r"\s*[（(]\s*(?:填空|fill in(?: the blanks?)?)\s*[）)]\s*$", re.IGNORECASE)


class Exercise(NamedTuple):
    """A line that wants to be filled in or answered."""

    number: int
    """As it bears; 0 without one."""
    text: str
    line: int
    block: int
    following: Line | None
    """The line below it in its block."""
    item: int | None = None
    """Its number among the items of a list."""
    at: int = 0
    """The place of its last line in its block."""


def without_lead(text: str) -> str:
    """An exercise without `填空题：` or `Fill in the blank:` before it."""
    return _LEAD.sub("", text)


def groups(page: Page) -> Iterator[list[Exercise]]:
    """Exercises that are answered together: those of one turn, or of one section."""
    group: list[Exercise] = []
    for index, block in enumerate(page.blocks):
        if isinstance(block, Turn):
            yield from [group] if group else []
            group = []
        elif isinstance(block, _EITHER) and page.free(index):
            found = [*_of_block(page, index, block)]
            if found and group and found[0].number <= group[-1].number and not _goes_on(page, group[-1], found[0]):
                yield group
                group = []
            group += found
    yield from [group] if group else []


def _of_block(page: Page, index: int, block: Block) -> Iterator[Exercise]:
    match block:
        case Code():
            yield from _in_code(page, index, block)
        case Heading():
            yield from _in_heading(page, index, block)
        case Prose() | Quote() | Items():
            yield from _exercises(page, index, block)
        case _:
            return


def _in_heading(page: Page, index: int, block: Heading) -> Iterator[Exercise]:
    """A heading of a chat with a blank: `### 复习 3：...`"""
    match = _HEADED.match(without_emoji(block.text)) if page.chat and MAY_BE_GAP.search(block.text) else None
    if match and gap_in(match["text"]):
        yield Exercise(int(match["number"]), match["text"], block.span.start, index, None)


_HEADED = pattern(r"[^\w\n]{0,8}(?:[^\W\d]{1,10}\s?)?(?P<number>\d{1,2})\s*(?:题\s*)?[.:：、)）]\s*(?P<text>\S.*)$")


def _in_code(page: Page, index: int, block: Code) -> Iterator[Exercise]:
    """A fence with blanks, with the number of the line above that asks for them."""
    if asked := asks_for_blanks(page, index):
        borne = number_borne(asked)
        yield Exercise(borne.number if borne else 0, block.text, block.span.start, index, None)


def _goes_on(page: Page, last: Exercise, first: Exercise) -> bool:
    """Paragraphs with blanks and without numbers: all of a turn, which is answered at once; in notes those right below each other."""
    return not (last.number or first.number) and (page.chat or first.block == last.block + 1)


def _exercises(page: Page, index: int, block: Prose | Quote | Items) -> Iterator[Exercise]:
    if isinstance(block, Items):
        for at, item in enumerate(block.items):
            text = " ".join(item.text.split())
            place = page.item_starts(index)[at] + item.text.count("\n")
            if item.number.isdigit() and _wants_answer(page, text):
                yield Exercise(int(item.number), text, item.span.start, index, None, at, place)
            elif not item.number and gap_in(text):
                yield Exercise(0, text, item.span.start, index, None, at, place)
        return
    may_be_gap = MAY_BE_GAP.search(block.text)
    may_ask = page.chat and _MAY_ASK.search(block.text)
    if not (may_be_gap or may_ask) or asks_to_judge(block.text.strip()):
        return
    written = page.lines(index)
    lines = list(_unwrapped(written)) if may_be_gap else written
    for line, following in zip_longest(lines, lines[1:]):
        text = without_emoji(line.text)
        borne = number_borne(text) or (letter_borne(text) if page.chat and gap_in(text) else None)
        asked = _KIND.sub("", borne.rest).strip() if borne else ""
        if borne and asked and _wants_answer(page, asked):
            yield Exercise(borne.number, asked, line.number, index, following, at=line.at)
        elif not asked and (_asks_openly(page, text, index) or (gap_in(text) and not talk.CHATTER.search(text))):
            yield Exercise(0, text, line.number, index, following, at=line.at)


def _asks_openly(page: Page, text: str, index: int) -> bool:
    if not page.chat or not wording.QUESTION.search(text.strip()):
        return False
    return bool(_OPEN.match(text)) or is_named_above(page, index, "open")


def _unwrapped(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines, with one that was broken in the middle of a sentence joined to the next; only where a blank is near."""
    held: Line | None = None
    for line in lines:
        if held is not None and _breaks_off(held.text, line.text):
            apart = "" if is_chinese(held.text[-1:] + line.text[:1]) or held.text.endswith("，") else " "
            held = held._replace(text=f"{held.text.rstrip()}{apart}{line.text.strip()}")
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _breaks_off(text: str, following: str) -> bool:
    if not (MAY_BE_GAP.search(text) or MAY_BE_GAP.search(following)) or text.endswith("  "):
        return False
    if number_borne(without_emoji(following)) or STATED.match(following.strip().lstrip("*-> ")):
        return False
    first = following.strip()[:1]
    goes_on = first.islower() or is_chinese(first) or first == "`"
    ended = re.search(r"[。！？；.!?;:：）)]\s*$", text)
    return goes_on and bool(_GOES_ON.search(text) or (width(text) >= _WRAPPED and not ended))


def _wants_answer(page: Page, text: str) -> bool:
    asks = wording.QUESTION.search(text.strip()) or HINT.search(text)
    return bool(gap_in(text)) or (page.chat and bool(asks))
