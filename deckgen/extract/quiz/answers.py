"""Where the answer to a multiple-choice question may stand: a list of places, which are asked in order.

The options may be marked, a line below may state it, a fold may hide it, a key at the end may give it. What a tutor replies
to a pupil is read in `replies`. A question whose answer is nowhere is reported, never invented.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from deckgen.extract import talk, wording
from deckgen.extract.blocks import CALLOUT, Line, is_rule, markdown_of, text_of
from deckgen.extract.page import Page, number_of
from deckgen.extract.quiz.feedback import right_letters
from deckgen.extract.quiz.keys import Key, key_below, letters_of, number_above, number_borne
from deckgen.extract.quiz.notations import ANSWER, LETTERS, gap_in, is_option, letters_after_label
from deckgen.extract.quiz.options import Run, Stem, ends_asking
from deckgen.extract.text import plain, without_number
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Quote, Turn
from deckgen.text.pattern import pattern

_MOST = 2
"""Paragraphs of an explanation without a label."""
_NUMBERED = pattern(r"^\W*(?:«quiz.question»|第)\s*\d*\s*题?\s*\**\s*[:：.、]", re.IGNORECASE)
_IN_BRACKETS = pattern(r"[（【(]\s*(?P<letters>[A-H](?:[\s、,，]*[A-H]){0,7})\s*[）】)](?=\s*[。.？?]?\s*$)")
_ONLY_VERDICT = pattern(r"\W*«quiz.right»\W*")
_LABEL = pattern(r"^\W*«quiz.explanation»\s*\**\s*[:：】\]]\s*\**\s*")


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
    """All options of the page with the numbers of their questions."""


def question_number(page: Page, run: Run) -> int | None:
    """The number that the question of some options bears."""
    first = run.blocks.start
    if run.before and (own := number_borne(run.before)):
        return own.number
    lines = page.lines(first)
    for at in range(min(run.lines[0].at, len(lines)) - 1, -1, -1):
        if is_option(lines[at].text):
            break
        if borne := number_borne(lines[at].text):
            return borne.number
    block = page.blocks[first]
    if isinstance(block, Items):
        stop = bisect_right(block.items, run.lines[0].number, key=lambda item: item.span.start)
        number = next((block.items[at].number for at in range(stop - 1, -1, -1) if block.items[at].number), "")
        if number:
            return int(number) if number.isdigit() else None
    return number_above(page, first)


def answer_to(page: Page, question: Question, keys: Sequence[Key]) -> Answer | None:
    """The answer from the first place that gives one."""
    return next((answer for place in PLACES if (answer := place(page, question, keys))), None)


def _on_options(page: Page, question: Question, _keys: Sequence[Key]) -> Answer | None:
    """An option is marked: `[x]`, `✅`, `(correct)`."""
    return _explained(page, question, question.run.marked) if question.run.marked else None


def _below(page: Page, question: Question, _keys: Sequence[Key]) -> Answer | None:
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
    here = [(number, run) for number, run in question.among if before <= run.blocks.start < key.blocks.start]
    number = question.number or [run for _, run in here].index(question.run) + 1
    same = [run for borne, run in here if borne == question.number] if question.number else [question.run]
    entry = key.under(number, same.index(question.run), len(same), question.run.letters)
    told = letters_of(entry.text) if entry else None
    return Answer(tuple(sorted(set(told[0]))), told[1], key.blocks) if told else None


def _in_stem(page: Page, question: Question, _keys: Sequence[Key]) -> Answer | None:
    """`下列哪个…？（ B ）` gives its answer in its own brackets."""
    letters = letters_in_brackets(question.stem.text, question.run)[1]
    return _explained(page, question, letters) if letters else None


PLACES: tuple[Callable[[Page, Question, Sequence[Key]], Answer | None], ...] = (
    _on_options,
    _below,
    _in_key,
    _in_stem,
)
"""A new place is one more function here."""


def letters_in_brackets(stem: str, run: Run) -> tuple[str, tuple[str, ...]]:
    """(the stem with empty brackets, the letters that stand in them); the stem as it is, if none do."""
    match = _IN_BRACKETS.search(stem)
    letters = sorted({letter for letter in match["letters"] if letter in LETTERS}) if match else []
    if match is None or not set(letters) <= run.letters:
        return stem, ()
    return f"{stem[: match.start()]}（ ）{stem[match.end() :]}", tuple(letters)


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
    ends = [following.lines[0].place if following else (len(page.blocks), 0)]
    last = run.lines[-1].block
    another = next_question(page, run)
    ends += [(last, page.part_starts(last)[another])] if another is not None else []
    return min(ends)


def _between(page: Page, index: int, after: tuple[int, int], end: tuple[int, int]) -> Sequence[Line]:
    """The lines of a block that stand between two places."""
    lines = page.lines(index)
    return lines[bisect_right(lines, after, key=_place) : bisect_left(lines, end, key=_place)]


def _place(line: Line) -> tuple[int, int]:
    return line.place


def _stated(page: Page, line: Line, given: tuple[str, str], end: tuple[int, int]) -> Answer:
    below = (other.text.strip() for other in _between(page, line.block, line.place, end))
    rest = [text for text in itertools.takewhile(_goes_on, below) if not _ONLY_VERDICT.fullmatch(text)]
    last = line.block + 1
    while last < end[0] and isinstance(page.blocks[last], Prose | Quote | Code) and _is_explanation(page, last):
        rest.append(markdown_of(page.blocks[last]))
        last += 1
    if not given[1] and not any(rest):
        alone = _alone_below(page, line.block, last, end)
        rest += [markdown_of(page.blocks[index]) for index in alone]
        last = alone.stop if alone else last
    explanation = "\n".join(part for part in (_without_echo(given[1]), *rest) if part)
    return Answer(tuple(sorted(set(given[0]))), _unlabelled(explanation), range(line.block, last), line)


def _goes_on(text: str) -> bool:
    """False for a line that asks and has a number or a label: it explains nothing, whatever it stands below."""
    words = plain(text)
    return not (ends_asking(words) and (without_number(words) != words or _NUMBERED.match(words)))


def _explained(page: Page, question: Question, letters: tuple[str, ...]) -> Answer:
    """Why these options are right: a labelled paragraph below them, or what else stands in their section."""
    run, following = question.run, question.following
    end = following.lines[0].place if following else (len(page.blocks), 0)
    stop = run.blocks.stop
    while stop < end[0] and isinstance(page.blocks[stop], Prose | Quote) and _is_explanation(page, stop):
        stop += 1
    first = run.blocks.stop
    told = range(first, stop) if stop > first else _alone_below(page, run.blocks.start, first, end)
    return Answer(letters, _unlabelled("\n".join(markdown_of(page.blocks[index]) for index in told)), told)


def _alone_below(page: Page, index: int, first: int, end: tuple[int, int]) -> range:
    """The paragraphs that end a section with nothing but one question in it: they can only explain."""
    head = page.heading_above(index)
    stop = first
    while (
        stop < min(len(page.blocks), first + _MOST + 1)
        and isinstance(page.blocks[stop], Prose | Quote)
        and not is_rule(page.blocks[stop])
    ):
        stop += 1
    ends = stop == len(page.blocks) or isinstance(page.blocks[stop], Heading) or is_rule(page.blocks[stop])
    shared = end[0] < len(page.blocks) and page.heading_above(end[0]) == head
    if head is None or page.chat or shared or not ends or not 0 < stop - first <= _MOST:
        return range(0)
    texts = [text_of(page.blocks[at]) for at in range(first, stop)]
    talks = any(gap_in(text) or ends_asking(plain(text)) or talk.CHATTER.search(plain(text)) for text in texts)
    return range(0) if talks else range(first, stop)


def fold_of(block: Block) -> tuple[str, str] | None:
    """(what stands on it, what it hides) of a fold: `<details>`, or a callout named `Answer`."""
    if isinstance(block, Details):
        return block.summary, block.text.strip()
    match = CALLOUT.match(block.text) if isinstance(block, Quote) else None
    named = match and match["title"].strip() and wording.REVEAL.match(plain(match["title"]))
    return (match["title"], block.text[match.end() :].strip()) if match and named and isinstance(block, Quote) else None


def _hidden(summary: str, text: str, run: Run) -> tuple[tuple[str, ...], str] | None:
    given = letters_after_label(text) or letters_after_label(f"Answer: {text}") or letters_after_label(summary)
    if given and set(given[0]) <= run.letters:
        return tuple(sorted(given[0])), _unlabelled(_without_echo(given[1]))
    letters = right_letters(text, run.options, "")
    return (letters, _unlabelled(text)) if letters else None


def _is_explanation(page: Page, index: int) -> bool:
    return bool(wording.EXPLANATION.match(plain(text_of(page.blocks[index]))))


def _without_echo(rest: str) -> str:
    return rest if len(rest) > 3 else ""


def _unlabelled(text: str) -> str:
    return _LABEL.sub("", text)


def dealt_out(page: Page, questions: Sequence[tuple[Question, Answer | None]]) -> Iterator[tuple[int, Answer | None]]:
    """(place of a question, its answer) where one line of letters stands below several questions: `Answers: A B B`.

    It is dealt out if every question gets its own; else nobody can say whose letters they are.
    """
    group: list[int] = []
    for at, (question, answer) in enumerate(questions):
        above = questions[at - 1][0].run.blocks.stop if at else 0
        apart = (page.blocks[index] for index in range(above, question.run.blocks.start))
        if any(
            isinstance(block, Turn) or (isinstance(block, Heading) and not number_borne(block.text)) for block in apart
        ):
            group = []
        group = [*group, at]
        if answer is None:
            continue
        line = SEVERAL_LETTERS.match(plain(answer.line.text)) if answer.line and not answer.explanation else None
        if len(group) > 1 and line and not _is_indented(page, answer):
            yield from _dealt(questions, group, line["letters"], answer)
        group = []


SEVERAL_LETTERS = pattern(
    rf"^\W*{ANSWER}(?:\s*key)?\s*[:：]\W*(?P<letters>[A-Ha-h](?:[\s,，、;；/]*[A-Ha-h])+)\W*$", re.IGNORECASE
)


def _is_indented(page: Page, answer: Answer) -> bool:
    """A line of letters below its question alone: `   Answer: A`."""
    written = page.document.source.lines
    number = answer.line.number if answer.line else 0
    return not page.document.places and number < len(written) and written[number][:1] in " \t>"


def _dealt(
    questions: Sequence[tuple[Question, Answer | None]], group: Sequence[int], letters: str, answer: Answer
) -> Iterator[tuple[int, Answer | None]]:
    parts = [part for part in re.split(r"[\s,，、;；/]+", letters.upper()) if part]
    parts = list(parts[0]) if len(parts) == 1 else parts
    several = bool(_SEVERAL_RIGHT.search(questions[group[-1]][0].stem.text))
    if several and len(parts) != len(group) and len(set(letters)) == len(letters):
        return  # all of them are right for the last question
    fits = len(parts) == len(group) and not several
    for at, part in zip(group, parts if fits else [""] * len(group), strict=True):
        own = set(part) <= questions[at][0].run.letters
        yield at, Answer(tuple(sorted(set(part))), "", answer.blocks) if part and own else None


_SEVERAL_RIGHT = pattern("«quiz.several»")
"""A question of which more than one option may be right."""
