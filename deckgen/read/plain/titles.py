"""Headings, items and paragraphs in text that has lost its Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.document import Block, Heading, Item, Items, Prose
from deckgen.model.source import Span, line_span
from deckgen.read.plain.lines import BULLETED, NUMBERED
from deckgen.read.reindent.logical import ASIAN
from deckgen.text.pattern import CHINESE, pattern

_LEVELS = (
    (pattern(r"\d+\.[^\d\s].*"), 1),
    (pattern(r"«grammar.numeral»+[、.．].*"), 2),
    (pattern(r"\d+[.、)）]\s.*"), 2),
    (pattern(r"\d+\.\d+\.?\s.*"), 3),
)
"""Numbering, and the level of the heading that it makes."""
TITLE = 3
"""Level of a title without a number."""
_SENTENCE = pattern(r"[。；;！!，,]|\.\s|[.…]$|[:：]\s*\S|→|->|=>")
_NAME = pattern(r"[A-Za-z_][\w.]*(?:\(\)|\([^()]{0,100}\)\s*(?:->|→).{1,40})?", re.A)
"""A name, or a signature with what it returns."""
_CONNECTED = pattern(r"«read.connecting»$")
"""A word that joins its line to the next one."""
_CONNECTING = 6
"""Letters of the longest of these words, and one before it."""
_LABEL = pattern(r"[^:：。，,;；]{1,20}[:：]")
_LEADS_ON = pattern(r"«read.leads_on»")
_OPTION = pattern(r"[A-H]\s*[.、)）．:：]")
_LETTERS = pattern(r"[^\W\d_]")
_MARK = pattern(r"\s*(?:([-*+•·●○▪—]+)|(\d{1,9})[.、)）])\s+")
"""Of an item."""
_GLUED = pattern(r"(?<=\S)\s+-\s+(?=[^\x00-\x7f]|[A-Z`*\"(])")
"""Between items that a page has set on one line, behind the code at which their list was broken; `x - y` is code."""
_WORD = pattern(r"\s*[A-Za-z_.(`](?P<more>\S*\s?)")
_WIDEST = 46
"""Columns of the longest title; a Chinese character takes two."""
_WIDEST_LABEL = 17
"""Columns of the longest `特点:`; what is longer is a sentence that leads to something."""
_BROKEN = 12
"""Lines above an item that are asked whether it only repeats them."""


def text_blocks(lines: Sequence[str], span: Span) -> list[Block]:
    """Blocks of text between two runs of other kinds."""
    blocks: list[Block] = []
    number = span.start
    while number < span.stop:
        text, here = lines[number].strip(), line_span(number)
        stop = _list_end(lines, Span(number, span.stop))
        if stop > number:
            blocks.append(_items(lines, Span(number, stop)))
        elif text:
            level = _level(lines, number)
            blocks.append(Heading(here, level, text.strip("*")) if level else Prose(here, text))
        number = max(stop, number + 1)
    return blocks


def _level(lines: Sequence[str], number: int) -> int:
    """Level of the heading that a line is; 0 if it is none."""
    line = lines[number].strip()
    if _wider(line, _WIDEST * 2) or (_SENTENCE.search(line) and not NUMBERED.match(line) and not _NAME.fullmatch(line)):
        return 0
    for form, level in _LEVELS:
        if form.fullmatch(line.removeprefix("**")):
            return 0 if line.endswith(("。", "；", ";")) else level
    if line.endswith(("?", "？")) and _neighbour(lines, number, 1):
        return TITLE
    if _LABEL.fullmatch(line) and not _LEADS_ON.match(line) and not _wider(line, _WIDEST_LABEL):
        return 4
    return TITLE if _is_title(lines, number, line) else 0


def _is_title(lines: Sequence[str], number: int, line: str) -> bool:
    name = _NAME.fullmatch(line) is not None
    if (
        (_wider(line, _WIDEST) and not name)
        or _is_connected(line)
        or line.endswith((":", "：", ")" if " for " in line else ":"))
    ):
        return False
    if len(_LETTERS.findall(line)) * 2 < len(line) or line[0] in "`(（[,，。:：" or _OPTION.match(line):
        return False
    before, after = _neighbour(lines, number, -1), _neighbour(lines, number, 1)
    if not after or (_is_connected(before) and not _repeats(lines, number - 1)):
        return False
    # Below the name of a function stands what it does, however short.
    return name or not _NAME.fullmatch(before)


def _wider(text: str, columns: int) -> bool:
    """Whether a text takes more columns than that; a Chinese character takes two."""
    return len(text) > columns or len(text) + len(CHINESE.findall(text)) > columns


def _is_connected(text: str) -> bool:
    return _CONNECTED.search(text[-_CONNECTING:]) is not None


def _neighbour(lines: Sequence[str], number: int, step: int) -> str:
    """The nearest line that is not blank, at most two away."""
    near = (lines[n].strip() for n in (number + step, number + 2 * step) if 0 <= n < len(lines))
    return next(filter(None, near), "")


def _list_end(lines: Sequence[str], span: Span) -> int:
    """Where the list that begins at a line ends; its start if there is none.

    A number begins a list only if the next number follows on the next line: else it is a heading.
    """
    first, second = lines[span.start], lines[span.start + 1] if span.start + 1 < span.stop else ""
    mark, next_mark = _MARK.match(first), _MARK.match(second)
    counted = mark and next_mark and mark[2] and next_mark[2] and int(next_mark[2]) == int(mark[2]) + 1
    if not (BULLETED.match(first) or counted):
        return span.start
    stop = span.start + 1
    while stop < span.stop and lines[stop].strip():
        found = _MARK.match(lines[stop])
        if not (BULLETED.match(lines[stop]) or (counted and found and found[2]) or _continues(lines, stop)):
            break
        stop += 1
    return stop


def _continues(lines: Sequence[str], number: int) -> bool:
    """Whether a line goes on with the item above, broken where the page set code in a box."""
    before = lines[number - 1].strip()
    if number + 1 < len(lines) and _repeats(lines, number + 1):
        return True
    return (
        bool(before)
        and before[-1] not in "。；;：:.!！?？"
        and not _repeats(lines, number - 1)
        and not NUMBERED.match(lines[number])
        and (_is_connected(before) or _is_called_in_text(lines[number]))
    )


def _is_called_in_text(line: str) -> bool:
    """`torch.sum（求和）`, `x(1) ...`: a name, and without a blank what follows it in Chinese text, or its call."""
    name = _WORD.match(line)
    return name is not None and any(sign == "(" or ASIAN <= sign <= "\uffef" for sign in name["more"])


def _repeats(lines: Sequence[str], number: int) -> bool:
    """Whether a line says once more how the item above began: so copies a page whose item is broken by code in a box."""
    if not BULLETED.match(lines[number]):
        return False
    above = (line.strip() for line in reversed(lines[max(0, number - _BROKEN) : number]) if BULLETED.match(line))
    return next(above, None) == lines[number].strip()


def _items(lines: Sequence[str], span: Span) -> Items:
    items: list[Item] = []
    for number in range(span.start, span.stop):
        match, here = _MARK.match(lines[number]), line_span(number)
        if items and _repeats(lines, number):
            items[-1] = replace(items[-1], span=items[-1].span | here)
        elif match:
            items.append(Item(here, 0, lines[number][match.end() :].strip(), match[2] or ""))
        else:
            last = items[-1]
            rest, *glued = _GLUED.split(lines[number].strip())
            items[-1] = replace(last, span=last.span | here, text=f"{last.text} {rest}")
            items += [Item(here, 0, part) for part in glued]
    return Items(span, tuple(items))
