"""Items of lists that ask, and are answered by further lines, by their children, by the next item or by the code below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from deckgen.extract import wording
from deckgen.extract.asked.answering import answer_of, without_mark
from deckgen.extract.asked.asking import AT_ONCE, BOLD, LABELLED, TOGETHER, Made, asked_note, asked_text
from deckgen.extract.asked.numbered_questions import (
    WANTS_CODE,
    answer_below,
    asks_anyhow,
    code_below,
    numbered_question,
)
from deckgen.extract.asked.one_line import labelled_at_once
from deckgen.extract.page import Page
from deckgen.extract.text import plain, without_number
from deckgen.model.document import Code, Item, Items
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_BACK = pattern(
    r"^\W*(?:A|Ans|Answer|Back|答|答案|回答|背面)\s*\d*\s*(?:\*\*)?\s*[:：】]\s*(?:\*\*)?\s*(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
"""The item below one that is labelled as a question."""


def asked_by_items(page: Page, index: int, block: Items) -> Made:
    """The notes of a list of questions."""
    items = block.items
    if len(items) == 1 and items[0].number.isdigit():
        made = list(numbered_question(page, index, items[0].text, block.span, items[0].number))
        yield from made
        if made:
            return
    yield from _in_pairs(page, index, items)
    together = len(items) > 1 and all(TOGETHER.match(item.text.strip()) for item in items)
    for at, item in enumerate(items):
        first, _, rest = item.text.strip().partition("\n")
        apart = None if rest else labelled_at_once(first)
        marked = "?" in first or "？" in first
        bold = (BOLD.match(first) or AT_ONCE.match(first) or (together and TOGETHER.match(first))) if marked else None
        asked, said = apart or ((bold["text"], bold["rest"]) if bold else (first, ""))
        children = _children(items, at)
        if "“" in asked[:2] or not _asks(page, item, asked, rest[:1] == "\n" or bool(children and not rest)):
            continue
        answer = _answer(
            item, "\n".join(part for part in (without_mark(said), without_mark(rest)) if part.strip()), children
        )
        if answer:
            span = Span(item.span.start, (children or [item])[-1].span.stop)
            code = code_below(page, index, item.number) if item is items[-1] else []
            told = f"{answer}\n\n{answer_of(page, code)}" if code else answer
            span = span | page.blocks[code[-1]].span if code else span
            yield asked_note(page, index, without_number(asked_text(asked)), told, span), [index, *code]
        elif item is items[-1] and item.number.isdigit() and WANTS_CODE.match(plain(first)):
            yield from _by_code(page, index, item)


def _children(items: Sequence[Item], at: int) -> list[Item]:
    below = (items[number] for number in range(at + 1, len(items)))
    return [*takewhile(lambda child: child.depth > items[at].depth, below)]


def _asks(page: Page, item: Item, asked: str, set_apart: bool) -> bool:
    """With a question mark; or without one, with a number before it and the answer set apart or in code."""
    if wording.QUESTION.search(asked.strip()):
        return True
    if page.chat or not item.number.isdigit():
        return False
    words = plain(asked)
    return bool(WANTS_CODE.match(words)) or (set_apart and asks_anyhow(words))


def _answer(item: Item, own: str, children: Sequence[Item]) -> str:
    below = "\n".join(f"{'    ' * (c.depth - item.depth - 1)}- {c.text.strip()}" for c in children)
    return "\n".join(part for part in (own, without_mark(below) if len(children) == 1 else below) if part).strip("\n")


def _by_code(page: Page, index: int, item: Item) -> Made:
    """`8. 手写一个训练循环` and the code below it."""
    below = answer_below(page, index, int(item.number))
    if below and isinstance(page.blocks[below[0]], Code):
        span = item.span | page.blocks[below[-1]].span
        yield asked_note(page, index, item.text.strip(), answer_of(page, below), span), [index, *below]


def _in_pairs(page: Page, index: int, items: Sequence[Item]) -> Made:
    """`- Front: ...` and below it `- Back: ...`."""
    for item, following in pairwise(items):
        told = _BACK.match(following.text) if item.depth == following.depth else None
        asked = LABELLED.match(item.text) if told else None
        if asked and told:
            span = Span(item.span.start, following.span.stop)
            yield asked_note(page, index, asked["text"].strip(" *"), told["text"].strip(" *"), span), [index]
