"""The numbers that questions and answers bear: `2.`, `**Q2:**`, `第 2 题`; `1-5 BCADC`, `6. ABD 7. ABC`; and keys by these numbers.

Keys stand at the end of a quiz: `## Answers` and below it `1. B`, `2-C`, `1-5 BCADC`, or a table of numbers and answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from deckgen.extract.blocks import Line, is_rule, markdown_of
from deckgen.extract.labels import ANSWER, Kind, labels
from deckgen.extract.page import Page
from deckgen.extract.quiz.notations import LETTERS, explanation_at_end, gap_in, is_option
from deckgen.extract.text import CIRCLED, plain, without_emoji, without_number
from deckgen.model.document import Block, Code, Details, Heading, Items, Prose, Quote, Table
from deckgen.text.pattern import pattern

_INSIDE = pattern(
    r"«quiz.question»\s*(\d{1,3})(?!\d)|«grammar.ordinal»\s*(\d{1,3})\s*«grammar.question»|(?:^|\s)(\d{1,3})\s*[.、:：)）】\]](?!\d)",
    re.IGNORECASE,
)
"""A number behind other words: `单选 3.`, `Practice question 2`."""

_LETTERS = r"[A-Ha-h](?:\s*(?:[,，、/&]|«grammar.plus»)?\s*[A-H])*(?![A-Za-z0-9_'’])"
_RANGE = pattern(
    r"(?:^|(?<=[\s,，;；。]))(?P<first>\d{1,3})\s*(?:[-~～—–]|«grammar.to»)+\s*(?P<last>\d{1,3})\s*«grammar.question»?\s*[.、:：)）]?\s*"
    r"(?P<letters>(?:[A-Ha-h][\s,，、/]*)+)(?![A-Za-z0-9_])"
)
_ENTRY = pattern(
    rf"(?:^|(?<=[\s,，;；|、。.)）\]】]))[（(\[【]?(?:(?:«quiz.question»|«grammar.ordinal»)\s*)?(?P<number>\d{{1,3}})\s*«grammar.question»?\s*"
    rf"(?:(?P<mark>[.、:：)）\]】=]+(?!\d))\s*(?:{ANSWER}\s*[:：]\s*)?|(?:[-–—=]>?|→)\s*(?=[（(*]*{_LETTERS})|(?=[（(*]*{_LETTERS}))",
    re.IGNORECASE,
)
_SAID = pattern(r"(?:^|(?<=[\s,，;；]))[（(]?(?:«quiz.question»\s*)?(?P<number>\d{1,2})\s*[:：.、)）]?\s*(?=\S)")


_LABEL = pattern(rf"^\W{{0,4}}{ANSWER}(?:\s*«heading.key_alone»)?\W*[:：]\W*", re.IGNORECASE)
_PART = pattern(r"^\W*[^\W\d]\w*(?:\s+\w{1,3})?\W*[:：、]\W*(?=\d{1,3}\s*(?:[-~～—–.．、:：)）]|[A-H]))")
"""The name of a part of a test before its answers: `一、`, `Week 1: `."""
_ENTRY_LETTERS = pattern(
    r"^\W{0,4}(?:«quiz.it_is»\s*)?(?P<letters>[A-H](?:\s*(?:[,，、/&]|«grammar.plus»)?\s*(?:and\s+)?[A-H])*|[a-h](?:\s*[,，、/&]\s*[a-h])*"
    r"(?=\W*$|\W{0,3}[.)）。，,:：;；—–(（\n-]))(?![A-Za-z0-9_'’])(?P<rest>.*)$",
    re.DOTALL,
)
"""The letters that an entry begins with; small ones only with nothing but a mark behind them."""
_CROSSED = pattern(r"[^A-Za-z\n]{0,6}[A-Ha-h](?:[\s,，、]*[A-Ha-h])*[\s*（(]*[❌❎✗✘×]")
"""Letters that somebody gave and that were wrong."""


def number_above(page: Page, first: int) -> int | None:
    """The number that the heading, paragraph or item above a block bears, if one is near."""
    for index in range(first - 1, max(first - 4, -1), -1):
        block = page.blocks[index]
        if any(is_option(line.text) for line in page.lines(index)):
            return None
        if isinstance(block, Items) and block.items[-1].number:
            return block.items[-1].ordinal
        if isinstance(block, Heading | Prose):
            inside = _INSIDE.search(without_emoji(plain(block.text))[:20])
            if (borne := labels(block.text).number) or inside:
                return borne.number if borne else int(next(filter(None, inside.groups())))  # type: ignore[union-attr]
        if isinstance(block, Heading):
            return None
    return None


def answers_on(line: str) -> list[tuple[int, str]]:
    """(number, answer) of all that a line gives, in order: it begins with a number, and others count on."""
    text = _with_numbers(line).lstrip("*# ")
    found: list[tuple[int, str]] = []
    for match in _RANGE.finditer(text):
        letters = [letter for letter in match["letters"] if letter.isalpha()]
        numbers = range(int(match["first"]), int(match["last"]) + 1)
        found += zip(numbers, letters, strict=True) if len(numbers) == len(letters) else []
    if found:
        return found
    marks: list[re.Match[str]] = []
    for mark in _ENTRY.finditer(text):
        leads = not marks and not text[: mark.start()].strip(" *（([-")
        bracket = text.count("(", 0, mark.start()) > text.count(")", 0, mark.start())
        counts_on = marks and int(mark["number"]) == int(marks[-1]["number"]) + 1 and not bracket
        marks += [mark] if leads or counts_on else []
    return [(number, answer.replace("**", "").strip(" \t,，;；|·")) for number, answer in _between(text, marks)]


def _with_numbers(text: str) -> str:
    """The text with `①` and `1️⃣` as ` 1. `."""
    text = re.sub(r"(\d)\ufe0f?\u20e3", r"\1. ", text)
    return re.sub("[①-⑳]", lambda sign: f" {CIRCLED[sign[0]]}. ", text).strip()


def _between(text: str, marks: Sequence[re.Match[str]]) -> Iterator[tuple[int, str]]:
    """(number, what stands behind it up to the next) of marks in a text."""
    for mark, following in zip_longest(marks, marks[1:]):
        yield int(mark["number"]), text[mark.end() : following.start() if following else len(text)]


def answers_by(text: str, numbers: Sequence[int]) -> dict[int, str]:
    """What somebody answers to questions with these numbers: `1b 2a 3 true`, `b a`, `BA`, or a line each."""
    text = _with_numbers(text.strip())
    marks: list[re.Match[str]] = []
    for mark in _SAID.finditer(text):
        marks += [mark] if not marks or int(mark["number"]) == int(marks[-1]["number"]) + 1 else []
    if marks and not text[: marks[0].start()].strip() and (len(marks) > 1 or len(numbers) == 1):
        return {number: answer.strip(" ,，;；\n") for number, answer in _between(text, marks)}
    for split in (r"\n+", r"[,，;；、]\s*", r"\s+", r"(?<=[A-Ha-h])(?=[A-Ha-h])"):
        parts = [part.strip() for part in re.split(split, text) if part.strip()]
        if len(parts) == len(numbers):
            return dict(zip(numbers, parts, strict=True))
    return {}


def numbered_lines(block: Block, lines: Sequence[Line]) -> Iterator[tuple[int | None, str]]:
    """(the number that it bears, line) of a block; of a list each item at its top is one."""
    if isinstance(block, Items):
        for item in block.items:
            top = item.depth == 0
            borne = labels(item.text).number if top and not item.number else None
            number = item.ordinal if top and item.number else borne.number if borne else None
            on_line = answers_on(f"{number}. {item.text}") if number and "\n" not in item.text else []
            yield from on_line if len(on_line) > 1 else [(number, borne.rest if borne else item.text)]
        return
    for text in block.text.split("\n") if isinstance(block, Details) else [line.text for line in lines]:
        several: list[tuple[int | None, str]] = [*answers_on(text)]
        borne = None if isinstance(block, Quote) else labels(text).number
        yield from several if borne and len(several) > 1 else [(borne.number, borne.rest) if borne else (None, text)]


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
    match = _ENTRY_LETTERS.match(_LABEL.sub("", plain(first)))
    if match is None or _CROSSED.match(text):
        return None
    rest = explanation_at_end(first, match["rest"])
    letters = "".join(letter for letter in match["letters"].upper() if letter in LETTERS)
    return letters, "\n".join(line for line in (rest, *below.split("\n")) if line.strip())


def keys_of(page: Page) -> list[Key]:
    """What stands under headings and lone lines that say `Answers`, and in folds of that name, in order."""
    found: list[Key] = []
    stop = 0
    for index, block in enumerate(page.blocks):
        if index < stop:
            continue
        if isinstance(block, Heading) and Kind.ANSWER_KEY in labels(block.text).title:
            stop = page.section(index).stop
        elif isinstance(block, Details) and Kind.ANSWER_KEY in labels(block.summary).words and _counts(block.text) > 1:
            stop = index + 1
        elif isinstance(block, Prose) and _is_key(block.text):
            stop = _end(page, index)
        else:
            continue
        if entries := _entries(page, range(index, stop)):
            found.append(Key(range(index, stop), entries))
    return found


def key_below(page: Page, index: int, keys: Sequence[Key]) -> Key | None:
    """The first key from a block on; in a chat only in the same turn."""
    key = next((key for key in keys if key.blocks.start >= index), None)
    return key if key and page.turns[key.blocks.start] == page.turns[index - 1] else None


def _counts(text: str) -> int:
    return sum(len(answers_on(line)) for line in text.split("\n"))


def _is_key(text: str) -> bool:
    """A line that says `Answers:` alone, or above answers with their numbers."""
    first, _, rest = text.strip().partition("\n")
    head, *tail = re.split("[:：]", plain(first), maxsplit=1)
    told = "\n".join([*tail, rest])
    named = Kind.ANSWER_KEY in labels(without_number(without_emoji(head)).strip(" 【】[]"))
    return bool(named) and (not told.strip() or _counts(told) > 1)


def _end(page: Page, index: int) -> int:
    """Where the answers under a lone line end: at the first paragraph or list that gives none, or asks."""
    stop = index + 1
    while stop < len(page.blocks) and isinstance(page.blocks[stop], Prose | Items | Table):
        if not _entries(page, range(stop, stop + 1)) or any(gap_in(line.text) for line in page.lines(stop)):
            break
        stop += 1
    return stop


def _entries(page: Page, blocks: range) -> list[Entry]:
    found: list[Entry] = []
    for index in blocks:
        block = page.blocks[index]
        for number, text in _numbered(page, index, block):
            if number is not None:
                found.append(Entry(number, text, index))
            elif found and text.strip() and not is_rule(block):
                found[-1] = found[-1]._replace(text=f"{found[-1].text}\n{text.strip()}".strip())
    return found


def _numbered(page: Page, index: int, block: Block) -> Iterator[tuple[int | None, str]]:
    if isinstance(block, Code):
        yield None, markdown_of(block)
    elif isinstance(block, Table):
        heads = (Kind.RIGHT_COLUMN in labels(plain(cell).strip()) for cell in block.header)
        at = next((at for at, right in enumerate(heads) if right), 0)
        for row in block.rows if at else ():
            if borne := labels(f"{plain(row.cells[0])}.").number:
                yield borne.number, row.cells[at].strip()
    else:
        for number, text in numbered_lines(block, page.lines(index)):
            several: list[tuple[int | None, str]]
            several = [*answers_on(_PART.sub("", _LABEL.sub("", text)))] if number is None else []
            yield from several or [(number, text)]
