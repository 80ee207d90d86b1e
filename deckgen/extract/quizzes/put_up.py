"""Where a statement is put up to be judged: `True or false: ...`, a list to judge, a verdict alone below a sentence."""

from __future__ import annotations

import re

from deckgen.extract.page import Page
from deckgen.extract.text import without_emoji
from deckgen.model.document import Items, Prose
from deckgen.text.pattern import pattern

ASKED = pattern(
    r"^\W*(?:第\s*\w{1,3}\s*[题关问]\W*)?(?:(?:q|question|bonus|(?:the )?(?:last|next|final)(?: one)?|问题|题目?|附加题?)?\s*\d*\s*[.、:：)）]?\W*)"
    r"(?:true\s?(?:or|/)\s?false|t\s*/\s*f|判断(?:题|对错|正误|以下说法)?|对(?:还是|or)错|对错题?|正误判断|是非题)"
    r"[\s*)）]{0,4}(?:[:：?？)）】.]|——)[\s*]{0,3}(?P<text>\S.*)$",
    re.IGNORECASE,
)
MAY_ASK = pattern(r"true|True|TRUE|t\s*/\s*f|T\s*/\s*F|判断|还是|对or错|对OR错|对错|正误|是非")
"""Cheap to look for, since most lines have nothing of it."""


def asks_to_judge(text: str) -> bool:
    """True for a line that says `True or false:` before a statement."""
    return MAY_ASK.search(text) is not None and ASKED.match(without_emoji(text)) is not None


def asked_behind(text: str) -> re.Match[str] | None:
    """A statement that is put up behind what a reply says first: `对的。下面看【判断】...`"""
    return _BEHIND.search(text) if MAY_ASK.search(text) else None


_BEHIND = pattern(
    r"(?<=[。！!.?？~～✅])\s*[^。！!.?？\n]{0,12}(?:【判断题?】|判断题?\s*[:：]|true (?:or|/) false\**\s*[:：])[\s*]*(?P<text>\S.*)$",
    re.IGNORECASE,
)


def hands_over(text: str) -> bool:
    """A line that hands statements over to be judged: `Lightning round, true or false:`"""
    return text.rstrip("*_ \n").endswith((":", "：")) and _PUTS_UP.search(text) is not None


def is_put_up_above(page: Page, index: int) -> bool:
    """A list of statements that the tutor hands over to judge: `Answer with T or F:`"""
    block = page.blocks[index]
    above = page.blocks[index - 1] if index and page.chat else None
    if not isinstance(block, Items) or not isinstance(above, Prose) or not _PUTS_UP.search(above.text):
        return False
    return is_flat(block) and all(item.text.rstrip("*_ ").endswith(_ENDS) and item.number for item in block.items)


_PUTS_UP = pattern(
    r"true\s?(?:or|/)\s?false|\bt\s?(?:or|/)\s?f\b|对还是错|对或错|判断(?:对错|正误|下列|以下|下面)", re.IGNORECASE
)
_ENDS = (".", "。", "!", "！")


def is_judged_below(page: Page, index: int) -> bool:
    """A statement with nothing but a verdict below it: `T`, `**False** — only tensors`."""
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) and page.free(index + 1) else None
    if not isinstance(below, Prose) or "\n" in below.text.strip() or not _ONLY_VERDICT.match(below.text):
        return False
    text = page.lines(index)[0].text.strip()
    return text.rstrip("*`_ ").endswith(_ENDS)


_ONLY_VERDICT = pattern(
    r"\W{0,3}(?:(?:(?-i:[TF])|[√×✓✗✔✘✅❌]\ufe0f?)[\s*_`]*(?:$|[—–(（:：-])|(?:true|false|对|错|正确|错误)[\s*_`]*[—–(（-])",
    re.IGNORECASE,
)
"""The words alone may be what code prints."""


def is_flat(block: object) -> bool:
    """A list with nothing below its items."""
    return isinstance(block, Items) and all(item.depth == 0 for item in block.items)
