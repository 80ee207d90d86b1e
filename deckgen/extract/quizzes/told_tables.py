"""The right letters in a tutor's table of answers: a column or a row of right ones, or what it says of the pupil's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract import columns, wording
from deckgen.extract.page import Page
from deckgen.extract.quizzes.letters import letters_in
from deckgen.extract.quizzes.ordinals import parts_by_ordinal
from deckgen.extract.quizzes.replies import judged
from deckgen.extract.text import has_words, plain, without_emoji
from deckgen.model.document import Table
from deckgen.model.note import Option
from deckgen.text.pattern import pattern

_NUMBER = pattern(
    r"^\W*(?:Q|第|问题|题目?|Question|Quiz|Problem|Exercise)?\s*(?P<number>\d{1,2})\s*题?\W*$", re.IGNORECASE
)
_JUST_ANSWER = pattern(r"\W*(?:答案|answers?)\W*", re.IGNORECASE)
"""Whose answer it is, only the rest of the row can tell."""
_WRONG_MARK = pattern("[❌❎✗✘×⭕]")
_RIGHT_MARK = pattern("[✅✔☑√]")
_CORRECTED = pattern(r"[❌❎✗✘×]\ufe0f?[\s*→:：]*(?P<letters>[A-Ha-h](?:[\s,，、/&]*[A-Ha-h])*)[\s*]*")
"""`❌ D` beside the letters that the pupil gave."""


class _Record(NamedTuple):
    """What a table says of one question: its cells by what stands over them."""

    number: int
    cells: Sequence[tuple[str, str]]


def letters_in_table(page: Page, reply: range, number: int, pupil: str, options: Sequence[Option]) -> tuple[str, ...]:
    """The right letters of a question by the tables of a reply; empty if they do not tell."""
    for index in reply:
        block = page.blocks[index]
        for record in _records(block) if isinstance(block, Table) else ():
            if record.number == number and (letters := _right(record, pupil, options)):
                return letters
    return ()


def right_in_table(page: Page, reply: range, number: int) -> bool | None:
    """Whether the tables of a reply mark the pupil's answer to a question as right; None if they do not say."""
    for index in reply:
        block = page.blocks[index]
        for record in _records(block) if isinstance(block, Table) else ():
            said = " ".join(cell for head, cell in record.cells if not columns.PUPIL.search(head))
            wrong, right = _WRONG_MARK.search(said), _RIGHT_MARK.search(said)
            if record.number == number and bool(wrong) != bool(right):
                return right is not None
    return None


def _records(table: Table) -> Iterator[_Record]:
    """One for each row that bears a number, or for each column below one."""
    header = [plain(cell).strip() for cell in table.header]
    rows = [[cell.strip() for cell in row.cells] for row in table.rows]
    across = [_number_in(cell) for cell in header[1:]]
    if len(across) > 1 and all(across):
        for at, number in enumerate(across, 1):
            yield _Record(number, [(plain(row[0]).strip(), row[at]) for row in rows])
        return
    for row in rows:
        if number := _number_in(row[0]):
            yield _Record(number, list(zip(header, row, strict=True))[1:])


def _number_in(cell: str) -> int:
    """The number of the question that a cell names; 0 if it names none."""
    match = _NUMBER.match(without_emoji(plain(cell)))
    parts = [] if match else parts_by_ordinal(f"{plain(cell)}:")
    return int(match["number"]) if match else parts[0][0] or 0 if len(parts) == 1 else 0


def _right(record: _Record, pupil: str, options: Sequence[Option]) -> tuple[str, ...]:
    told = next(((head, cell) for head, cell in record.cells if columns.RIGHT.search(head)), ("", ""))
    wrote = next((cell for head, cell in record.cells if columns.PUPIL.search(head)), "")
    named = letters_in(told[1], options) if has_words(told[1]) else ""
    others = (cell for head, cell in record.cells if cell != wrote and not (named and (head, cell) == told))
    said = " ".join(others).strip()
    placed = next((letters for _, cell in record.cells if (letters := _in_place(cell, options))), "")
    given = pupil or letters_in(wrote, options)
    if not named and given and placed and set(placed) != set(given):
        return tuple(sorted(placed))
    if not named:
        return judged(said, options, given) if said else ()
    if _JUST_ANSWER.fullmatch(told[0]) and (_WRONG_MARK.search(said) or wording.WRONG.search(said)):
        corrected = judged(said, options, named)
        return corrected if set(corrected) != set(named) else ()
    return tuple(sorted(named))


def _in_place(cell: str, options: Sequence[Option]) -> str:
    """The letters that a cell gives in place of wrong ones."""
    match = _CORRECTED.fullmatch(cell.strip())
    return letters_in(match["letters"], options) if match else ""
