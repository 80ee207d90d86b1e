"""True or false: `The loss must be a scalar.（√）`; the statement is asked for, never taught as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.extract.blocks import Line, texts_of
from deckgen.extract.page import Finds, Page
from deckgen.extract.parts import by_lines
from deckgen.extract.prompts import prompt
from deckgen.extract.text import plain, width, without_emoji, without_number
from deckgen.model.document import Items, Prose
from deckgen.model.note import Basic, Note
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern

_TRUE = "√✓✔对TtYy是"
_MARKED = pattern(
    r"^(?P<text>.*?\S)\s*(?:[（(\[【]\s*(?P<sign>[√✓✔×✗✘])\s*[）)\]】]"
    r"|(?:\s[(\[]|[（【])\s*(?P<word>[TF对错]|正确|错误|true|false)\s*[）)\]】]"
    r"|(?<=[。.!！`])[\s\u3000]+(?P<bare>[√×✓✗✔✘])\ufe0f?\s*(?:[（(](?P<why>[^（()）\n]{2,})[)）])?)\s*[。.]?\s*$",
    re.IGNORECASE,
)
_LABEL = pattern(
    r"^(?:[（(\[【]\s*(?:判断题?|对错题?|true or false|t/f)\s*[）)\]】]|\**(?:判断题?|对错题?|true or false|t/f)\**[:：?]\**)\s*",
    re.IGNORECASE,
)
_SHORTEST = 10


def judgements(page: Page) -> Finds:
    """A Basic note of every line that ends with a mark of true or false in brackets."""
    return by_lines(page, lambda index, block: _of_lines(page, index) if _may_hold(block) else ())


def _of_lines(page: Page, index: int) -> Iterator[tuple[Note, Line]]:
    for line in page.lines(index):
        if note := _note(page, line):
            yield note, line


def _may_hold(block: Prose | Items) -> bool:
    """False for most blocks: no line of them ends with a bracket or a sign."""
    return any(map(_MARK_AT_END.search, texts_of(block)))


_MARK_AT_END = pattern(r"[)）\]】√×✓✗✔✘\ufe0f][\s。.]*$", re.MULTILINE)


def is_judged(text: str) -> bool:
    """True for a line that ends with a mark of true or false."""
    return _may_be_marked(text) and _MARKED.match(text) is not None


def _may_be_marked(text: str) -> bool:
    """False for most lines, at next to no cost: they end without a bracket."""
    return text.rstrip().rstrip("。.").rstrip().endswith((")", "）", "]", "】", *"√×✓✗✔✘"))


def _note(page: Page, line: Line) -> Note | None:
    match = _MARKED.match(line.text) if _may_be_marked(line.text) else None
    statement = _LABEL.sub("", without_number(without_emoji(match["text"])).strip()) if match else ""
    if not match or width(plain(statement)) < _SHORTEST:
        return None
    mark = match["sign"] or match["word"] or match["bare"]
    right = mark[0] in _TRUE or mark == "正确"
    language = page.document.language
    asked = f"{statement} — {prompt(language, 'judge')}"
    answer = "\n\n".join([prompt(language, "true" if right else "false"), *([match["why"]] if match["why"] else [])])
    return page.note(Basic(prompt=asked, answer=answer), line_span(line.number), line.block, statement)
