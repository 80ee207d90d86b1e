"""Lists of statements that bear a mark of true or false each: `1. reshape always copies. (F)`, `2. detach() 共享内存。 √`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.extract.blocks import text_of
from deckgen.extract.page import Finds, Page
from deckgen.extract.quizzes.exam_parts import is_named_above
from deckgen.extract.quizzes.verdicts import judged_note, verdict_of
from deckgen.extract.text import plain, width
from deckgen.model.document import Items
from deckgen.model.note import Note
from deckgen.text.pattern import pattern

_MAY_BE = pattern(r"[√×✓✗✔✘✅❌]|[（(\[【]\s*(?:T|F|对|错|正确|错误|true|false)\s*[）)\]】]", re.IGNORECASE)
_MARKED = pattern(
    r"^(?P<text>.*?\S)\s*(?:[（(\[【]\s*(?P<word>T|F|true|false|对|错|正确|错误|[√×✓✗✔✘✅❌]\ufe0f?)\s*[）)\]】]|(?P<sign>[√×✓✗✔✘✅❌])\ufe0f?)"
    r"[。.]?(?:\s+(?P<why>\S.*))?$",
    re.IGNORECASE | re.DOTALL,
)
_ENDS = (".", "。", "!", "！", "`.")
_SHORTEST = 10


def judged_lists(page: Page) -> Finds:
    """A Basic note of every item of a list of which all are marked, below `True or false` or as whole sentences."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        made = list(_judged(page, index, block)) if isinstance(block, Items) and page.free(index) else []
        notes += made
        used.update([index] if made else [])
    return Finds(tuple(notes), (), frozenset(used))


def _judged(page: Page, index: int, block: Items) -> Iterator[Note]:
    if len(block.items) < 2 or not all(_MAY_BE.search(item.text) for item in block.items[:2]):
        return
    found = [match for item in block.items if item.depth == 0 and (match := _MARKED.match(item.text.strip()))]
    told = [verdict_of(match["word"] or match["sign"]) for match in found]
    if len(found) < len(block.items) or not all(told) or not _is_put_up(page, index, [m["text"] for m in found]):
        return
    for item, match, verdict in zip(block.items, found, told, strict=True):
        if verdict is not None:
            yield judged_note(page, index, item.span, match["text"], (verdict[0], (match["why"] or "").strip()))


def _is_put_up(page: Page, index: int, statements: list[str]) -> bool:
    """Below a line that says so, or nothing but sentences below a line that asks nothing: ticks also mark what is done."""
    if is_named_above(page, index, "judge"):
        return True
    above = text_of(page.blocks[index - 1]).rstrip(" *") if index else ""
    whole = all(one.endswith(_ENDS) and width(plain(one)) >= _SHORTEST for one in statements)
    return whole and not above.endswith(("?", "？", ":", "："))
