"""Keys at the end of a quiz: `## 答案` and below it `1. B`, `2-C`, or a table of numbers and letters."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.document import Details, Heading, Items, Prose, Table
from deckgen.extract import wording
from deckgen.extract.options import Run
from deckgen.extract.page import Page
from deckgen.extract.text import plain, title, without_emoji
from deckgen.pattern import pattern

_ENTRY = pattern(
    r"(?:^|(?<=[\s,，;；|、。]))(?:Q|第|题|问题|"
    r"question\s*)?\s*(?P<number>\d{1,3})\s*题?\s*[.、:：\-–—)）\]】=]*\s*(?:答案)?[:：]?\s*"
    r"[（(]?(?P<letters>[A-H](?:\s*[,，、/&和]?\s*[A-H])*)(?![A-Za-z0-9_])[）)]?",
    re.IGNORECASE,
)
_NUMBER = pattern(
    r"\b(?:q|question|quiz|problem|exercise)\s*(\d{1,3})\b|(?:^|\b|第)(?:q|question|问题|题目?)?\s*(\d{1,3})\s*(?:[.、:：)）]|题)",
    re.IGNORECASE,
)


class Answer(NamedTuple):
    """The right letters, why, and the indices of the blocks that say so."""

    letters: tuple[str, ...]
    explanation: str
    blocks: range


def key_below(page: Page, run: Run, found: Sequence[Run], keys: Sequence[range]) -> Answer | None:
    """The entry for the question in the next of the `keys` below it, by its number or its place."""
    key = _next_key(page, run, keys)
    if key is None:
        return None
    entries = dict(_entries(page, key))
    number = number_of(page, run)
    if number is None:
        number = _place(page, run, found, key, keys)
    letters, explanation = entries.get(number, ("", ""))
    known = {option.letter for option in run.options}
    return Answer(tuple(sorted(letters)), explanation, key) if letters and set(letters) <= known else None


def _next_key(page: Page, run: Run, keys: Sequence[range]) -> range | None:
    """The first key below a question; in a chat only in the same turn."""
    after = bisect_left(keys, run.blocks.stop, key=lambda key: key.start)
    if after == len(keys) or page.turns[keys[after].start] != page.turns[run.blocks.start]:
        return None
    return keys[after]


def keys_of(page: Page) -> list[range]:
    """Ranges of blocks under a heading or a lone line that says `Answers`, in order."""
    return list(_keys(page))


def _keys(page: Page) -> Iterator[range]:
    for index, block in enumerate(page.blocks):
        if isinstance(block, Heading) and wording.ANSWER_KEY.match(title(plain(block.text))):
            yield range(index, page.section(index).stop)
        elif isinstance(block, Details) and _is_key_of_several(block):
            yield range(index, index + 1)
        elif isinstance(block, Prose) and _is_key(block.text):
            yield range(index, min(index + 2, len(page.blocks)))


def _is_key_of_several(block: Details) -> bool:
    named = wording.ANSWER_KEY.match(plain(block.summary))
    return bool(named) and len(list(_ENTRY.finditer(block.text.replace("\n", " ")))) >= 2


def _is_key(text: str) -> bool:
    first, _, rest = text.strip().partition("\n")
    head, _, tail = plain(first).partition("：" if "：" in first else ":")
    if not wording.ANSWER_KEY.match(head.strip()):
        return False
    return not (tail.strip() or rest.strip()) or len(list(_ENTRY.finditer(f"{tail} {rest}"))) >= 2


def _entries(page: Page, key: range) -> Iterator[tuple[int, tuple[str, str]]]:
    for index in key:
        block = page.blocks[index]
        if isinstance(block, Table):
            for row in block.rows:
                yield from _in_line(" ".join(without_emoji(cell) for cell in row.cells[:2]))
        elif isinstance(block, Items):
            for item in block.items:
                yield from _in_line(f"{item.number + '. ' if item.number else ''}{plain(item.text)}")
        elif not isinstance(block, Heading):
            for line in page.lines(index):
                yield from _in_line(plain(line.text))


def _in_line(line: str) -> Iterator[tuple[int, tuple[str, str]]]:
    matches = list(_ENTRY.finditer(line))
    for at, match in enumerate(matches):
        stop = matches[at + 1].start() if at + 1 < len(matches) else len(line)
        letters = "".join(dict.fromkeys(c for c in match["letters"].upper() if c.isalpha()))
        yield int(match["number"]), (letters, line[match.end() : stop].strip(" .。,，;；:：—-–)）"))


def number_of(page: Page, run: Run) -> int | None:
    """The number that the question itself bears."""
    first = run.blocks.start
    number = None
    for line in page.lines(first):
        if line.place < run.lines[0].place and (match := _NUMBER.match(without_emoji(line.text))):
            number = int(match[1] or match[2])
    if number is not None:
        return number
    block = page.blocks[first]
    if isinstance(block, Items):
        numbers = [item.number for item in block.items if item.span.start <= run.lines[0].number and item.number]
        return int(numbers[-1]) if numbers and numbers[-1].isdigit() else None
    return number_above(page, first)


def number_above(page: Page, first: int) -> int | None:
    """The number that the heading, paragraph or item above a block bears, if one is near."""
    for index in range(first - 1, max(first - 4, -1), -1):
        block = page.blocks[index]
        if isinstance(block, Heading | Prose):
            match = _NUMBER.search(without_emoji(plain(block.text))[:20])
            if match:
                return int(match[1] or match[2])
        if isinstance(block, Items) and block.items[-1].number.isdigit():
            return int(block.items[-1].number)
        if isinstance(block, Heading):
            return None
    return None


def _place(page: Page, run: Run, found: Sequence[Run], key: range, keys: Sequence[range]) -> int:
    """Its place among the questions between the key before and its own, from 1."""
    before = max((other.stop for other in keys if other.start < key.start), default=0)
    between = [other for other in found if before <= other.blocks.start < key.start]
    return between.index(run) + 1
