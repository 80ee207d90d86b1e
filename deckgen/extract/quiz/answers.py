"""Where the answer to a multiple-choice question may stand: a list of places, which are asked in order.

The options may be marked, a line below may state it, a fold may hide it, a key at the end may give it. What a tutor replies
to a pupil is read in `replies`. A question whose answer is nowhere is reported, never invented.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from deckgen.extract.blocks import CALLOUT, Line, is_rule, markdown_of, pictures_right_below, text_of
from deckgen.extract.declared.asked import has_question_label
from deckgen.extract.labels import Kind, labels
from deckgen.extract.page import Page, number_of
from deckgen.extract.quiz.feedback import right_letters
from deckgen.extract.quiz.keys import Key, key_below, letters_of, number_above
from deckgen.extract.quiz.notations import gap_in, is_option, letters_after_label
from deckgen.extract.quiz.options import Run, Stem, ends_asking
from deckgen.extract.text import plain
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Quote, Turn
from deckgen.text.pattern import pattern

_MOST = 2
"""Paragraphs of an explanation without a label."""
_LABEL = pattern(r"^\W*«quiz.explanation»\s*\**\s*[:：】\]]\s*\**\s*")

_HEADED = pattern(r"\s*(?:<p>)?\W*[^\n:：]{3,40}[:：][*_ \t]*(?P<letters>[A-H])[*_ \t]*(?:\n(?P<rest>[\s\S]*))?$")
"""A first line that ends with one letter."""


class Answer(NamedTuple):
    """The right letters, why, and the indices of the blocks that say so."""

    letters: tuple[str, ...]
    explanation: str
    blocks: range
    line: Line | None = None
    """The line that states them below the options."""


class Question(NamedTuple):
    """Options with what is asked above them."""

    run: Run
    stem: Stem
    following: Run | None
    """The options of the next question."""
    number: int | None
    """That it bears."""
    among: tuple[tuple[int | None, Run], ...]
    """All options of the page, in order, with the numbers of their questions."""


def question_number(page: Page, run: Run) -> int | None:
    """The number that the question of some options bears."""
    first = run.blocks.start
    lines = page.lines(first)
    above = (lines[at].text for at in range(run.lines[0].at - 1, -1, -1))
    for text in itertools.chain([run.before], above):
        if is_option(text):
            break
        if borne := labels(text).number:
            return borne.number
    block = page.blocks[first]
    for item in reversed(block.items) if isinstance(block, Items) else ():
        if item.number and item.span.start <= run.lines[0].number:
            return item.ordinal
    return number_above(page, first)


def answer_to(page: Page, question: Question, keys: Sequence[Key]) -> Answer | None:
    """The answer from the first place that gives one: marks on the options, a line or a fold below them, a key."""
    if marked := question.run.right:
        told = _explaining(page, question.run.blocks.start, question.run.blocks.stop, _end(page, question))
        return Answer(marked, _markdown(page, told), told)
    return _below(page, question) or _in_key(page, question, keys)


def _below(page: Page, question: Question) -> Answer | None:
    """`答案：B`, `**Answer:** C) because...` or a hidden answer, before the next question or turn."""
    run = question.run
    end = _end(page, question)
    for index in range(run.blocks.start, min(end[0] + 1, len(page.blocks))):
        block = page.blocks[index]
        if isinstance(block, Turn):
            return None
        if fold := fold_of(block):
            if hidden := _hidden(*fold, run):
                return Answer(*hidden, range(index, index + 1))
            continue
        for line in _between(page, index, run.lines[-1].place, end):
            given = letters_after_label(line.text)
            if given and set(given[0]) <= run.letters:
                return _stated(page, line, given, end)
    return None


def _in_key(page: Page, question: Question, keys: Sequence[Key]) -> Answer | None:
    """The entry for the question in the next key below it, by its number or its place."""
    key = key_below(page, question.run.blocks.stop, keys)
    if key is None:
        return None
    before = max((other.blocks.stop for other in keys if other.blocks.start < key.blocks.start), default=0)
    first, stop = (bisect_left(question.among, at, key=_block) for at in (before, key.blocks.start))
    here = question.among[first:stop]
    number = question.number or [run is question.run for _, run in here].index(True) + 1
    same = [run is question.run for borne, run in here if borne == question.number] if question.number else [True]
    entry = key.under(number, same.index(True), len(same), question.run.letters)
    told = letters_of(entry.text) if entry else None
    return Answer(tuple(sorted(set(told[0]))), told[1], key.blocks) if told else None


def _block(numbered: tuple[int | None, Run]) -> int:
    return numbered[1].blocks.start


def place_in_list(page: Page, run: Run) -> tuple[Sequence[int], int, int]:
    """Where the parts of the list begin that holds all options, and the numbers of the first and last part of these."""
    index = run.lines[0].block
    if not isinstance(page.blocks[index], Items) or run.lines[-1].block != index:
        return (), 0, 0
    begin = page.part_starts(index)
    return begin, number_of(begin, run.lines[0].at), number_of(begin, run.lines[-1].at)


def next_question(page: Page, run: Run) -> int | None:
    """Number of the first part of a list below some options that is another question's."""
    begin, first, last = place_in_list(page, run)
    if first == last:
        return last + 1 if last + 1 < len(begin) else None
    lines = page.lines(run.lines[-1].block)
    return next((at for at in range(last + 1, len(begin)) if ends_asking(lines[begin[at]].text)), None)


