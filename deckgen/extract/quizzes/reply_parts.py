"""What a tutor's reply says under each number: of a heading, an item, a line, or several on one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_lines import answers_on
from deckgen.extract.quizzes.ordinals import by_ordinals, parts_by_ordinal
from deckgen.extract.quizzes.pupil_answers import SEVERAL
from deckgen.extract.quizzes.question_numbers import LETTER, Borne, letter_borne, number_borne
from deckgen.model.document import Heading, Item, Items, Prose, Quote


def part_told(page: Page, reply: range, number: int) -> list[tuple[int, str]]:
    """(block, line) of what the reply says under this number, which a heading, an item or a line bears."""
    found: list[tuple[int, str]] = []
    inside = False
    borne_by = letter_borne if number > LETTER else number_borne
    for index, text, bears in _numbered_lines(page, reply, borne_by):
        if bears is not None:
            if found and bears != number:
                break
            inside = bears == number
        if inside:
            found.append((index, text))
    return found


def told_blocks(page: Page, reply: range) -> Iterator[int]:
    """Indices of the blocks of a reply that stand under a number."""
    inside = False
    for index, _, bears in _numbered_lines(page, reply):
        inside = bears > 0 if bears is not None else inside
        if inside:
            yield index


_BorneBy = Callable[[str], Borne | None]


def _numbered_lines(
    page: Page, reply: range, borne_by: _BorneBy = number_borne
) -> Iterator[tuple[int, str, int | None]]:
    """(block, line, number that it bears); a heading without a number ends what stood before: number 0."""
    lines = list(_lines_with_numbers(page, reply, borne_by))
    yield from lines if any(bears for _, _, bears in lines) else by_ordinals(lines)


def _lines_with_numbers(page: Page, reply: range, borne_by: _BorneBy) -> Iterator[tuple[int, str, int | None]]:
    """The same before ordinals are looked for; what goes through several numbers in one block has the last end with it."""
    several, counted = False, False
    for index in reply:
        block = page.blocks[index]
        if isinstance(block, Heading):
            borne = borne_by(block.text)
            yield index, block.text, borne.number if borne else 0
            if counted and not borne:
                return  # what is counted below it is something else
            continue
        lines = list(_lines_of(page, index, borne_by))
        numbers = {number for _, number in lines if number is not None}
        for text, number in lines:
            yield index, text, 0 if several and not numbers else number
        several = len(numbers) > 1 if numbers else several
        counted = counted or bool(numbers)


def _lines_of(page: Page, index: int, borne_by: _BorneBy) -> Iterator[tuple[str, int | None]]:
    """(line or item, number that it bears) of a list or of text."""
    block = page.blocks[index]
    if isinstance(block, Items):
        for item in block.items:
            number = _number_of(item)
            together = _run_together(f"{number}. {item.text}") if number is not None else []
            yield from ((text, at) for at, text in together or [(number, item.text)])
    elif isinstance(block, Prose | Quote):
        for line in page.lines(index):
            borne = borne_by(line.text) if isinstance(block, Prose) else None
            together = _run_together(line.text) if borne else []
            yield from ((text, at) for at, text in together or [(borne.number if borne else None, line.text)])


def _run_together(line: str) -> list[tuple[int | None, str]]:
    """(number, what is said of it) where one line goes through several: `1. Right. 2. No, B.`, `第一题对，第二题选 B`"""
    if "\n" in line:
        return []
    told: list[tuple[int | None, str]] = [*answers_on(line)]
    if len(told) < SEVERAL:
        told = [part for part in parts_by_ordinal(line) if part[0] is not None]
    return told if len(told) >= SEVERAL else []


def _number_of(item: Item) -> int | None:
    """The number of an item, or that of the question which it names: `- **Question 2:** ...`."""
    if item.depth == 0 and item.number.isdigit():
        return int(item.number)
    borne = number_borne(item.text) if item.depth == 0 else None
    return borne.number if borne else None
