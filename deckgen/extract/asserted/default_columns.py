"""A column of defaults beside a column of APIs: `| Function | Default dim |`, `| nn.Dropout(p) | 0.5 |`, `p=0.5`."""

from __future__ import annotations

from collections.abc import Iterator

from deckgen.extract.asserted.defaults import LITERAL, default_of_cell, is_default_column
from deckgen.extract.text import unescaped
from deckgen.text.pattern import pattern

_PAIR = pattern(rf"`?\s*(?P<name>[a-z_]\w*)\s*=\s*`?\s*(?P<value>{LITERAL})`?")
_SEPARATOR = pattern(r"\s*(?:[,，、;；]|和|and|<br\s*/?>)\s*")
_OF_PARAMETER = pattern(
    r"\W*(?:(?i:default(?:\s+value)?)(?:\s+(?i:of|for))?\s+`?(?P<name>[a-z_]\w*)`?|(?:默认|缺省)(?:的)?\s*`?(?P<name2>[a-z_]\w*)`?(?:\s*值)?"
    r"|`?(?P<name3>[a-z_]\w*)`?\s*(?:的)?\s*(?:默认|缺省)(?:值)?|`?(?P<name4>[a-z_]\w*)`?\s+(?i:default(?:\s+value)?))\W*"
)
_ONE_ARGUMENT = pattern(r"[\w.]+\(\s*(?P<name>[a-z_]\w*)\s*\)")
_WORDS = frozenset({"value", "values", "setting", "settings", "behavior", "behaviour", "the", "is"})


def column_defaults(head: str, cell: str, name: str) -> Iterator[tuple[str, str]]:
    """(parameter, default) pairs of a cell in the row of the API `name` as written."""
    text = unescaped(cell).strip()
    if is_default_column(head):
        pairs = list(_pairs(text))
        yield from pairs
        only = _ONE_ARGUMENT.fullmatch(name)
        value = default_of_cell(cell) if only and not pairs else None
        if only and value:
            yield only["name"], value
        return
    found = _OF_PARAMETER.fullmatch(unescaped(head))
    parameter = next((one for one in found.groups() if one), None) if found else _SPOKEN.get(_bare(head))
    value = default_of_cell(cell) if parameter and parameter not in _WORDS else None
    if parameter and value:
        yield parameter, value


_DEFAULT = pattern(r"(?i:\bdefaults?(?:\s+values?)?\b)|(?:默认|缺省)(?:值)?|\b(?i:of|for)\b|的")
_SPOKEN = {
    "学习率": "lr",
    "learning rate": "lr",
    "动量": "momentum",
    "权重衰减": "weight_decay",
    "weight decay": "weight_decay",
    "批大小": "batch_size",
    "批量大小": "batch_size",
    "batch size": "batch_size",
}
"""What people call a parameter whose name is another word."""


def _bare(head: str) -> str:
    return " ".join(_DEFAULT.sub(" ", unescaped(head)).lower().strip("` *:：()（）").split())


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """`p=0.5, inplace=False`; nothing if anything else stands there."""
    at, found = 0, []
    while match := _PAIR.match(text, at):
        found.append((match["name"], match["value"]))
        gap = _SEPARATOR.match(text, match.end())
        at = gap.end() if gap else match.end()
        if not gap:
            break
    yield from found if at >= len(text.rstrip()) else ()
