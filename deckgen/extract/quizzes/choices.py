"""Multiple choice: options, and the right letters wherever the document gives them.

The answer may be a mark on an option, a line below, a hidden `<details>`, a key at the end, or what the
tutor says after the pupil's turn. A question whose answer is nowhere is reported, never invented.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from deckgen.extract import talk, wording
from deckgen.extract.key import key
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import items_of, left_of
from deckgen.extract.quizzes.answer_keys import Answer, Keys, key_below, keys_of
from deckgen.extract.quizzes.options import LINE_END, Run, runs
from deckgen.extract.quizzes.put_up import asked_behind
from deckgen.extract.quizzes.shared_keys import Question, dealt_out
from deckgen.extract.quizzes.stated import (
    ends_asking,
    explained_below,
    in_stem,
    labelled_below,
    next_question,
    place_in_list,
    stated_below,
)
from deckgen.extract.quizzes.stems import Stem, stem_of
from deckgen.extract.quizzes.told import told_later
from deckgen.extract.text import plain
from deckgen.model.document import Block, Heading, Prose, Quote
from deckgen.model.note import Choice, Note, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

_FENCED = pattern(r"```.*?```", re.DOTALL)
NO_ANSWER = "a multiple-choice question whose answer the source does not give"
NOT_DEALT = "a multiple-choice question above a key that does not say which question each letter is for"
MENU = "a menu of what to do next, not a question"


def choices(page: Page) -> Finds:
    """One note per question that has options and an answer."""
    return choices_in(page, range(len(page.blocks)))


def choices_in(page: Page, blocks: Container[int]) -> Finds:
    """The same of the options that begin in some of the blocks; nothing of other questions is used up."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    taken: dict[int, list[int]] = {}
    answering: set[range] = set()
    found = page.once(runs)
    keys = page.once(keys_of) if found else Keys([], [])
    asked: list[Question] = []
    for at, run in enumerate(found):
        stem = stem_of(page, run, found[at - 1] if at else None)
        span = _span(page, run, stem)
        if run.bare and not _are_answers(page, run, stem):
            continue
        if _is_menu(stem, run):
            skipped += [Skipped(span, MENU)] if run.blocks.start in blocks else []
            used.update(run.blocks if run.blocks.start in blocks else ())
            continue
        text, written = in_stem(stem.text, run)
        answer = _answer(page, run, found[at + 1 : at + 2], found, keys, written)
        asked.append(Question(run, stem._replace(text=text), answer, span))
    dealt = dict(dealt_out(page, asked))
    for at, (run, stem, stated, span) in enumerate(asked):
        if run.blocks.start not in blocks:
            continue
        answer = dealt.get(at, stated)
        if answer is None:
            skipped += _unanswered(stem, span, run, NOT_DEALT if at in dealt else NO_ANSWER)
            if wording.ASKS.search(stem.text):
                used.update(run.blocks, stem.blocks)
                _take(page, run, taken)
            continue
        notes.append(_note(page, run, stem, answer, span))
        used.update(run.blocks, stem.blocks)
        answering.add(answer.blocks)
        _take(page, run, taken)
    used.update(*(_told(page, told) for told in answering))
    left = left_of(page, {index: [*items_of(page, index, parts)] for index, parts in taken.items()})
    left |= {index: tail for index, tail in _tails(page, found) if index in used}
    return Finds(tuple(notes), tuple(skipped), frozenset(used - left.keys()), left)


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


def _tails(page: Page, found: Sequence[Run]) -> Iterator[tuple[int, Block]]:
    """What is left of paragraphs below their last options: other questions."""
    for index, run in {run.lines[-1].block: run for run in found}.items():
        line, block = labelled_below(page, run), page.blocks[index]
        if line and isinstance(block, Prose):
            text = "\n".join(block.text.split("\n")[line.at :])
            yield index, Prose(Span(block.span.start + line.at, block.span.stop), text)


