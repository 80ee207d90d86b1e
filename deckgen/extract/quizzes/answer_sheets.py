"""The answers at the end of a test: what stands under each number, part by part.

`一、1-5 BCADC`, `6. ABD 7. ABC`, `8. ×（默认是 float32）`, tables of numbers and answers along or across, items, and
paragraphs that begin with a number; numbers may begin anew in each part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from deckgen.document import Block, Code, Details, Heading, Items, Prose, Quote, Table
from deckgen.extract import wording
from deckgen.extract.blocks import is_rule, markdown_of, text_of
from deckgen.extract.page import Page
from deckgen.extract.quizzes.answer_tables import answers_in_table
from deckgen.extract.text import plain
from deckgen.pattern import pattern

_NAMING = (Heading, Prose)
"""Blocks that may name a part of a test."""
_ORDINAL = pattern(
    r"^\W*(?:第\s*(?P<nth>[一二三四五六七八九十]|\d{1,2})\s*(?P<zh_unit>部分|大题|章|节|周|天|课|讲|单元)"
    r"|[（(]?(?P<zh>[一二三四五六七八九十])\s*[、.．:：)）]"
    r"|(?P<en_unit>part|section|chapter|week|day|lesson|lecture|unit|module)\s+(?P<en>[A-H]|\d{1,2}|[IVX]{1,4})\b|(?=\S))"
    r"\s*[.:：—–-]*\s*(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_UNITS = {"章": "chapter", "节": "section", "周": "week", "天": "day", "课": "lesson", "讲": "lecture", "单元": "unit"}
_PLAIN_UNITS = frozenset({"部分", "大题", "part", "section"})
"""`一、`, `第一部分` and `Part 1` may all name the same part."""
_DIGITS = {digit: str(n) for n, digit in enumerate("一二三四五六七八九十", 1)}
_BEGINS_COUNTING = pattern(r"\W*(?:Q|第)?\s*\d", re.IGNORECASE)
_KINDS = (
    ("choice", pattern(r"单选|多选|选择|multiple[- ]choice|\bmcqs?\b|single[- ]choice", re.IGNORECASE)),
    ("judge", pattern(r"判断|是非|对错|正误|true\s*(?:or|/|and)\s*false|\bt\s*/\s*f\b", re.IGNORECASE)),
    ("fill", pattern(r"填空|补全|fill[- ](?:in|the)|\bblanks?\b|\bgaps?\b|cloze|complete the", re.IGNORECASE)),
    ("open", pattern(r"简答|问答|论述|名词解释|思考题|计算题|开放题?|short[- ]answers?|open[- ](?:ended )?questions?|essay", re.IGNORECASE)),
)  # fmt: skip
_EXERCISES = pattern(r"[\u3400-\u9fff]{1,6}题\W*(?:[（(]|$)|(?:coding|programming|practical)\b", re.IGNORECASE)
"""Behind the ordinal of a part: `程序题（共 10 分）`."""
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
    rf"(?:(?:(?:'s|的)?\s*(?:答案|answers?|ans)\s*)?(?P<mark>[.、:：)）\]】=]+(?!\d))\s*(?:答案?\s*[:：]\s*)?|(?:[-–—]|→|⇒|[-=]>)\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}]))"
    rf"|\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}](?![A-Za-z\d]))))",
    re.IGNORECASE,
)
_SHORT = pattern(rf"\W*(?:{_LETTERS}|[{_SIGN}](?![A-Za-z\d\u3400-\u9fff])|true\b|false\b)", re.IGNORECASE)
"""An answer of one letter or sign may stand behind any other; a longer one is told by counting on."""
_CIRCLED = pattern(rf"([①-⑳])\s*[.、:：]?\s*(?=[（(]?(?:{_LETTERS}|[{_SIGN}]))")
_SIGNS = pattern(rf"(?:[{_SIGN}]\ufe0f?)+")
_ONE_SIGN = pattern(rf"[{_SIGN}]\ufe0f?|true|false|正确|错误", re.IGNORECASE)
_IN_BRACKETS = pattern(r"[（(][^()（）]*[)）]")
_LABEL = pattern(rf"^\W{{0,4}}(?:{wording.ANSWER_LABEL})(?:\s*key)?\s*\**\s*[:：]\**\s*(?=\S)", re.IGNORECASE)
"""Before the answers on the first line of a key."""
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


def sheet_in_order(page: Page, key: range, numbers: Sequence[int]) -> Sheet:
    """The verdicts of a key without numbers, under the numbers of the statements above; none if they are not as many."""
    index = key[-1]
    signs = signs_on(_LABEL.sub("", text_of(page.blocks[index])))
    if len(signs) != len(numbers):
        return Sheet(key, {})
    told = zip(numbers, signs, strict=True)
    return Sheet(key, {number: [Entry(Part(), number, sign, index)] for number, sign in told})


@lru_cache(maxsize=1024)
def part_named(line: str) -> Part | None:
    """The part that a heading or a short line names; None if it names none."""
    part, rest = _part_and_rest(line)
    says = part is not None and (part.kind or not rest or " " in part.ordinal or _EXERCISES.match(rest))
    named = says and len(line) <= _LONGEST_LABEL
    return part if named and not list(answers_on(rest)) else None


def _part_and_rest(line: str) -> tuple[Part | None, str]:
    words = plain(line)
    match = _ORDINAL.match(words)
    if not match:
        return None, words
    ordinal = _ordinal(match)
    rest = match["rest"]
    kind = next((name for name, told in _KINDS if told.search(rest[:_LONGEST_LABEL])), "")
    return (Part(ordinal, kind), rest) if ordinal or kind else (None, words)


def _ordinal(match: re.Match[str]) -> str:
    """`1` of `一、`, `第一部分` and `Part 1`; `week 1` and `chapter 1`, which are parts of another sort."""
    told = (match["nth"] or match["zh"] or match["en"] or "").upper()
    unit = match["zh_unit"] or (match["en_unit"] or "").lower()
    number = _DIGITS.get(told, told)
    return number if not unit or unit in _PLAIN_UNITS else f"{_UNITS.get(unit, unit)} {number}"


def answers_of_part(line: str) -> tuple[Part | None, list[tuple[int, str]]]:
    """(the part that a line names, or None; the answers on it): `一、1. A 2. B`, `**Week 1**: 1-A`, `3. C`."""
    named, rest = _part_and_rest(line)
    if named is not None and named.ordinal and _BEGINS_COUNTING.match(rest):
        told = list(answers_on(rest))
        if told:
            return named, told
    answers = list(answers_on(line))
    if answers or named is None:
        return None, answers
    below = list(answers_on(rest))
    return (named, below) if below or len(line) <= _LONGEST_LABEL else (None, [])


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
    """A line whose `1️⃣` is `1.`, and whose `①` is, if it begins with a letter or a sign behind that; other signs stay."""
    text = re.sub(r"(\d)\ufe0f?\u20e3", r"\1. ", line).strip().lstrip("*# ")
    circled = _CIRCLED.match(text)
    return _CIRCLED.sub(lambda match: f"{ord(match[1]) - ord('①') + 1}. ", text) if circled else text


def _counting(text: str, marks: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The numbers that answers stand behind: the first on the line, and others that go on counting."""
    last: int | None = None
    behind = 0
    around: list[int] = []
    for mark in marks:
        if last is not None:
            around = around or _brackets(text)
            if around[mark.start()] >= behind:
                continue
        number = int(mark["number"])
        leads = not text[: mark.start()].strip(" *（([-")
        short = _SHORT.match(text, mark.end()) is not None
        if (
            (last is None and (leads or (short and not mark["mark"])))
            or (last is not None and number == last + 1)
            or (last is not None and short and number > last and not mark["mark"])
        ):
            last, behind = number, mark.end()
            yield mark


