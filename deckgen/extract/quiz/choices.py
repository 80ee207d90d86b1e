"""Multiple choice: options, and the right letters wherever the document gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from deckgen.extract.key import key
from deckgen.extract.labels import Kind, labels
from deckgen.extract.page import Finds, Page, items_of, left_of
from deckgen.extract.quiz.answers import (
    Answer,
    Question,
    answer_to,
    fold_of,
    next_question,
    place_in_list,
    question_number,
)
from deckgen.extract.quiz.keys import keys_of
from deckgen.extract.quiz.notations import BOX, LINE_END
from deckgen.extract.quiz.options import Run, Stem, runs, stem_of
from deckgen.extract.quiz.replies import answer_in_reply
from deckgen.extract.text import plain, squeezed
from deckgen.model.document import Code, Heading, Items, Quote, Turn
from deckgen.model.note import Choice, Note, Option, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_STOP = pattern(r"(?<=\S)(?:\s*[.。:：;；!！](?=\s|$)|\s*[。：；！]|\s*[-–—]+\s|\s*[,，]\s*(?=«quiz.because»)|$)")
"""Where the words of an option end and something else begins: not where they are what a sentence is about."""
_WORDS = pattern(r"[a-z]+\s")

NO_ANSWER = "a multiple-choice question whose answer the source does not give"
ALL_MARKED = "a multiple-choice question of which every option is marked as right: mark those that are"
PARTED = "a question whose options do not stand together: write them as one list, and close the fences above them"
NOT_DEALT = "a multiple-choice question above a key that does not say which question each letter is for"
MENU = "a menu of what to do next, not a question"


def choices(page: Page) -> Finds:
    """One note per question that has options and an answer."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    taken: dict[int, list[int]] = {}
    found = _without_statements(runs(page))
    asked: list[Question] = []
    for question in _questions(page, found):
        run, stem = question.run, question.stem
        if _is_menu(stem, run):
            skipped.append(Skipped(_span(page, question), MENU))
            used.update(run.blocks)
        elif run.boxed and _has_more_options(page, run, stem):
            skipped.append(Skipped(_span(page, question), PARTED))
            used.update(run.blocks, stem.blocks)
        elif not run.boxed or _are_answers(page, run, stem):
            asked.append(question)
    for question, answer, reason in _answered(page, asked):
        run, stem, asks = question.run, question.stem, Kind.ASKS in labels(question.stem.text)
        if answer:
            notes.append(_note(page, question, answer))
            used.update(index for index in answer.blocks if not _is_remark(page, answer, index))
        elif asks and not run.framed:  # lettered lists that ask nothing (an outline A, B, C) are none of our business
            skipped.append(Skipped(_span(page, question), reason, unanswered=True))
        if answer or asks:
            used.update(run.blocks, stem.blocks)
            _take(page, run, taken)
    left = left_of(page, {index: [*items_of(page, index, parts)] for index, parts in taken.items()})
    return Finds(tuple(notes), tuple(skipped), frozenset(used - left.keys()), left)


def _questions(page: Page, found: Sequence[Run]) -> Iterator[Question]:
    among = tuple((question_number(page, run), run) for run in found)
    for at, (number, run) in enumerate(among):
        stem = stem_of(page, run, found[at - 1] if at else None)
        yield Question(run, stem, found[at + 1] if at + 1 < len(found) else None, number, among)


def _without_statements(found: Sequence[Run]) -> list[Run]:
    """Without lettered statements right above boxes that name them: `A. ...`, `B. ...`, `- [x] A and B`."""
    return [run for run, boxes in zip_longest(found, found[1:]) if not (boxes and _are_statements(run, boxes))]


def _are_statements(run: Run, boxes: Run) -> bool:
    return not (run.marked or run.boxed) and boxes.boxed and bool(boxes.right) and run.last + 1 == boxes.blocks.start


def _answered(page: Page, asked: Sequence[Question]) -> Iterator[tuple[Question, Answer | None, str]]:
    """(question, its answer, the reason if there is none)."""
    keys = keys_of(page) if asked else []
    stated = [(question, answer_to(page, question, keys)) for question in asked]
    stated = [one for one in stated if one[1] or not one[0].run.numbered]  # else ordinary lists
    open_in: dict[int, list[Question]] = {}
    for question, answer in stated:
        if answer is None:
            open_in.setdefault(page.turns[question.run.blocks.start], []).append(question)
    before: Run | None = None  # the options above that have no answer
    for question, answer in stated:
        run = question.run
        shared = before and answer and answer.line and len(answer.letters) > 1 and not answer.explanation
        if before and shared and not _parted(page, range(before.blocks.stop, run.blocks.start)):
            yield question, None, NOT_DEALT
        else:
            together = open_in.get(page.turns[run.blocks.start], [])
            reason = ALL_MARKED if len(run.marked) == len(run.options) else NO_ANSWER
            yield question, answer or answer_in_reply(page, question, together), reason
        before = None if answer else run


