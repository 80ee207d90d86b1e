"""The answers at the end of a test: what stands under each number, part by part.

`一、1-5 BCADC`, `6. ABD 7. ABC`, `8. ×（默认是 float32）`, tables of numbers and answers along or across, items, and
paragraphs that begin with a number; numbers may begin anew in each part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import is_rule, markdown_of, text_of
from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_lines import signs_on
from deckgen.extract.quizzes.answer_tables import answers_in_table
from deckgen.extract.quizzes.exam_parts import Part, answers_of_part
from deckgen.extract.quizzes.question_numbers import EACH
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Quote, Table
from deckgen.text.pattern import pattern

_LABEL = pattern(rf"^\W{{0,4}}(?:{wording.ANSWER_LABEL})(?:\s*key)?\s*\**\s*[:：]\**\s*(?=\S)", re.IGNORECASE)
"""Before the answers on the first line of a key."""


class Entry(NamedTuple):
    """What a key says under one number."""

    part: Part
    number: int
    text: str
    block: int


class Sheet(NamedTuple):
    """The entries of one key."""

    blocks: range
    entries: dict[int, list[Entry]]
    """By number; several, if each part counts from 1."""

    def find(self, part: Part, number: int) -> Entry | None:
        """The one entry for a question of this part."""
        under = self.entries.get(number, [])
        if len(under) == 1 and number > EACH:
            return under[0]  # `D1` names its part itself
        fitting = [entry for entry in under if entry.part.fits(part)]
        named = [entry for entry in fitting if entry.part.is_named_by(part)]
        return fitting[0] if len(fitting) == 1 else named[0] if len(named) == 1 else None


def sheet_of(page: Page, key: range) -> Sheet:
    """What stands under the numbers of a key."""
    entries: dict[int, list[Entry]] = {}
    for entry in _entries(page, key):
        entries.setdefault(entry.number, []).append(entry)
    return Sheet(key, entries)


def sheet_in_order(page: Page, key: range, numbers: Sequence[int]) -> Sheet:
    """The verdicts of a key without numbers, under the numbers of the statements above; none if they are not as many."""
    index = key[-1]
    signs = signs_on(_LABEL.sub("", text_of(page.blocks[index])))
    if len(signs) != len(numbers):
        return Sheet(key, {})
    told = zip(numbers, signs, strict=True)
    return Sheet(key, {number: [Entry(Part(), number, sign, index)] for number, sign in told})


def _entries(page: Page, key: range) -> Iterator[Entry]:
    part, last, above = Part(), None, -1
    for index in key:
        block = page.blocks[index]
        if isinstance(block, Heading) and index == key.start:
            continue
        if is_rule(block):
            above = -1
            continue
        goes_on = last is not None and above == index - 1
        found, part, rest = _entries_in(page, index, block, part)
        if last is not None and goes_on and rest:
            last = last._replace(text=f"{last.text}\n\n{rest}")
        if found:
            yield from [last] if last is not None else []
            yield from found[:-1]
            last = found[-1]
        above = index if found or (goes_on and rest) else -1
    yield from [last] if last is not None else []


def _entries_in(page: Page, index: int, block: Block, part: Part) -> tuple[list[Entry], Part, str]:
    """(the entries of a block, the part it ends in, what stands before its first entry)."""
    if isinstance(block, Table):
        return [Entry(part, number, text, index) for number, text in answers_in_table(block)], part, ""
    if isinstance(block, Code):
        return [], part, markdown_of(block)
    found: list[Entry] = []
    before: list[str] = []
    for said in _lines(page, index, block):
        line = _LABEL.sub("", said)
        named, answers = answers_of_part(line)
        part = part if named is None else named
        if answers:
            found += [Entry(part, number, text, index) for number, text in answers]
        elif found and line.strip() and not (named is not None and named.ordinal):
            found[-1] = found[-1]._replace(text=f"{found[-1].text}\n{line.strip()}")
        elif named is None:
            before.append(line)
    return found, part, "" if isinstance(block, Heading | Items) else "\n".join(before).strip()


def _lines(page: Page, index: int, block: Block) -> Iterator[str]:
    if isinstance(block, Items):
        for item in block.items:
            number = f"{item.number}. " if item.number and item.depth == 0 else "- " if item.depth else ""
            first, *rest = item.text.split("\n")
            yield f"{number}{first}"
            yield from rest
    elif isinstance(block, Details):
        yield from block.text.split("\n")
    elif isinstance(block, Prose | Quote | Heading):
        yield from (line.text for line in page.lines(index))