def _end(page: Page, question: Question) -> tuple[int, int]:
    """Where the next question begins."""
    run, following = question.run, question.following
    end = following.lines[0].place if following else (len(page.blocks), 0)
    last = run.lines[-1].block
    another = next_question(page, run)
    return end if another is None else min(end, (last, page.part_starts(last)[another]))


def _between(page: Page, index: int, after: tuple[int, int], end: tuple[int, int]) -> Sequence[Line]:
    """The lines of a block that stand between two places."""
    lines = page.lines(index)
    place = attrgetter("place")
    return lines[bisect_right(lines, after, key=place) : bisect_left(lines, end, key=place)]


def _stated(page: Page, line: Line, given: tuple[str, str], end: tuple[int, int]) -> Answer:
    below = (other.text.strip() for other in _between(page, line.block, line.place, end))
    rest = [given[1], *itertools.takewhile(lambda text: not ends_asking(plain(text)), below)]
    told = _explaining(page, line.block, line.block + 1, end, alone=not any(rest))
    last = max(told.stop, line.block + 1) - 1
    pictures = [at for at in pictures_right_below(page.blocks, last) if at < end[0]]
    shown = "".join(f"\n\n{markdown_of(page.blocks[at])}" for at in pictures)
    explanation = "\n".join(filter(None, (*rest, _markdown(page, told)))) + shown
    blocks = range(line.block, last + 1 + len(pictures))
    return Answer(tuple(sorted(set(given[0]))), _LABEL.sub("", explanation), blocks, line)


def _markdown(page: Page, blocks: range) -> str:
    return _LABEL.sub("", "\n".join(markdown_of(page.blocks[index]) for index in blocks))


def _explaining(page: Page, index: int, first: int, end: tuple[int, int], *, alone: bool = True) -> range:
    """The blocks from `first` on that explain: labelled paragraphs, or all that is left of a section with one question."""
    stop = first
    while stop < end[0] and isinstance(page.blocks[stop], Prose | Quote | Code) and _is_explanation(page, stop):
        stop += 1
    if stop > first or not alone:
        return range(first, stop)
    head = page.heading_above(index)
    while stop < len(page.blocks) and isinstance(page.blocks[stop], Prose | Quote) and not is_rule(page.blocks[stop]):
        stop += 1
    ends = stop == len(page.blocks) or isinstance(page.blocks[stop], Heading) or is_rule(page.blocks[stop])
    shared = end[0] < len(page.blocks) and page.heading_above(end[0]) == head
    if head is None or page.chat or shared or not ends or stop - first > _MOST:
        return range(0)
    texts = [plain(text_of(page.blocks[at])) for at in range(first, stop)]
    talks = any(
        gap_in(text) or ends_asking(text) or has_question_label(text) or Kind.TALK in labels(text) for text in texts
    )
    return range(0) if talks else range(first, stop)


def fold_of(block: Block) -> tuple[str, str] | None:
    """(what stands on it, what it hides) of a fold: `<details>`, or a callout named `Answer`."""
    if isinstance(block, Details):
        return block.summary, block.text.strip()
    match = CALLOUT.match(block.text) if isinstance(block, Quote) else None
    if match is None or not match["title"].strip() or Kind.HIDES_ANSWER not in labels(match["title"]).words:
        return None
    return match["title"], match.string[match.end() :].strip()


def _hidden(summary: str, text: str, run: Run) -> tuple[tuple[str, ...], str] | None:
    headed = _HEADED.match(text)  # a label in any language
    labelled = f"Answer: {headed['letters']}\n{headed['rest']}" if headed else text
    given = next(filter(None, map(letters_after_label, (text, labelled, f"Answer: {text}", summary))), None)
    if given and set(given[0]) <= run.letters:
        return tuple(sorted(set(given[0]))), _LABEL.sub("", given[1])
    letters = right_letters(text, run.options, "")
    return (letters, _LABEL.sub("", text)) if letters else None


def _is_explanation(page: Page, index: int) -> bool:
    return Kind.EXPLANATION in labels(text_of(page.blocks[index])).words