def _parted(page: Page, blocks: range) -> bool:
    """True if a turn, or a heading that bears no number, stands among some blocks."""
    between = (page.blocks[index] for index in blocks)
    return any(
        isinstance(block, Turn) or (isinstance(block, Heading) and not labels(block.text).number) for block in between
    )


def _is_remark(page: Page, answer: Answer, index: int) -> bool:
    """A quote in an explanation, which may still be a card of its own."""
    block = page.blocks[index]
    states = answer.line is not None and answer.line.block == index
    return isinstance(block, Quote) and not states and fold_of(block) is None


def _take(page: Page, run: Run, taken: dict[int, list[int]]) -> None:
    """The parts of a list that are a quiz's own: what asks below it is another question."""
    begin, first, last = place_in_list(page, run)
    if not begin:
        return
    mine = taken.setdefault(run.lines[0].block, [])
    if first == last:
        mine.append(first)
    else:
        stop = next_question(page, run)
        mine += range(mine[-1] + 1 if mine else 0, len(begin) if stop is None else stop)


def _note(page: Page, question: Question, answer: Answer) -> Note:
    run, stem = question.run, question.stem
    at = stem.blocks.start if stem.blocks else run.blocks.start
    others = tuple(
        heading for heading in page.context(at) if Kind.TEST_QUESTION not in labels(heading)
    )  # none of another question
    shown, path = _above_the_quiz(others), _above_the_quiz(page.path(at))
    told = _without_options(answer.explanation, [one for one in run.options if one.letter in answer.letters])
    body = Choice(stem=stem.text, options=run.options, right=answer.letters, explanation=told)
    return page.note(body, _span(page, question), at, key(path, stem.text), headings=shown)


def _without_options(explanation: str, right: Sequence[Option]) -> str:
    """What is explained, without the right option that it begins with: that stands above it on the card already."""
    first, newline, rest = explanation.partition("\n")
    for option in right:
        words = squeezed(option.text)
        for stop in _STOP.finditer(first):
            if words and squeezed(first[: stop.start()]) == words:
                told = f"{first[stop.end() :].strip()}{newline}{rest}".strip("\n")
                return told[:1].upper() + told[1:] if _WORDS.match(told) else told
    return explanation


def _above_the_quiz(headings: tuple[str, ...]) -> tuple[str, ...]:
    return headings[:-1] if headings and Kind.QUIZ in labels(headings[-1]).words else headings


def _has_more_options(page: Page, run: Run, stem: Stem) -> bool:
    """True if options stand above those found, alone or inside code: who knows whose these are?"""
    for block in (page.blocks[at] for at in stem.blocks if at < run.blocks.start):
        if isinstance(block, Code) and sum(1 for line in block.text.split("\n") if BOX.pattern.match(line)) > 1:
            return True
        items = block.items if isinstance(block, Items) else ()
        if any(item.span.start > stem.first_line and Kind.CHECKBOX in labels(item.text) for item in items):
            return True
    return False


def _is_menu(stem: Stem, run: Run) -> bool:
    """A choice of what to do next: where an option is marked as right, it is none."""
    asks_what_next = Kind.MENU in labels(stem.text).words and not run.right
    return asks_what_next or (run.framed and Kind.ASKS not in labels(stem.text))


def _are_answers(page: Page, run: Run, stem: Stem) -> bool:
    """Boxes without letters below a question that is about no work: else they are tasks, done and to do."""
    above = page.path(run.blocks.start)
    head = plain(above[-1]) if above else ""
    numbered = labels(head).number is not None
    lines = [line.strip() for line in stem.text.split("\n")]
    if (Kind.PLAN in labels(stem.text) and not numbered) or "?" in lines or "??" in lines:
        return False  # `?` stands between the sides of a flash card
    last = re.sub(r"```.*?```", "", stem.text, flags=re.DOTALL).strip().rpartition("\n\n")[2].split("\n")
    asks = any(Kind.QUESTION in labels(LINE_END.sub("", line).strip()) for line in last)
    return (asks and Kind.PLAN not in labels(head)) or (len(run.right) > 0 and numbered)


def _span(page: Page, question: Question) -> Span:
    """From the stem, or the `Question 1:` above it, to the last option."""
    run, stem = question.run, question.stem
    last = run.lines[-1].number + 1 + run.options[-1].text.count("\n")
    first = stem.blocks.start if stem.blocks else run.blocks.start
    above = page.blocks[first - 1] if first else None
    opens = stem.first_line <= page.blocks[first].span.start
    if opens and isinstance(above, Heading) and Kind.QUIZ in labels(above.text).words:
        return above.span | Span(stem.first_line, last)
    return Span(min(stem.first_line, run.lines[0].number), last)