def _brackets(text: str) -> list[int]:
    """Of each place the start of the brackets that it stands in; -1 outside. No answer begins inside `(4, 3)`."""
    opened: list[int] = []
    closed: dict[int, int] = {}
    for at, sign in enumerate(text):
        if sign in "([（":
            opened.append(at)
        elif sign in ")]）" and opened:
            closed[opened.pop()] = at
    around: list[int] = []
    inside: list[int] = []
    for at in range(len(text)):
        while inside and closed[inside[-1]] < at:
            inside.pop()
        around.append(inside[-1] if inside else -1)
        if at in closed:
            inside.append(at)
    return around


def kind_above(page: Page, index: int) -> str:
    """The kind of exercise that the heading or lone line right above a block names: `第三题｜判断（20分）`; or none."""
    above = page.blocks[index - 1] if index else None
    if not isinstance(above, _NAMING) or len(above.text) > _LONGEST_LABEL or "\n" in above.text.strip():
        return ""
    text = above.text.strip()
    part = part_named(text)
    asks = text.endswith(("?", "？", "。")) and not wording.ONLY_JUDGE.fullmatch(plain(text))
    return part.kind if part and not asks else ""


def is_put_to_judge(page: Page, index: int) -> bool:
    """True below a heading or lone line that says nothing but `二、判断题（每题 2 分）` or `True or False?`."""
    if kind_above(page, index) != "judge":
        return False
    _, rest = _part_and_rest(text_of(page.blocks[index - 1]))
    return wording.ONLY_JUDGE.fullmatch(_IN_BRACKETS.sub("", rest)) is not None


def signs_on(text: str) -> list[str]:
    """The verdicts of a key without numbers, in order: `F, T`, `× √ √`, `错对对`; none if anything else stands there."""
    parts = [part for part in re.split(r"[\s,，、;；/|]+", text.strip(" \t*。.")) if part]
    if len(parts) == 1 and _SIGNS.fullmatch(parts[0]):
        parts = re.findall(rf"[{_SIGN}]", parts[0])
    return parts if len(parts) > 1 and all(_ONE_SIGN.fullmatch(part) for part in parts) else []


def parts_of(page: Page, blocks: Sequence[int] | range) -> list[tuple[int, Part]]:
    """(index, part) of the headings and lone lines among the blocks that begin a part of a test."""
    found: list[tuple[int, Part]] = []
    for index in blocks:
        block = page.blocks[index]
        if isinstance(block, Heading | Prose) and "\n" not in block.text.strip():
            part = part_named(block.text.strip())
            found += [(index, part)] if part is not None else []
    return found
