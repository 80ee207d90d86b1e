"""Numbered questions, with a question mark or without: `2、X 和 Y 的区别`, and what stands below them."""

from __future__ import annotations

import re

from deckgen.extract import wording
from deckgen.extract.asked.answering import answer_of, with_figure, without_mark
from deckgen.extract.asked.asking import Made, asked_note, asked_text, asks_more, first_line
from deckgen.extract.asked.asking_headings import LONGEST
from deckgen.extract.asked.hidden import is_lid
from deckgen.extract.asked.one_line import labelled_at_once, told_at_once
from deckgen.extract.blocks import is_rule
from deckgen.extract.page import Page
from deckgen.extract.text import is_chinese, plain, width
from deckgen.model.document import Code, Details, Directive, Heading, Items, Prose, Quote, Table, Turn
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

SHORTEST = 8
"""Columns of a question: `Why?` asks nothing by itself."""
_MOST = 6
"""Blocks of an answer to a numbered question."""
_REMARK = pattern(r"\s*[（(【\[][^()（）]{1,16}[)）】\]]\s*$")
"""`（重点！！）` behind a question."""
_ASKS_AT_ITS_END = pattern(
    r"(?:是多少|有多少|哪(?:个|些|种|几个?)\S{0,6}|什么\S{0,6}|几[个种类]|[吗呢]|(?:如何|怎么|怎样)\S{1,8}|(?:的|有何)(?:区别|异同|联系|关系|不同))$"
)
WANTS_CODE = pattern(r"^(?:手写|手撕|默写|写一|写出|实现|用代码)|^(?:write|implement|code)\b", re.IGNORECASE)
"""A task that code below it solves."""
_IN_BOLD = pattern(r"\*\*[^*\n]+\*\*\W*")
_NUMBERED = pattern(r"^\W{0,3}(?P<number>\d{1,3})\s*[.、)）]\s*(?P<text>\S.*)$")


def numbered_question(page: Page, index: int, text: str, span: Span, number: str = "") -> Made:
    """`2、X 和 Y 的区别`, answered by further lines or by what stands below it up to the next number."""
    first, _, rest = text.strip().partition("\n")
    match = None if number else _NUMBERED.match(first)
    number, asked = (match["number"], match["text"]) if match else (number, first)
    if not number and WANTS_CODE.match(plain(first)) and _IN_BOLD.fullmatch(text.strip()):
        number = "0"
    apart = None if page.chat or rest.strip() else labelled_at_once(asked)
    if apart and wording.QUESTION.search(apart[0]):
        yield asked_note(page, index, asked_text(apart[0]), apart[1], span), [index]
        return
    if page.chat or not number:
        return
    words = plain(asked)
    asks = asks_anyhow(words)
    if not (asks or WANTS_CODE.match(words)) or width(words) < SHORTEST:
        return
    below = code_below(page, index, number) if rest.strip() else answer_below(page, index, int(number))
    if below and is_lid(page.blocks[below[0]]):
        return
    if not asks and not (below and isinstance(page.blocks[below[0]], Code)):
        return
    asked = asked_text(asked)
    figured, told = with_figure(page, asked, below)
    answer = "\n\n".join(part for part in (without_mark(rest.strip()), answer_of(page, told) if told else "") if part)
    if answer.strip() and answer.count("\n") < LONGEST:
        yield asked_note(page, index, figured, answer, span, anchor=asked), [index, *below]


def several_numbered(page: Page, index: int, block: Prose) -> Made:
    """The questions of a paragraph whose lines count `1、`, `2、`, each with its answer behind it or on the lines below."""
    lines = block.text.split("\n")
    begun = [(at, match) for at, line in enumerate(lines) if (match := _NUMBERED.match(line))]
    numbers = [int(match["number"]) for _, match in begun]
    counts = len(begun) > 1 and begun[0][0] == 0 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    for (at, match), stop in zip(begun, [*(at for at, _ in begun[1:]), len(lines)], strict=True) if counts else ():
        span = Span(block.span.start + at, block.span.start + stop)
        told = told_at_once(match["text"]) if stop - at == 1 else None
        if told:
            yield asked_note(page, index, asked_text(told[0]), told[1], span), [index]
        elif stop - at > 1 or stop == len(lines):
            yield from numbered_question(page, index, "\n".join(lines[at:stop]), span)


def asks_anyhow(words: str) -> bool:
    """True for words that ask, with a question mark or without one."""
    if wording.QUESTION.search(words) or wording.TO_EXPLAIN.search(words):
        return True
    bare = _REMARK.sub("", words.rstrip("。."))
    return is_chinese(words) and bool(wording.INTERROGATIVE.search(bare) or _ASKS_AT_ITS_END.search(bare))


def answer_below(page: Page, index: int, number: int = 0) -> list[int]:
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
        if isinstance(block, Details):
            return [*blocks, at] if wording.REVEAL.match(plain(block.summary)) else blocks
        blocks.append(at)
    return blocks


def code_below(page: Page, index: int, number: str) -> list[int]:
    """The code that shows what was just answered, if nothing but the next question comes behind it."""
    below = answer_below(page, index, int(number)) if number.isdigit() and not page.chat else []
    shown = len(below) == 1 and isinstance(page.blocks[below[0]], Code) and not page.claims_about(below[0])
    return below if shown else []


def _bears(block: object, number: int) -> bool:
    """The next number begins a block."""
    if isinstance(block, Items):
        return block.items[0].number == str(number)
    match = _NUMBERED.match(first_line(block.text).strip("*")) if isinstance(block, Prose) else None
    return match is not None and int(match["number"]) == number


def _begins_another(block: object, *, first: bool) -> bool:
    """A paragraph that begins with a question of its own; below an answer also a list of nothing but questions."""
    return asks_more(block) and not (first and isinstance(block, Items | Quote))
