"""Items of lists that belong to the code above or below them: they explain its lines, or say what it shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract.defined.holes import says
from deckgen.extract.defined.item_tree import Node
from deckgen.extract.defined.terms import Definition
from deckgen.extract.page import Page
from deckgen.extract.text import code_spans
from deckgen.model.document import Code, Image
from deckgen.text.pattern import pattern

_PURPOSE = pattern(
    r"to \w+ [^,，:]+$|(?:使用|调用|通过)[^`，。；:：]*(?:`[^`]*`[\s、,或和与/]*)+(?:方法|函数|接口)?\W*$",
    re.IGNORECASE,
)
"""``调用方法 `add_()` ``, `To create an empty tensor`: what is done, and no more."""
_SAID_BEHIND = pattern(r"`[^`]+`\W*\w[^`]*$")
"""``调用 `.shape` 查看形状``: words behind the last code."""
_STATEMENT = pattern(r"(?:for|while|with|if|elif|try|except|return|del)\b.*|[\w, .\[\]]+\s[-+*/]?=\s.+")
_OWN = pattern(r"[a-z]\w*", re.ASCII)
_NUMBER = pattern(r"\d+(?:\.\d+)?")


def captions(page: Page, index: int, nodes: Sequence[Node], at: int) -> bool:
    """True for the last line of a list that only says what the code or the figure below it shows."""
    node = nodes[at]
    below = page.blocks[index + 1] if index + 1 < len(page.blocks) else None
    if at + 1 < len(nodes) or node.above or not isinstance(below, Code | Image):
        return False
    purpose = _PURPOSE.match(node.text) is not None
    return purpose or (not says(node.text) and not _SAID_BEHIND.search(node.text))


def is_of_code(page: Page, index: int, definition: Definition) -> bool:
    """True for a term that is a statement of the code right above, or a number that it sets: no definition."""
    spans = code_spans(definition.term)
    above = page.blocks[index - 1] if index else None
    if (
        page.chat
        or len(spans) != 1
        or not isinstance(above, Code)
        or definition.term.strip("*` :") != spans[0].rstrip(":")
    ):
        return False
    if _STATEMENT.fullmatch(spans[0]):
        return "".join(spans[0].split()).rstrip(":") in "".join(above.text.split())
    return _OWN.fullmatch(spans[0]) is not None and _sets(above.text, spans[0], definition.text)


def _sets(code: str, name: str, text: str) -> bool:
    """`n_in, n_out = 10, 1` of `n_in`, if the text repeats the number: `10 features`."""
    told = set(_NUMBER.findall(text))
    lines = (line.partition("=") for line in code.split("\n") if name in line and "=" in line)
    return any(name in re.findall(r"\w+", left) and told & set(_NUMBER.findall(right)) for left, _, right in lines)
