"""Tables of questions with their answers, and of statements with what is true and what is false."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deckgen.extract import columns
from deckgen.extract.asked.asking import asked_note
from deckgen.extract.page import Finds, Page
from deckgen.extract.quizzes.exams import ONLY_LETTERS
from deckgen.extract.quizzes.verdicts import judged_note, verdict_of
from deckgen.extract.text import has_words, plain, width
from deckgen.model.document import Row, Table
from deckgen.model.note import Note
from deckgen.text.pattern import pattern

_QUESTION = pattern(r"\W*(?:questions?|q|prompt|front|ask|问题?|题目|提问|正面|面试题)\W*", re.IGNORECASE)
_ANSWER = pattern(r"\W*(?:answers?|a|back|response|solution|答案?|回答|解答|背面|参考答案)\W*", re.IGNORECASE)
_STATEMENT = pattern(
    r"\W*(?:statements?|claims?|sentence|assertion|陈述|说法|命题|判断题?|题目|描述)\W*", re.IGNORECASE
)
_VERDICT = pattern(
    r"\W*(?:t\s*/\s*f|true\s*(?:/|or)\s*false|true|verdict|right or wrong|对\s*/?\s*错|对还是错|判断|正误|是否正确|答案)\W*",
    re.IGNORECASE,
)
_SHORTEST = 6
"""Columns of what is asked: less is the number of a question that stands elsewhere."""


def question_tables(page: Page) -> Finds:
    """A Basic note of every row that asks, or that is put up for judgement."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        made = list(_rows(page, index, block)) if isinstance(block, Table) and page.free(index) else []
        notes += made
        used.update([index] if made else [])
    return Finds(tuple(notes), (), frozenset(used))


def _rows(page: Page, index: int, table: Table) -> Iterator[Note]:
    if any(columns.PUPIL.search(plain(head)) for head in table.header):
        return
    judged = _columns(table, _STATEMENT, _VERDICT)
    if judged and all(verdict_of(row.cells[judged[1]]) for row in table.rows):
        yield from _judged(page, index, table.rows, *judged)
        return
    asked = _columns(table, _QUESTION, _ANSWER)
    if asked and all(_asks(row, *asked) for row in table.rows):
        rest = [at for at in range(len(table.header)) if at > asked[1] and has_words(table.header[at])]
        for row in table.rows:
            told = [row.cells[asked[1]], *(row.cells[at] for at in rest if has_words(row.cells[at]))]
            yield asked_note(page, index, row.cells[asked[0]], "\n\n".join(told), row.span)


def _columns(table: Table, first: re.Pattern[str], second: re.Pattern[str]) -> tuple[int, int] | None:
    """The places of two columns by their headers, the first before the second."""
    heads = [plain(head) for head in table.header]
    left = next((at for at, head in enumerate(heads) if first.fullmatch(head)), None)
    right = next((at for at, head in enumerate(heads) if second.fullmatch(head) and at != left), None)
    return (left, right) if table.rows and left is not None and right is not None and left < right else None


def _asks(row: Row, asked: int, told: int) -> bool:
    words = width(plain(row.cells[asked])) >= _SHORTEST
    return words and has_words(row.cells[told]) and not ONLY_LETTERS.fullmatch(plain(row.cells[told]))


def _judged(page: Page, index: int, rows: Sequence[Row], statement: int, verdict: int) -> Iterator[Note]:
    for row in rows:
        told = verdict_of(row.cells[verdict])
        if told and width(plain(row.cells[statement])) >= _SHORTEST:
            why = "\n\n".join([*([told[1]] if told[1] else []), *(c for c in row.cells[verdict + 1 :] if has_words(c))])
            yield judged_note(page, index, row.span, row.cells[statement], (told[0], why))
