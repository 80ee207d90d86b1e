"""One line of letters below several questions: `Answers: A B B`, `答案：AB`.

It is dealt out if every question gets its own; else nobody can say whose letters they are, and no question has a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import Line
from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_keys import Answer, number_above
from deckgen.extract.quizzes.options import Run
from deckgen.extract.quizzes.stems import Stem
from deckgen.extract.text import plain
from deckgen.model.document import Heading, Turn
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

LINE = pattern(
    rf"^\W*(?P<label>{wording.ANSWER_LABEL})(?:\s*key)?\s*(?:是|为|is|are)?\s*[:：]\W*(?P<letters>[A-Ha-h](?:[\s,，、;；/]*[A-Ha-h])+)\W*$",
    re.IGNORECASE,
)
_BETWEEN = pattern(r"[\s,，、;；/]+")
_SEVERAL = pattern(
    r"多选|不定项|哪些|哪几|\b(?:all|both|two|three|several) (?:that|of|options?|answers?|correct)\b|select (?:all|two|three|2|3)"
    r"|choose (?:all|two|three|several|2|3)|\(several\)|\bwhich (?:\w+ ){0,4}are\b",
    re.IGNORECASE,
)
"""A question of which more than one option may be right."""


class Question(NamedTuple):
    """Options with what is asked above them, and the answer that is stated for them; none if none is."""

    run: Run
    stem: Stem
    answer: Answer | None
    span: Span


def dealt_out(page: Page, questions: Sequence[Question]) -> Iterator[tuple[int, Answer | None]]:
    """(number of a question, its answer or none) wherever a line of letters is not the last question's alone."""
    group: list[int] = []
    for at, question in enumerate(questions):
        if at and _parted(page, questions[at - 1], question):
            group = []
        if question.answer is None:
            group = [*group, at]
            continue
        line = _line_of(page, question.answer)
        if group and line:
            yield from _dealt(questions, [*group, at], line)
        group = []


def _dealt(
    questions: Sequence[Question], group: Sequence[int], line: re.Match[str]
) -> Iterator[tuple[int, Answer | None]]:
    last = questions[group[-1]]
    told = [part.upper() for part in _BETWEEN.split(line["letters"]) if part]
    told = list(told[0]) if len(told) == 1 else told
    fits = len(told) == len(group) and all(
        set(letters) <= questions[at].run.letters for at, letters in zip(group, told, strict=True)
    )
    several = _SEVERAL.search(last.stem.text) is not None
    alone = last.answer is not None and len(set(line["letters"])) == len(line["letters"])
    if not fits and alone and (several or line["label"].lower().endswith(("answer", "solution"))):
        return
    for at, letters in zip(group, told if fits and not several else [""] * len(group), strict=True):
        blocks = last.answer.blocks if last.answer else range(0)
        yield at, Answer(tuple(sorted(set(letters))), "", blocks) if letters else None


def _line_of(page: Page, answer: Answer) -> re.Match[str] | None:
    """The line of letters that an answer was read from, unless it is set in under its question."""
    line = answer.line
    match = LINE.match(plain(line.text)) if line else None
    return match if match and line and not answer.explanation and not _is_set_in(page, line) else None


def _is_set_in(page: Page, line: Line) -> bool:
    written = page.document.source.lines
    return not page.document.places and line.number < len(written) and written[line.number][:1] in " \t>"


def _parted(page: Page, above: Question, below: Question) -> bool:
    """Something else than the number of the next question stands between them."""
    for index in range(above.run.blocks.stop, below.run.blocks.start):
        block = page.blocks[index]
        if isinstance(block, Turn):
            return True
        if isinstance(block, Heading) and index not in below.stem.blocks and number_above(page, index + 1) is None:
            return True
    return False
