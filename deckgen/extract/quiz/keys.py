"""Keys at the end of a quiz: `## Answers` and below it `1. B`, `2-C`, `1-5 BCADC`, or a table of numbers and answers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract import columns, wording
from deckgen.extract.blocks import is_rule, markdown_of
from deckgen.extract.page import Page
from deckgen.extract.quiz.notations import ANSWER, LETTERS, gap_in
from deckgen.extract.quiz.numbers import answers_on, number_borne, numbered_lines
from deckgen.extract.text import plain, title, without_emoji, without_number
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Table
from deckgen.text.pattern import pattern

_MAY_NAME = pattern(r"^\W{0,4}key\b|答|answer|solution", re.IGNORECASE)
_LONGEST_NAME = 60
"""Characters of a heading or the beginning of a line over a key."""
_OF_A_TEST = pattern(r"^[^:：]{1,40}(?:[:：]|\s[—–-])\s*(?=\S)")
"""`Quick check:` before `solutions`."""
_LABEL = pattern(rf"^\W{{0,4}}{ANSWER}(?:\s*key)?\W*[:：]\W*", re.IGNORECASE)
_PART = pattern(r"^\W*[^\W\d]\w*(?:\s+\w{1,3})?\W*[:：、]\W*(?=\d{1,3}\s*(?:[-~～—–.．、:：)）]|[A-H]))")
"""The name of a part of a test before its answers: `一、`, `Week 1: `."""
_LETTERS = pattern(
    r"^\W{0,4}(?:选\s*)?(?P<letters>[A-H](?:\s*[,，、/&和]?\s*(?:and\s+)?[A-H])*|[a-h](?:\s*[,，、/&]\s*[a-h])*"
    r"(?=\W*$|\W{0,3}[.)）。，,:：;；—–(（\n-]))(?![A-Za-z0-9_'’])(?P<rest>.*)$",
    re.DOTALL,
)
"""The letters that an entry begins with; small ones only with nothing but a mark behind them."""
_CROSSED = pattern(r"[^A-Za-z\n]{0,6}[A-Ha-h](?:[\s,，、]*[A-Ha-h])*[\s*（(]*[❌❎✗✘×]")
"""Letters that somebody gave and that were wrong."""


class Entry(NamedTuple):
    """What a key says under one number."""

    number: int
    text: str
    block: int


class Key(NamedTuple):
    """The entries of one key, in order."""

    blocks: range
    entries: list[Entry]

    def under(self, number: int, place: int, count: int, letters: frozenset[str] = frozenset()) -> Entry | None:
        """The entry for one of `count` questions of this number, which is the one at `place` among them.

        Parts of a test may each count from 1: then there are as many entries with letters of options, or without letters,
        as questions. If there are not, nobody knows which is whose.
        """
        found = [one for one in self.entries if one.number == number and _fits(one.text, letters)]
        return found[place] if len(found) == count else None


def _fits(text: str, letters: frozenset[str]) -> bool:
    told = letters_of(text)
    return set(told[0]) <= letters if told and letters else not (letters or told)


def letters_of(text: str) -> tuple[str, str] | None:
    """(the letters that an entry gives, what it explains); None if it gives none, or crosses them out."""
    first, _, below = text.partition("\n")
    match = _LETTERS.match(_LABEL.sub("", plain(first)))
    if match is None or _CROSSED.match(text):
        return None
    rest = match["rest"].lstrip(")）】]").strip(" .。,，;；:：—–-")
    rest = rest[1:-1].strip() if rest[:1] in ("(", "（") and rest[-1:] in (")", "）") else rest
    letters = "".join(letter for letter in match["letters"].upper() if letter in LETTERS)
    return letters, "\n".join(line for line in (rest, *below.split("\n")) if line.strip())


def keys_of(page: Page) -> list[Key]:
    """What stands under headings and lone lines that say `Answers`, in order."""
    found = (Key(blocks, list(_entries(page, blocks))) for blocks in key_places(page))
    return [key for key in found if key.entries]


def key_below(page: Page, index: int, keys: Sequence[Key]) -> Key | None:
    """The first key from a block on; in a chat only in the same turn."""
    at = bisect_left(keys, index, key=lambda key: key.blocks.start)
    key = keys[at] if at < len(keys) else None
    return key if key and page.turns[key.blocks.start] == page.turns[index - 1] else None


def key_places(page: Page) -> Iterator[range]:
    """The blocks of each heading and line that says `Answers`, with the answers below it."""
    stop = 0
    for index, block in enumerate(page.blocks):
        if index < stop or not isinstance(block, Heading | Details | Prose):
            continue
        first = block.summary if isinstance(block, Details) else block.text[:_LONGEST_NAME]
        if not _MAY_NAME.search(first):
            continue
        if isinstance(block, Heading) and wording.ANSWER_KEY.match(_OF_A_TEST.sub("", title(plain(block.text)))):
            stop = page.section(index).stop
        elif isinstance(block, Details) and wording.ANSWER_KEY.match(plain(first)) and _counts(block.text) > 1:
            stop = index + 1
        elif isinstance(block, Prose) and _is_key(block.text):
            stop = _end(page, index)
        else:
            continue
        yield range(index, stop)


def _counts(text: str) -> int:
    return sum(len(answers_on(line)) for line in text.split("\n"))


def _is_key(text: str) -> bool:
    """A line that says `Answers:` alone, or above answers with their numbers."""
    first, _, rest = text.strip().partition("\n")
    head, _, tail = plain(first).partition("：" if "：" in first else ":")
    named = wording.ANSWER_KEY.match(without_number(without_emoji(head)).strip(" 【】[]"))
    return bool(named) and (not (tail.strip() or rest.strip()) or _counts(f"{tail}\n{rest}") > 1)


def _end(page: Page, index: int) -> int:
    """Where the answers under a lone line end: at the first paragraph or list that gives none, or asks."""
    stop = index + 1
    while stop < len(page.blocks) and isinstance(page.blocks[stop], Prose | Items | Table):
        if not any(_entries(page, range(stop, stop + 1))) or any(gap_in(line.text) for line in page.lines(stop)):
            break
        stop += 1
    return stop


def _entries(page: Page, blocks: range) -> Iterator[Entry]:
    last: Entry | None = None
    for index in blocks:
        block = page.blocks[index]
        for number, text in _numbered(page, index, block):
            if number is not None:
                yield from [last] if last else []
                last = Entry(number, text, index)
            elif last and text.strip() and not is_rule(block):
                last = last._replace(text=f"{last.text}\n{text.strip()}".strip())
    yield from [last] if last else []


def _numbered(page: Page, index: int, block: Block) -> Iterator[tuple[int | None, str]]:
    if isinstance(block, Table):
        yield from _in_table(block)
    elif isinstance(block, Code):
        yield None, markdown_of(block)
    else:
        for number, text in numbered_lines(block, page.lines(index)):
            line = _PART.sub("", _LABEL.sub("", text))
            yield from answers_on(line) if number is None else ()
            if number is not None or not answers_on(line):
                yield number, text


def _in_table(table: Table) -> Iterator[tuple[int, str]]:
    """Numbers and answers in columns."""
    header = [plain(cell).strip() for cell in table.header]
    right = next((at for at, head in enumerate(header) if columns.RIGHT.search(head)), 0)
    right = right or next((at for at, head in enumerate(header) if at and not columns.PUPIL.search(head)), 0)
    for row in table.rows if right else ():
        borne = number_borne(f"{plain(row.cells[0])}.")
        if borne and row.cells[right].strip():
            yield borne.number, row.cells[right].strip()
