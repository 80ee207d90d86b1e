"""The answers at the end of a test: what stands under each number, part by part.

`一、1-5 BCADC`, `6. ABD 7. ABC`, `8. ×（默认是 float32）`, tables of numbers and answers along or across, items, and
paragraphs that begin with a number; numbers may begin anew in each part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from deckgen.document import Block, Code, Details, Heading, Items, Prose, Quote, Table
from deckgen.extract.blocks import is_rule, markdown_of
from deckgen.extract.page import Page
from deckgen.extract.text import plain, without_emoji
from deckgen.pattern import pattern

_ORDINAL = pattern(
    r"^\W*(?:第\s*(?P<nth>[一二三四五六七八九十])\s*(?:部分|大题)|[（(]?(?P<zh>[一二三四五六七八九十])\s*[、.．:：)）]"
    r"|(?:part|section)\s+(?P<en>[A-H]|\d|[IVX]{1,4})\b|(?=\S))\s*[.:：—–-]*\s*(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_KINDS = (
    ("choice", pattern(r"单选|多选|选择|multiple[- ]choice|\bmcqs?\b|single[- ]choice", re.IGNORECASE)),
    ("judge", pattern(r"判断|是非|对错|正误|true\s*(?:or|/|and)\s*false|\bt\s*/\s*f\b", re.IGNORECASE)),
    ("fill", pattern(r"填空|补全|fill[- ](?:in|the)|\bblanks?\b|\bgaps?\b|cloze|complete the", re.IGNORECASE)),
    ("open", pattern(r"简答|问答|论述|名词解释|思考题|计算题|开放题?|short[- ]answers?|open[- ](?:ended )?questions?|essay", re.IGNORECASE)),
)  # fmt: skip
_LONGEST_LABEL = 60
"""Characters of a line that names a part and gives no answer."""
_SIGN = r"√×✓✗✔✘✅❌TF对错"
_RANGE = pattern(
    rf"(?:^|(?<=[\s,，;；。]))(?P<first>\d{{1,3}})\s*[-~～—–至到]+\s*(?P<last>\d{{1,3}})\s*题?\s*[.、:：)）]?\s*"
    rf"(?P<signs>(?:[A-Ha-h{_SIGN}]\ufe0f?[\s,，、/]*)+)(?![A-Za-z0-9_])"
)
_LETTERS = r"[A-Ha-h](?:\s*[,，、/&和]?\s*[A-H])*(?![A-Za-z0-9_'’])"
_ENTRY = pattern(
    rf"(?:^|(?<=[\s,，;；|、。.)）\]】]))[（(\[]?(?:(?:Q|第|问题|题目?|question|quiz|problem|exercise)\s*)?(?P<number>\d{{1,3}})\s*题?\s*"
    rf"(?:(?P<mark>[.、:：)）\]】=]+(?!\d))\s*(?:答案?\s*[:：]\s*)?|[-–—]\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}]))"
    rf"|\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}](?![A-Za-z\d]))))",
    re.IGNORECASE,
)
_SHORT = pattern(rf"\W*(?:{_LETTERS}|[{_SIGN}](?![A-Za-z\d\u3400-\u9fff])|true\b|false\b)", re.IGNORECASE)
"""An answer of one letter or sign may stand behind any other; a longer one is told by counting on."""
_LEADING = pattern(r"^\W{0,3}(?:答案?|参考答案|answer)\s*[:：]\s*", re.IGNORECASE)


class Part(NamedTuple):
    """A part of a test: `二、判断题`, `Part B. True or false`; empty strings for what it does not say."""

    ordinal: str = ""
    kind: str = ""

    def fits(self, other: Part) -> bool:
        """False if two names tell different parts."""
        if self.ordinal and other.ordinal:
            return self.ordinal == other.ordinal
        return not (self.kind and other.kind) or self.kind == other.kind

    def is_named_by(self, other: Part) -> bool:
        """True if a name tells this part and no other."""
        return self.fits(other) and bool(
            (self.ordinal and other.ordinal) or (self.kind and other.kind) or self == other == Part()
        )


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
        fitting = [entry for entry in self.entries.get(number, ()) if entry.part.fits(part)]
        named = [entry for entry in fitting if entry.part.is_named_by(part)]
        return fitting[0] if len(fitting) == 1 else named[0] if len(named) == 1 else None


def sheet_of(page: Page, key: range) -> Sheet:
    """What stands under the numbers of a key."""
    entries: dict[int, list[Entry]] = {}
    for entry in _entries(page, key):
        entries.setdefault(entry.number, []).append(entry)
    return Sheet(key, entries)


def part_named(line: str) -> Part | None:
    """The part that a heading or a short line names; None if it names none."""
    part, rest = _part_and_rest(line)
    named = part is not None and len(line) <= _LONGEST_LABEL and (part.kind or not rest)
    return part if named and not list(answers_on(rest)) else None


def _part_and_rest(line: str) -> tuple[Part | None, str]:
    words = plain(line)
    match = _ORDINAL.match(words)
    if not match:
        return None, words
    ordinal = (match["nth"] or match["zh"] or match["en"] or "").upper()
    rest = match["rest"]
    kind = next((name for name, told in _KINDS if told.search(rest[:_LONGEST_LABEL])), "")
    return (Part(ordinal, kind), rest) if ordinal or kind else (None, words)


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
        return [Entry(part, number, text, index) for number, text in _in_table(block)], part, ""
    if isinstance(block, Code):
        return [], part, markdown_of(block)
    found: list[Entry] = []
    before: list[str] = []
    for line in _lines(page, index, block):
        named, rest = _part_and_rest(line)
        answers = list(answers_on(line))
        if named is not None and (len(line) <= _LONGEST_LABEL or list(answers_on(rest))) and not answers:
            part = named
            answers = list(answers_on(rest))
        if answers:
            found += [Entry(part, number, text, index) for number, text in answers]
        elif found and line.strip():
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


def _in_table(table: Table) -> Iterator[tuple[int, str]]:
    header = [plain(cell).strip() for cell in table.header]
    rows = [list(row.cells) for row in table.rows]
    for numbers, answers in zip([header, *rows], [*rows, []], strict=True):
        if len(numbers) > 2 and all(cell.isdigit() for cell in map(str.strip, map(plain, numbers[1:])) if cell):
            for number, answer in zip(numbers[1:], answers[1:], strict=False):
                yield from [(int(plain(number)), answer.strip())] if plain(number).strip() and answer.strip() else []
    for cells in rows:
        match = re.match(r"\W*(?:Q|第|question\s*)?(\d{1,3})\s*题?\W*$", without_emoji(plain(cells[0])), re.IGNORECASE)
        if match and not (len(cells) > 2 and all(plain(cell).strip().isdigit() for cell in cells)):
            yield int(match[1]), "\n".join(cell.strip() for cell in cells[1:] if cell.strip())


def answers_on(line: str) -> Iterator[tuple[int, str]]:
    """(number, answer) of all that a line gives, in order."""
    text = without_emoji_numbers(line)
    ranges = list(_RANGE.finditer(text))
    if ranges:
        for match in ranges:
            signs = [sign for sign in match["signs"] if sign not in " \t,，、/\ufe0f"]
            first, last = int(match["first"]), int(match["last"])
            yield from zip(range(first, last + 1), signs, strict=True) if last - first + 1 == len(signs) else ()
        text = text[ranges[-1].end() :]
    marks = list(_counting(text, _ENTRY.finditer(text)))
    for mark, following in zip_longest(marks, marks[1:]):
        answer = text[mark.end() : following.start() if following else len(text)]
        yield int(mark["number"]), _LEADING.sub("", answer.replace("**", "")).strip(" \t,，;；|")


def without_emoji_numbers(line: str) -> str:
    """A line whose `1️⃣` is `1.`; signs of right and wrong stay."""
    return re.sub(r"(\d)\ufe0f?\u20e3", r"\1. ", line).strip().lstrip("*# ")


def _counting(text: str, marks: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The numbers that answers stand behind: the first on the line, and others that go on counting."""
    last: int | None = None
    for mark in marks:
        number = int(mark["number"])
        leads = not text[: mark.start()].strip(" *（([-")
        short = _SHORT.match(text, mark.end()) is not None
        if (
            (last is None and (leads or (short and not mark["mark"])))
            or (last is not None and number == last + 1)
            or (last is not None and short and number > last and not mark["mark"])
        ):
            last = number
            yield mark


def kind_above(page: Page, index: int) -> str:
    """The kind of exercise that the heading or lone line right above a block names: `第三题｜判断（20分）`; or none."""
    above = page.blocks[index - 1] if index else None
    if not isinstance(above, Heading | Prose) or len(above.text) > _LONGEST_LABEL or "\n" in above.text.strip():
        return ""
    part = part_named(above.text.strip())
    return part.kind if part and not above.text.rstrip().endswith(("?", "？", "。")) else ""


def parts_of(page: Page, blocks: Sequence[int] | range) -> list[tuple[int, Part]]:
    """(index, part) of the headings and lone lines among the blocks that begin a part of a test."""
    found: list[tuple[int, Part]] = []
    for index in blocks:
        block = page.blocks[index]
        if isinstance(block, Heading | Prose) and "\n" not in block.text.strip():
            part = part_named(block.text.strip())
            found += [(index, part)] if part is not None else []
    return found
