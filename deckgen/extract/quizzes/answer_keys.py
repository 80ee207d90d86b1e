"""Keys at the end of a quiz: `## 答案` and below it `1. B`, `2-C`, or a table of numbers and letters."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import Line, text_of
from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_lines import answers_on, signs_on
from deckgen.extract.quizzes.answer_sheets import Sheet, sheet_in_order, sheet_of
from deckgen.extract.quizzes.exam_parts import Part, answers_of_part, part_named, parts_of
from deckgen.extract.quizzes.exam_questions import asked_in
from deckgen.extract.quizzes.gaps import gap_in
from deckgen.extract.quizzes.inline_options import LETTERS
from deckgen.extract.quizzes.option_dress import is_option
from deckgen.extract.quizzes.options import Run
from deckgen.extract.quizzes.put_up import asks_to_judge
from deckgen.extract.quizzes.question_numbers import number_borne
from deckgen.extract.text import plain, title, without_emoji, without_number
from deckgen.model.document import Details, Heading, Items, Prose, Table
from deckgen.text.pattern import pattern

_KINDS = (Heading, Details, Prose)
"""Blocks that may say that a key follows."""
_NUMBER = pattern(
    r"\b(?:q|question|quiz|problem|exercise)\s*(\d{1,3})\b|(?:^|\b|第)(?:q|question|问题|题目?)?\s*(\d{1,3})\s*(?:[.、:：)）】\]](?!\d)|题)",
    re.IGNORECASE,
)
"""A number behind other words: `单选 3.`, `Practice question 2`."""
_MAY_NAME = pattern(r"^\W{0,4}(?:Key|KEY)\b|答案|解答|answer|Answer|ANSWER|solution|Solution|SOLUTION")
_LONGEST_NAME = 60
"""Characters of a heading or the beginning of a line over a key."""
_LETTERS = pattern(
    r"^\W{0,4}(?:(?:应?选|答案?)\s*[:：]?\s*)?(?P<letters>[A-H](?:\s*[,，、/&和]?\s*(?:and\s+)?[A-H])*|(?=[a-h]{2,4}\W*$)a?b?c?d?e?f?g?h?|[a-h](?:\s*[,，、/&]\s*[a-h])*"
    r"(?=\W*$|\W{0,3}[.)）。，,:：;；—–(（\n-]))(?![A-Za-z0-9_'’])(?P<rest>.*)$",
    re.DOTALL,
)
"""The letters that an entry of a key begins with; small ones only with nothing but a mark behind them, together only in order."""


_NAMES_ITS_QUESTION = pattern(
    r"\W*(?:第|Q|question|quiz|problem|exercise|问题|题目?)\s*\d{1,3}\s*题?\s*(?:'s|的)?\s*(?:答案|answers?|ans)\s*[:：]\s*\S",
    re.IGNORECASE,
)
"""`Q6 answer: C`, which may stand far below."""
_CROSSED = pattern(r"[^A-Za-z\n]{0,6}[A-Ha-h](?:[\s,，、]*[A-Ha-h])*[\s*（(]*[❌❎✗✘×]")
"""Letters that somebody gave and that were wrong."""


class Answer(NamedTuple):
    """The right letters, why, and the indices of the blocks that say so."""

    letters: tuple[str, ...]
    explanation: str
    blocks: range
    line: Line | None = None
    """The line that states them below the options."""


class Keys(NamedTuple):
    """The keys of a page, and where the parts of its tests begin."""

    sheets: list[Sheet]
    parts: list[tuple[int, Part]]

    def part_at(self, index: int) -> Part:
        """The part that a block stands in."""
        at = bisect_right(self.parts, index, key=lambda part: part[0])
        return self.parts[at - 1][1] if at else Part()


def key_below(page: Page, run: Run, found: Sequence[Run], keys: Keys) -> Answer | None:
    """The entry for the question in the next of the `keys` below it, by its number or its place."""
    sheet = next_key(page, run.blocks.stop, keys)
    if sheet is None:
        return None
    number = number_of(page, run)
    if number is None:
        number = _place(run, found, sheet, keys.sheets)
    entry = sheet.find(keys.part_at(run.blocks.start), number)
    match = _LETTERS.match(plain(entry.text.partition("\n")[0])) if entry else None
    if entry is None or match is None or _CROSSED.match(entry.text):
        return None
    letters = sorted({letter for letter in match["letters"].upper() if letter in LETTERS})
    told = [_unwrapped(match["rest"]), *entry.text.split("\n")[1:]]
    known = {option.letter for option in run.options}
    explanation = "\n".join(line for line in told if line.strip())
    return Answer(tuple(letters), explanation, sheet.blocks) if set(letters) <= known else None


def _unwrapped(rest: str) -> str:
    """What stands behind the letters, without the marks between and without brackets around it."""
    text = rest.lstrip(")）】]").strip(" .。,，;；:：—–-")
    return text[1:-1].strip() if text[:1] in ("(", "（") and text[-1:] in (")", "）") else text


def next_key(page: Page, index: int, keys: Keys) -> Sheet | None:
    """The first key from a block on; in a chat only in the same turn."""
    after = bisect_left(keys.sheets, index, key=lambda sheet: sheet.blocks.start)
    if after == len(keys.sheets):
        return None
    sheet = keys.sheets[after]
    return sheet if page.turns[sheet.blocks.start] == page.turns[index - 1] else None


def keys_of(page: Page) -> Keys:
    """What stands under headings and lone lines that say `Answers`, in order."""
    sheets: list[Sheet] = []
    floor = 0
    for key in key_places(page):
        sheet = sheet_of(page, key)
        sheets.append(
            sheet if sheet.entries else sheet_in_order(page, key, _last_counted(page, range(floor, key.start)))
        )
        floor = key.stop
    sheets = [sheet for sheet in sheets if sheet.entries]
    ends = [(sheet.blocks.stop, Part()) for sheet in sheets]
    parts = [*parts_of(page, range(sheets[-1].blocks.stop)), *ends] if sheets else []
    return Keys(sheets, sorted(parts, key=lambda part: part[0]))


def _last_counted(page: Page, blocks: range) -> list[int]:
    """The numbers of the questions that are counted without a gap up to the last of some blocks; none if that bears none."""
    counted: list[int] = []
    last = -1
    for asked in (asked for index in blocks for asked in asked_in(page, index)):
        if counted and asked.number != counted[-1] + 1:
            counted.clear()
        counted.append(asked.number)
        last = asked.place[0]
    return counted if last == blocks.stop - 1 else []


def key_places(page: Page) -> Iterator[range]:
    """The blocks of each heading and line that says `Answers`, with the answers below it."""
    stop = 0
    for index, block in enumerate(page.blocks):
        if index < stop or not isinstance(block, _KINDS) or not _MAY_NAME.search(_first(block)):
            continue
        if isinstance(block, Heading) and wording.ANSWER_KEY.match(_OF_A_TEST.sub("", title(plain(block.text)))):
            stop = page.section(index).stop
        elif isinstance(block, Details) and _is_key_of_several(block):
            stop = index + 1
        elif isinstance(block, Prose) and _is_key(block.text):
            stop = _end(page, index)
        else:
            continue
        yield range(index, stop)


_OF_A_TEST = pattern(r"^[^:：]{1,40}(?:[:：]|\s[—–-])\s*(?=\S)")
"""`Quick check:` before `solutions`."""


def _first(block: Heading | Details | Prose) -> str:
    return block.summary if isinstance(block, Details) else block.text[:_LONGEST_NAME]


def _end(page: Page, index: int) -> int:
    """Where the answers under a lone line end: at the first paragraph or list that gives none."""
    stop = index + 1
    while stop < len(page.blocks) and isinstance(page.blocks[stop], Prose | Items | Table):
        if part_named(text_of(page.blocks[stop]).strip()) is None and not sheet_of(page, range(stop, stop + 1)).entries:
            break
        if any(asks_to_judge(line.text) or gap_in(line.text) for line in page.lines(stop)):
            break
        stop += 1
    return stop


def _is_key_of_several(block: Details) -> bool:
    named = wording.ANSWER_KEY.match(plain(block.summary))
    return bool(named) and sum(len(list(answers_on(line))) for line in block.text.split("\n")) >= 2


def _is_key(text: str) -> bool:
    first, _, rest = text.strip().partition("\n")
    if _NAMES_ITS_QUESTION.match(plain(first)):
        return True
    head, _, tail = plain(first).partition("：" if "：" in first else ":")
    if not wording.ANSWER_KEY.match(without_number(without_emoji(head)).strip(" 【】[]")):
        return False
    given = sum(len(answers_of_part(line)[1]) for line in (tail, *rest.split("\n")))
    return not (tail.strip() or rest.strip()) or given >= 2 or (not rest.strip() and bool(signs_on(tail)))


def number_of(page: Page, run: Run) -> int | None:
    """The number that the question itself bears."""
    first = run.blocks.start
    if run.before and (own := number_borne(run.before)):
        return own.number
    lines = page.lines(first)
    for at in range(run.lines[0].at - 1, -1, -1):
        if is_option(lines[at].text):
            break
        if borne := number_borne(lines[at].text):
            return borne.number
    block = page.blocks[first]
    if isinstance(block, Items):
        above = range(bisect_right(block.items, run.lines[0].number, key=lambda item: item.span.start) - 1, -1, -1)
        number = next((block.items[at].number for at in above if block.items[at].number), "")
        if number:
            return int(number) if number.isdigit() else None
    return number_above(page, first)


def number_above(page: Page, first: int) -> int | None:
    """The number that the heading, paragraph or item above a block bears, if one is near."""
    for index in range(first - 1, max(first - 4, -1), -1):
        block = page.blocks[index]
        if any(is_option(line.text) for line in page.lines(index)):
            return None
        if isinstance(block, Heading | Prose):
            borne = number_borne(block.text)
            match = None if borne else _NUMBER.search(without_emoji(plain(block.text))[:20])
            if borne or match:
                return borne.number if borne else int(match[1] or match[2])  # type: ignore[index] # one of the two
        if isinstance(block, Items) and block.items[-1].number.isdigit():
            return int(block.items[-1].number)
        if isinstance(block, Heading):
            return None
    return None


def _place(run: Run, found: Sequence[Run], sheet: Sheet, sheets: Sequence[Sheet]) -> int:
    """Its place among the questions between the key before and its own, from 1."""
    before = max((other.blocks.stop for other in sheets if other.blocks.start < sheet.blocks.start), default=0)
    between = [other for other in found if before <= other.blocks.start < sheet.blocks.start]
    return between.index(run) + 1
