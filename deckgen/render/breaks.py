"""Where the source breaks a line: kept if it was meant, else joined as the script wants it."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from deckgen.render.cjk import is_cjk
from deckgen.text.pattern import pattern

_ENDS_LINE = pattern(r"[。．.；;：:！!？?）)】\]…—]\s*\Z")
_SHORT = 45
"""A line of at most so many columns that is followed by another was broken on purpose."""


def broken(tokens: Sequence[Token], index: int) -> str:
    """The HTML of the break between two tokens of a paragraph."""
    before = tokens[index - 1].content if index else ""
    after = tokens[index + 1].content if index + 1 < len(tokens) else ""
    width = 0
    for token in reversed(tokens[:index]):
        if token.type in ("softbreak", "hardbreak"):
            break
        width += sum(2 if is_cjk(c) else 1 for c in token.content)
    if width <= _SHORT or (_ENDS_LINE.search(before) and is_cjk(before[-1:])):
        return "<br>\n"
    return "" if is_cjk(before[-1:]) and is_cjk(after[:1]) else "\n"
