"""Questions that are answered right there: headings, labelled or bold lines, items of lists, quotes and lids that ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from textwrap import dedent

from deckgen.extract import wording
from deckgen.extract.blocks import CALLOUT
from deckgen.extract.key import key
from deckgen.extract.notes.answer import (
    BOLD,
    LABELLED,
    NUMBERED,
    OPTIONS,
    answer_below,
    answer_of,
    answering,
    is_labelled,
    number_of,
    with_context,
    without_label,
)
from deckgen.extract.page import Finds, Page, items_on, left_of
from deckgen.extract.quiz.choices import NO_ANSWER
from deckgen.extract.text import is_chinese, plain, title, width, without_emoji, without_number
from deckgen.extract.wording import prompt
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Quote, Turn
from deckgen.model.note import Basic, Note, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_ALONE = pattern(r"^\s*[^\s>|#][^.。!！?？\n]*(?:[.](?=\w)[^.。!！?？\n]*)*[?？]\s*$")
"""One sentence that asks."""
_ON_ONE_LINE = pattern(r"^(?P<text>.{4,}?[?？])[\s*]*«question.answer_label»\s*[:：][\s*]*(?P<rest>\S.*)$")
"""`What is a leaf? A: a tensor that ...`"""
_FOLLOW_UP = pattern(r"^\W*(?:\w+ \()?«question.follow_up»")
_TASK = pattern(r"^\W*«question.task»")
"""`Write a training loop`, `手写注意力`: what code or items below it solve."""
_LONGEST = 40
"""Lines of an answer: what is longer is a chapter."""
_HANDY = 12
"""Lines of a sensible answer."""
_FEW_LINES = 4
_SHORTEST = 8
"""Columns of a question: `Why?` asks nothing by itself."""
_LONGEST_ADVICE = 60

_Made = Iterator[tuple[Note, Sequence[int]]]
"""Notes, each with the indices of the blocks that it was made of."""


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
            if isinstance(note.body, Basic) and OPTIONS.match(note.body.answer):
                skipped.append(Skipped(note.span, NO_ANSWER, unanswered=True))
                continue
            notes.append(note)
            if isinstance(block, Items):
                asked.setdefault(index, []).extend(range(note.span.start, note.span.stop))
    left = left_of(page, {index: items_on(page.blocks[index], lines) for index, lines in asked.items()})
    return Finds(tuple(notes), tuple(skipped), frozenset(used - left.keys()), left)


def _made(page: Page, index: int, block: Block, used: set[int]) -> _Made:
    match block:
        case Heading():
            yield from _by_heading(page, index, block, used)
        case Prose():
            yield from _by_lines(page, index, block)
        case Items():
            yield from _by_items(page, index, block)
        case Quote():
            yield from _by_quote(page, index, block)
        case Details():
            yield from _by_lid(page, index, block)
        case _:
            return


def _said_by_pupil(page: Page, index: int) -> bool:
    turn = page.blocks[page.turns[index]] if page.chat and page.turns[index] >= 0 else None
    return page.chat and (not isinstance(turn, Turn) or turn.speaker != "tutor")


def _note(page: Page, at: int, asked: str, answer: str, span: Span, answered: Span | None = None) -> Note:
    """A question and its answer; of a labelled one no other labelled question above it is the context."""
    answer = answer.removesuffix("**") if answer.count("**") % 2 else answer  # `**答：warmup**` without its label
    line = page.document.source.lines[span.start]
    alone = LABELLED.match(line) and not _FOLLOW_UP.match(line)
    shown = tuple(heading for heading in page.context(at) if not (alone and LABELLED.match(heading)))
    body, anchor = Basic(prompt=asked, answer=answer), key(page.path(at), asked)
    return page.note(body, span | (answered or span), at, anchor, headings=shown, rests_on=page.apis_on(span))


# headings


def _by_heading(page: Page, index: int, block: Heading, used: set[int]) -> _Made:
    asked = _heading_question(page, index, block)
    below = [one for at in page.section(index) if isinstance(one := page.blocks[at], Heading)]
    nearest = min((one.level for one in below), default=0)
    names = [title(one.text) for one in below if one.level == nearest] if wording.WHICH.search(asked) else []
    by_names = 2 <= len(names) <= _HANDY
    places = [page.body(index), *([] if by_names else _further_below(page, index, asked))] if asked else []
    for place in places:
        found = [at for at in answering(page, place) if at not in used]
        if not found:
            continue
        asked, found = with_context(page, asked, found)
        answer = answer_of(page, found)
        length = answer.count("\n") + 1
        if answer and length <= _LONGEST and not _better_as_list(page, block, found, length):
            span = block.span | page.blocks[found[0]].span
            rests_on = tuple(name for at in found for name in page.apis_on(page.blocks[at].span))
            yield (
                page.note(Basic(prompt=asked, answer=answer), span, index, block.text, rests_on=rests_on),
                [index, *found],
            )
        return
    if asked and by_names:
        listed = "\n".join(f"- {name}" for name in names)
        yield page.note(Basic(prompt=asked, answer=listed), block.span, index, block.text), [index]


def _further_below(page: Page, index: int, asked: str) -> list[range]:
    """Where else a heading may be answered: in its summary, or in its one subsection."""
    section = page.section(index)
    heads = [(at, one.text) for at in section if isinstance(one := page.blocks[at], Heading)]
    summaries = [at for at, text in heads if wording.SUMMARY.search(title(text))]
    if summaries:
        return [page.body(summaries[-1])]
    return [section] if len(heads) <= 1 and wording.QUESTION.search(asked) else []


def _heading_question(page: Page, index: int, block: Heading) -> str:
    """The question that a heading asks; empty if it asks none."""
    text = title(block.text)
    words = plain(text)
    if any(one.search(words) for one in (wording.QUIZ, wording.EXAMPLE, wording.ROADMAP, wording.MENU)):
        return ""
    if wording.QUESTION.search(words) or (is_chinese(words) and wording.INTERROGATIVE.search(words)):
        head, mark, tail = text.partition("：" if "：" in text else ": ")  # `知识闪卡：什么是 X？`
        return tail.strip() if mark and wording.CARD.search(head) and wording.QUESTION.search(tail) else text
    if wording.ASKED_ALOUD.search(words) or (
        width(words) >= _SHORTEST and not page.chat and LABELLED.match(plain(block.text))
    ):
        return text
    if is_aspect(words):
        path = page.path(index)
        subject = f"{title(path[-1])} - " if _aspect_of(words) == "" and path else ""  # `特点` asks nothing alone
        return f"{subject}{text}{'？' if page.chinese else '?'}"
    stated = any(isinstance(page.blocks[at], Prose | Items | Code) for at in page.body(index))
    if stated and 6 <= width(words) <= _LONGEST_ADVICE and wording.ADVICE.search(words):
        return f"{text} — {prompt(page.document.language, 'why')}"
    return ""


@lru_cache(maxsize=1024)
def _aspect_of(words: str) -> str | None:
    """What a heading names an aspect of, empty if it says no more than the aspect; None if it names none."""
    found = wording.ASPECT.fullmatch(words) if len(words) <= _LONGEST else None
    return next((subject for subject in found.groups() if subject), "") if found else None


def is_aspect(words: str) -> bool:
    """True if a heading names an aspect of something: `X 的特点`, `Advantages of X`."""
    return _aspect_of(words) is not None


def _better_as_list(page: Page, block: Heading, blocks: Sequence[int], length: int) -> bool:
    """An aspect over a long list: one card a line says more than one card with all of them."""
    only = page.blocks[blocks[0]]
    words = plain(title(block.text))
    if len(blocks) > 1 or not isinstance(only, Items) or wording.QUESTION.search(words):
        return False
    return (_aspect_of(words) == "" and len(only.items) > 5) or (length > _HANDY and is_aspect(words))


# lines


def _asks(line: str) -> tuple[str, str] | None:
    """(question, what stands behind it) of a line that has a label, asks in bold or answers itself; None for another line."""
    match = LABELLED.match(line) or BOLD.match(line) or _ON_ONE_LINE.match(line)
    if match is None:
        return None
    both = _ON_ONE_LINE.match(match["text"])
    asked, rest = (both["text"], both["rest"]) if both else (match["text"], match.groupdict().get("rest") or "")
    return without_number(without_emoji(asked).strip(" *")).strip(), rest


def _by_lines(page: Page, index: int, block: Prose) -> _Made:
    """Lines of a paragraph that ask, each answered behind it, by the lines below it or by the blocks below."""
    lines = block.text.split("\n")
    begun = {at: said for at, line in enumerate(lines) if (said := _asks(line))}
    if not begun and not page.chat:
        begun = {at: (asked, "") for at, line in enumerate(lines) if (asked := _asks_by_number(line))}
        alone = _asks_alone(page, index, lines) if not begun else ""
        begun = begun if 0 in begun else {0: (alone, "")} if alone else {}
    for at, stop in pairwise([*begun, len(lines)]):
        asked, rest = begun[at]
        told = [without_label(line) for line in (rest, *lines[at + 1 : stop]) if line.strip()]
        open_ = stop == len(lines) and (not told or told[-1].rstrip().endswith((":", "：")))
        below = answer_below(page, index, number_of(block)) if open_ else []
        asked, below = with_context(page, asked, below)
        answer = dedent("\n".join(line.rstrip() for line in told))
        answer = "\n\n".join(part for part in (answer, answer_of(page, below)) if part)
        chatter = all(wording.CHATTER.search(line) for line in told) and not below
        if answer and not chatter and width(plain(asked)) >= _SHORTEST:
            span = Span(block.span.start + at, block.span.start + stop)
            yield (
                _note(page, index, asked, answer, span, page.blocks[below[0]].span if below else span),
                [index, *below],
            )


def _asks_by_number(line: str) -> str:
    """The question of `2、view 和 reshape 的区别`; empty for another line."""
    asks = NUMBERED.match(line) and (_ALONE.match(line) or wording.INTERROGATIVE.search(plain(without_number(line))))
    return without_number(line.strip(" *")) if asks else ""


def _asks_alone(page: Page, index: int, lines: Sequence[str]) -> str:
    """A sentence that asks, over a few lines that do not, above a quote or an answer with a label; empty for another paragraph."""
    if not _ALONE.match(lines[0]):
        return ""
    if len(lines) == 1:
        below = [page.blocks[at] for at in answer_below(page, index, None)]
        answered = any(map(is_labelled, below)) or (bool(below) and isinstance(below[0], Quote))
    else:
        answered = len(lines) <= _FEW_LINES and not any(wording.QUESTION.search(line.strip()) for line in lines[1:])
    return without_number(lines[0].strip(" *")) if answered else ""


def _by_items(page: Page, index: int, block: Items) -> _Made:
    """Items that ask, or give a task with its number, answered by further lines, by their children or by the blocks below."""
    heading = title(page.path(index)[-1]) if page.path(index) else ""
    if wording.EXERCISES.search(plain(heading)):
        return
    items = block.items
    for at, item in enumerate(items):
        first, _, lines = item.text.strip().partition("\n")
        asked, rest = _asks(first) or (first, "")
        children = items[
            at + 1 : next((n for n in range(at + 1, len(items)) if items[n].depth <= item.depth), len(items))
        ]
        words = plain(asked)
        number = int(item.number) if item.number.isdecimal() and not page.chat else None
        question = wording.QUESTION.search(asked.strip()) or (
            number is not None and wording.INTERROGATIVE.search(words)
        )
        if not question and (number is None or not _TASK.match(words)):
            continue
        bullets = "\n".join(f"{'    ' * (one.depth - item.depth - 1)}- {one.text.strip()}" for one in children)
        bullets = bullets.removeprefix("- ") if len(children) == 1 and BOLD.match(first) else bullets
        own = "\n".join(without_label(part) for part in (rest, lines, bullets) if part.strip()).strip("\n")
        below = answer_below(page, index, number) if number is not None and item is items[-1] else []
        if own or not question or len(items) > 1:  # of what stands below, code alone is sure to belong to an item
            code = below[:1] if below and isinstance(page.blocks[below[0]], Code) else []
            below = code if (len(below) == 1 and not page.claims_about(below[0])) or not own else []
        answer = "\n\n".join(part for part in (own, answer_of(page, below)) if part)
        if answer:
            span = item.span | (children or [item])[-1].span | (page.blocks[below[-1]] if below else item).span
            yield _note(page, index, without_number(asked.strip(" *")), answer, span), [index, *below]


def _by_quote(page: Page, index: int, block: Quote) -> _Made:
    """`> **Q: ...?**` and its answer below it in the quote; a callout whose title asks."""
    first, _, lines = block.text.strip("\n").partition("\n")
    callout = CALLOUT.match(first)
    heading = callout["title"].strip(" *") if callout else ""
    asked, rest = (heading, "") if wording.QUESTION.search(heading) else (None if callout else _asks(first)) or ("", "")
    answer = without_label(f"{rest}\n{lines}".strip("\n"))
    if asked and answer:
        yield _note(page, index, asked, answer, block.span), [index]


def _by_lid(page: Page, index: int, block: Details) -> _Made:
    """What a lid hides answers the question on it, or the last one in the list above it."""
    summary = plain(block.summary)
    above = page.blocks[index - 1] if index else None
    if not block.text.strip():
        return
    if wording.QUESTION.search(summary):
        yield _note(page, index, block.summary, block.text, block.span), [index]
    elif (
        wording.REVEAL.match(summary)
        and isinstance(above, Items)
        and wording.QUESTION.search(above.items[-1].text.strip())
    ):
        last = above.items[-1]
        asked = (_asks(last.text) or (without_number(last.text.strip(" *")), ""))[0]
        yield _note(page, index - 1, asked, block.text, last.span | block.span), [index]
