"""Headings, items and paragraphs in text that has lost its Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.document import Block, Directive, Heading, Item, Items, Prose, Table
from deckgen.model.source import Span, line_span
from deckgen.read import markdown
from deckgen.read.indentation.pylines import ASIAN
from deckgen.read.unfenced.furniture import is_furniture
from deckgen.read.unfenced.joined import items_on, table_at, terms_at
from deckgen.read.unfenced.lines import bulleted, numbered
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import CHINESE

_LEVELS: tuple[tuple[re.Pattern[str], int], ...] = (
    (pattern(r"\s*(?:\*\*)?\d+\.[^\d\s].*"), 1),
    (pattern(r"\s*第[一二三四五六七八九十\d]+[章节篇讲课].*"), 1),
    (pattern(r"\s*[一二三四五六七八九十]+[、.．].*"), 2),
    (pattern(r"\s*(?:\*\*)?\d+[.、)）]\s.*"), 2),
    (pattern(r"\s*(?:\*\*)?\d+\.\d+\.?\s.*"), 3),
    (pattern(r"\s*(?:\*\*)?\d+(?:\.\d+){2,}\.?\s.*"), 4),
)
"""Numbering, and the level of the heading that it makes."""
TITLE = 3
"""Level of a title without a number."""
_SENTENCE = pattern(r"[。；;！!，,]|\.\s|[.…]$|[:：]\s*\S|→|->|=>")
RETURNS = r"\s*(?:->|→|\$\\to\$).{1,40}"
"""What a signature says that it returns."""
_NAME = pattern(rf"[A-Za-z_][\w.]*(?:\(\)|\([^()]{{0,100}}\){RETURNS})?", re.A)
"""A name, or a signature with what it returns."""
_CONNECTED = pattern(
    r"(?:自|的|为|在|调用|使用|利用|通过|将|对|是|和|与|或|及|如|比|于|由|从|把|被|让|给|以|即|指|称|"
    r"\b(?:of|the|a|an|and|or|to|in|is|with|by|for|from|use|using|call|that|as))$",
    re.I,
)
_CONNECTING = 6
"""Letters of the longest of these words, and one before it."""
_LABEL = pattern(r"[^:：。，,;；]{1,20}[:：]")
_LEADS_ON = pattern(
    r"(?:下面|以下|如下|这里|这是|这|例如|比如|举例|此时|然后|接着|假设|(?:for example|here|this|these|the|e\.g)\b)",
    re.I,
)
_MARKDOWN = pattern(r"#{1,6} |>\s|!\[|\*\*[^*]+\*\*")
_FURNITURE = pattern(
    r"(?:share|tweet|like|follow|subscribe|save|print|menu|search|comments?|leave a (?:comment|reply)|reply|log ?in|sign (?:in|up)|"
    r"related (?:posts|articles)|recommended|read more|table of contents|previous|next|home|advertisement|copy(?: link)?|"
    r"分享|收藏|点赞|关注|评论|转发|打赏|赞赏|举报|登录|注册|搜索|菜单|首页|目录|推荐阅读|相关(?:文章|推荐|阅读)|热门文章|阅读全文|上一篇|下一篇"
    r"|(?:(?:点赞|收藏|评论|分享|转发|关注)\s*\d*\s*)+)\s*[:：]?",
)
"""What pages write around their text, in small letters."""
_ASKED = pattern(r"\s*(?:Q|A|问|答|问题|思考题|提问|面试题)\s*\d*\s*[:：.]", re.I)
_OPTION = pattern(r"[A-H]\s*[.、)）．:：]")
_LETTERS = pattern(r"[^\W\d_]")
_COUNTED = pattern(r"\s*(\d+)[.、)）]\s")
_MARK = pattern(r"\s*(?:([-*+•·●○▪—]+)|(\d+)[.、)）])\s+")
_GLUED = pattern(r"(?<=\S)\s+-\s+(?=[^\x00-\x7f]|[A-Z`*\"(])")
"""Between items that a page has set on one line, behind the code at which their list was broken; `x - y` is code."""
_WIDEST = 46
"""Columns of the longest title; a Chinese character takes two."""
_BROKEN = 12
"""Lines above an item that are asked whether it only repeats them."""
_WIDEST_LABEL = 17
"""Columns of the longest `特点:`; what is longer is a sentence that leads to something."""


def _wider(text: str, columns: int) -> bool:
    """Whether a text takes more columns than that; a Chinese character takes two."""
    return len(text) > columns or (len(text) * 2 > columns and len(text) + len(CHINESE.findall(text)) > columns)


def _is_connected(text: str) -> bool:
    """Whether a text ends with a word that joins it to the next one."""
    return _CONNECTED.search(text[-_CONNECTING:]) is not None


def text_blocks(lines: Sequence[str], span: Span) -> list[Block]:
    """Blocks of text between two runs of other kinds; as Markdown, if some of that is left in it."""
    if any(_MARKDOWN.match(lines[number]) for number in range(span.start, span.stop)):
        return markdown.blocks_of(lines[span.start : span.stop], span.start)
    blocks: list[Block] = []
    number = span.start
    while number < span.stop:
        line = lines[number]
        if not line.strip():
            number += 1
            continue
        if (len(line) < 80 and _FURNITURE.fullmatch(line.strip().lower())) or is_furniture(line):
            blocks.append(Directive(line_span(number), ()))
            number += 1
            continue
        stop = _list_end(lines, Span(number, span.stop))
        flat = None if stop > number else _flattened(lines, Span(number, span.stop))
        if stop > number:
            blocks.append(_items(lines, Span(number, stop)))
        elif flat is not None:
            blocks.append(flat)
            stop = flat.span.stop
        else:
            stop = number + 1
            level = _level(lines, number)
            here = line_span(number)
            text = line.strip()
            blocks.append(Heading(here, level, text.strip("*")) if level else Prose(here, text))
        number = stop
    return blocks


def _flattened(lines: Sequence[str], span: Span) -> Table | Items | None:
    """A table or a list that lost its marks."""
    joined = items_on(lines[span.start], span.start)
    if joined:
        return Items(line_span(span.start), tuple(joined))
    return table_at(lines, span) or terms_at(lines, span)


def _level(lines: Sequence[str], number: int) -> int:
    """Level of the heading that a line is; 0 if it is none."""
    line = lines[number].strip()
    if _wider(line, _WIDEST * 2) or (_SENTENCE.search(line) and not numbered(line) and not _NAME.fullmatch(line)):
        return 0
    for form, level in _LEVELS:
        if form.fullmatch(line):
            return 0 if line.endswith(("。", "；", ";")) else level
    if line.endswith(("?", "？")) and not _ASKED.match(line) and bool(_neighbour(lines, number, 1)):
        return TITLE
    if _LABEL.fullmatch(line) and not _LEADS_ON.match(line) and not _wider(line, _WIDEST_LABEL):
        return 4
    return TITLE if _is_title(lines, number, line) else 0


def _is_title(lines: Sequence[str], number: int, line: str) -> bool:
    if " for " in line and line.endswith(")") and "(" in line:
        return False  # a comprehension
    if (_wider(line, _WIDEST) and not _NAME.fullmatch(line)) or _is_connected(line) or line.endswith((":", "：")):
        return False
    if len(_LETTERS.findall(line)) * 2 < len(line) or line[0] in "`(（[,，。:：" or _OPTION.match(line):
        return False
    before, after = _neighbour(lines, number, -1), _neighbour(lines, number, 1)
    if (_is_connected(before) and not _echoes(lines, number - 1)) or not after:
        return False
    # Below the name of a function stands what it does, however short.
    return not _NAME.fullmatch(before) or bool(_NAME.fullmatch(line))


def _neighbour(lines: Sequence[str], number: int, step: int) -> str:
    """The nearest line that is not blank, at most two away."""
    near = (n for n in (number + step, number + 2 * step) if 0 <= n < len(lines))
    return next((lines[n].strip() for n in near if lines[n].strip()), "")


def _list_end(lines: Sequence[str], span: Span) -> int:
    """Where the list that begins at a line ends; its start if there is none.

    A number begins a list only if the next number follows within its item: else it is a heading.
    """
    first = lines[span.start]
    if not (bulleted(first) or _counted(lines, span)):
        return span.start
    stop = span.start + 1
    while stop < span.stop and lines[stop].strip() and (_item(lines, stop, first) or _continues(lines, stop)):
        stop += 1
    return stop


def _item(lines: Sequence[str], number: int, first: str) -> bool:
    line = lines[number]
    return bulleted(line) or (numbered(first) and bool(re.match(r"\s*\d+[.、)）]\s", line)))


def _counted(lines: Sequence[str], span: Span) -> bool:
    match = _COUNTED.match(lines[span.start])
    if not match or span.start + 1 >= span.stop:
        return False
    below = _COUNTED.match(lines[span.start + 1])
    return below is not None and below[1] == str(int(match[1]) + 1)


def _continues(lines: Sequence[str], number: int) -> bool:
    """Whether a line goes on with the item above, broken where the page set code in a box."""
    before = lines[number - 1].strip()
    if number + 1 < len(lines) and _echoes(lines, number + 1):
        return True
    return (
        bool(before)
        and before[-1] not in "。；;：:.!！?？"
        and not _echoes(lines, number - 1)
        and not numbered(lines[number])
        and (_is_connected(before) or _is_called_in_text(lines[number]))
    )


def _is_called_in_text(line: str) -> bool:
    """`torch.sum（求和）`, `x(1) ...`: a name, and without a blank what follows it in Chinese text, or its call."""
    name = _WORD.match(line)
    return name is not None and any(sign == "(" or ASIAN <= sign <= _WIDE for sign in name["more"])


_WORD = pattern(r"\s*[A-Za-z_.(`](?P<more>\S*\s?)")
_WIDE = "\uffef"
"""The last of the wide signs; behind it stand pictures."""


def _echoes(lines: Sequence[str], number: int) -> bool:
    """Whether a line says once more how the item above began: so copies a page whose item is broken by code in a box."""
    if not bulleted(lines[number]):
        return False
    above = reversed(lines[max(0, number - _BROKEN) : number])
    return next((line.strip() for line in above if bulleted(line)), None) == lines[number].strip()


def _items(lines: Sequence[str], span: Span) -> Items:
    items: list[Item] = []
    for number in range(span.start, span.stop):
        match = _MARK.match(lines[number])
        text = lines[number].strip()
        if joined := items_on(lines[number], number):
            items += joined
        elif items and _echoes(lines, number):
            items[-1] = replace(items[-1], span=items[-1].span | line_span(number))
        elif match:
            text = lines[number][match.end() :].strip()
            items.append(Item(line_span(number), 0, text, match[2] or ""))
        elif items:
            last = items[-1]
            rest, *glued = _GLUED.split(text)
            items[-1] = Item(last.span | line_span(number), 0, f"{last.text} {rest}", last.number)
            items += [Item(line_span(number), 0, part) for part in glued]
        else:
            items.append(Item(line_span(number), 0, text))
    return Items(span, tuple(items))