def _told(page: Page, blocks: range) -> list[int]:
    """A quote in an explanation may still be a card of its own, and a statement put up behind it is another question."""
    told = (index for index in blocks if not isinstance(page.blocks[index], Quote))
    return [index for index in told if not any(asked_behind(line.text) for line in page.lines(index))]


def _note(page: Page, run: Run, stem: Stem, answer: Answer, span: Span) -> Note:
    at = stem.blocks.start if stem.blocks else run.blocks.start
    shown, path = (_above_the_quiz(headings) for headings in (page.context(at), page.path(at)))
    body = Choice(stem=stem.text, options=run.options, right=tuple(answer.letters), explanation=answer.explanation)
    return page.note(body, span, at, key(path, stem.text), headings=shown)


def _above_the_quiz(headings: tuple[str, ...]) -> tuple[str, ...]:
    return headings[:-1] if headings and wording.QUIZ.search(plain(headings[-1])) else headings


def _are_answers(page: Page, run: Run, stem: Stem) -> bool:
    """Boxes without letters below a question that is about no work: else they are tasks, done and to do."""
    last = [LINE_END.sub("", line) for line in _FENCED.sub("", stem.text).strip().rpartition("\n\n")[2].split("\n")]
    if any(line.strip() in ("?", "??") for line in stem.text.split("\n")) or wording.TASKS.search(stem.text):
        return False
    above = page.path(run.blocks.start)
    asks = any(map(ends_asking, last)) or (run.ballots and last[-1].endswith((":", "：")))
    return asks and not (above and wording.TASKS.search(plain(above[-1])))


def _unanswered(stem: Stem, span: Span, run: Run, reason: str) -> list[Skipped]:
    """Lettered lists that ask nothing (an outline A, B, C) are none of our business."""
    asks = wording.ASKS.search(stem.text) and not run.framed
    return [Skipped(span, reason, unanswered=True)] if asks else []


def _is_menu(stem: Stem, run: Run) -> bool:
    menu = talk.MENU.search(plain(stem.text))
    return bool(menu) or (run.framed and not wording.ASKS.search(stem.text))


def _names_an_answer(page: Page, run: Run, following: Sequence[Run]) -> bool:
    """True if something below the options speaks of an answer: bold type then need not be one."""
    end = following[0].lines[0].place if following else (len(page.blocks), 0)
    last = min(end[0] + 1, run.blocks.stop + _NEAR, len(page.blocks))
    below = (line for index in range(run.lines[-1].block, last) for line in page.lines(index))
    return any(run.lines[-1].place < line.place < end and _ANSWER.search(line.text) for line in below)


_NEAR = 3
_ANSWER = pattern(wording.ANSWER_LABEL, re.IGNORECASE)


def _span(page: Page, run: Run, stem: Stem) -> Span:
    """From the stem, or the `Question 1:` above it, to the last option."""
    last = run.lines[-1].number + 1 + run.options[-1].text.count("\n")
    first = stem.blocks.start if stem.blocks else run.blocks.start
    above = page.blocks[first - 1] if first else None
    opens = stem.first_line <= page.blocks[first].span.start
    if opens and isinstance(above, Heading) and wording.QUIZ.search(plain(above.text)):
        return above.span | Span(stem.first_line, last)
    return Span(min(stem.first_line, run.lines[0].number), last)


def _answer(  # every place in which it may stand
    page: Page, run: Run, following: Sequence[Run], found: Sequence[Run], keys: Keys, written: tuple[str, ...]
) -> Answer | None:
    if run.marked:
        return explained_below(page, run, following[0] if following else None, run.marked)
    stated = stated_below(page, run, following[0] if following else None)
    if stated:
        return stated
    key = key_below(page, run, found, keys)
    if written and not key:
        return explained_below(page, run, following[0] if following else None, written)
    if not key and run.bold and not page.chat and not _names_an_answer(page, run, following):
        return explained_below(page, run, following[0] if following else None, run.bold)
    stop = following[0].blocks.start if following else len(page.blocks)
    return key or (told_later(page, run, stop, found) if page.chat else None)
