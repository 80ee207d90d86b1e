"""Links, pictures and comments as Obsidian and Logseq write them: what a reader of the note sees of them."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern

_CODE = r"(?P<code>`+)(?:(?!`).|(?<!`)`+(?!`))*?(?P=code)(?!`)"
_MARKS = pattern(
    _CODE + r"|(?<![\w(,!\[])(?<!(?<!=)=)\[\[(?P<page>[^\W\d][^\[\]|\n,]*)(?:\|(?P<shown>[^\[\]|\n]+))?\]\]"
    r"|%%(?P<comment>[^\n%]+(?:%[^\n%]+)*)%%",
)
"""Not `tensor([[1, 2]])`: a link has no bracket before it, and its page begins with a letter."""


_PICTURE = pattern(r"!\[\[([^\[\]|\n]+\.(?:png|jpe?g|gif|bmp|svg|tiff|webp))(?:\|[^\[\]\n]*)?\]\]", re.IGNORECASE)


def with_pictures(text: str) -> str:
    """A text with pictures as Markdown writes them.

    >>> with_pictures("![[view.png|300]]")
    '![](view.png)'
    """
    return _PICTURE.sub(r"![](\1)", text) if "![[" in text else text


NOT_HERE = "a card that shows what stands elsewhere (`((...))`, `![[...]]`, `{{query}}`): write that text on the card"
_ELSEWHERE = pattern(
    _CODE + r"|!\[\[[^\[\]\n]+\]\]|\(\([0-9a-f]{8}-[0-9a-f-]{27}\)\)|\{\{(?:embed|query)\s[^\n]*?\}\}",
    re.DOTALL,
)


def shows_elsewhere(text: str) -> bool:
    """True if a reader sees something there that stands in another place: a note, a block of another page, what a query finds.

    >>> shows_elsewhere("Of ![[views#^a1]]"), shows_elsewhere("{{query (todo now)}}"), shows_elsewhere("`![[a]]`, ![[at.png]]")
    (True, True, False)
    """
    if "[[" not in text and "((" not in text and "{{" not in text:
        return False
    return any(not found["code"] for found in _ELSEWHERE.finditer(with_pictures(text)))


def without_wiki_marks(text: str, *, comments: bool = True) -> str:
    """A text with links as the words that they show, and without comments; code stays as it is.

    `comments` = `%%text%%` is one, as in Obsidian.

    >>> without_wiki_marks("See [[View|a view]] and [[Storage#of a tensor]]. %%mine%% `x[[0]]`")
    'See a view and Storage#of a tensor.  `x[[0]]`'
    """
    if "[[" not in text and not (comments and "%%" in text):
        return text
    return _MARKS.sub(lambda found: found[0] if found["comment"] and not comments else _shown(found), text)


def _shown(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    return (found["shown"] or found["page"] or "").strip()
