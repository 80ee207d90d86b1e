"""Links, pictures and comments as Obsidian and Logseq write them: what a reader of the note sees of them."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern

_MARKS = pattern(
    r"(?P<code>`+)(?:(?!`).|(?<!`)`+(?!`))*?(?P=code)(?!`)"
    r"|(?<![\w(=,!\[])\[\[(?P<page>[^\W\d][^\[\]|\n,]*)(?:\|(?P<shown>[^\[\]|\n]+))?\]\]"
    r"|%%(?P<comment>[^\n%]+(?:%[^\n%]+)*)%%"
    r"|\(\((?P<block>[0-9a-f]{8}-[0-9a-f-]{27})\)\)",
)
"""Not `tensor([[1, 2]])`: a link has no bracket before it, and its page begins with a letter."""


_PICTURE = pattern(r"!\[\[([^\[\]|\n]+\.(?:png|jpe?g|gif|bmp|svg|tiff|webp))(?:\|[^\[\]\n]*)?\]\]", re.IGNORECASE)


def with_pictures(text: str) -> str:
    """A text with pictures as Markdown writes them.

    >>> with_pictures("![[view.png|300]]")
    '![](view.png)'
    """
    return _PICTURE.sub(r"![](\1)", text) if "![[" in text else text


def without_wiki_marks(text: str) -> str:
    """A text with links as the words that they show, and without comments and references to blocks; code stays as it is.

    >>> without_wiki_marks("See [[View|a view]] and [[Storage#of a tensor]]. %%mine%% `x[[0]]`")
    'See a view and Storage#of a tensor.  `x[[0]]`'
    """
    if "[[" not in text and "%%" not in text and "((" not in text:
        return text
    return _MARKS.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    return (found["shown"] or found["page"] or "").strip()
