"""What sentences say an expression of torch gives: `` `torch.arange(5).sum()` returns `tensor(10)` ``.

Only expressions that stand for themselves are read (`expressions`).
"""

from __future__ import annotations

import re

from deckgen.extract.asserted.aspects import END, LITERAL, SHAPE_WORD, Aspect, ToldValue, told_value
from deckgen.extract.text import unescaped
from deckgen.text.pattern import pattern
from deckgen.written import half_width

_VALUE = rf"(?:`(?P<marked>[^`\n]{{1,300}})`|(?P<bare>{LITERAL}))"
_E = r"`(?P<code>[^`\n]{3,200})`"
_TELLS = (
    r"(?:(?:的)?(?:结果|值|输出|返回值|返回|得到|输出|打印|等于|会?(?:返回|得到|输出|打印))\s*(?:是|为|等于|就是|仍是|仍为)?"
    r"|(?:会|将|应)?(?:返回|得到|给出|输出|打印|等于)|(?:的)?默认(?:值)?(?:是|为)|变成|变为|是|为|就是|仍是"
    r"|(?:will\s+|always\s+)?(?:returns?|gives?|yields?|equals?|produces?|prints?|outputs?|evaluates\s+to|is(?:\s+by\s+default)?|defaults\s+to|becomes|results\s+in|has\s+the\s+value(?:\s+of)?)(?:\s+equal\s+to)?"
    r"|->|→|=>|==>|⇒|➜|==?|:)"
)
_OF_SHAPE = (
    rf"(?:的\s*`?{SHAPE_WORD}`?\s*(?:是|为|等于|变为|变成|[:：=])?"
    rf"|(?:['’]s)?\s*(?:has|have|is of|returns? a tensor of|gives? a tensor of|with)?\s*(?:the\s+|an?\s+)?{SHAPE_WORD}\s*(?:of|is|:|=)?)"
)
_OF_DTYPE = (
    r"(?:的\s*`?(?:dtype|数据类型)`?\s*(?:是|为|等于|[:：=])?"
    r"|(?:['’]s)?\s*(?:has|is of|returns? a tensor of|gives?|returns?|is)?\s*(?:the\s+|an?\s+)?`?dtype`?\s*(?:of|is|:|=)?)"
)
_TELLING: tuple[tuple[Aspect, str], ...] = (
    ("shape", rf"{_E}\s*{_OF_SHAPE}\s*{_VALUE}{END}"),
    ("shape", rf"\b{SHAPE_WORD}\s+of\s+{_E}\s*(?:is|=|:)\s*{_VALUE}{END}"),
    ("dtype", rf"{_E}\s*{_OF_DTYPE}\s*{_VALUE}{END}"),
    ("dtype", rf"\bdtype`?\s+of\s+{_E}\s*(?:is|=|:)\s*{_VALUE}{END}"),
    ("ndim", rf"{_E}\s*(?:has|is)\s+(?P<marked>\d+)(?P<bare>)[\s-]*(?:dim(?:ension(?:s|al)?|s)?|axes|维)\b"),
    ("ndim", rf"{_E}\s*(?:是|有)\s*(?P<marked>\d+)(?P<bare>)\s*(?:维|个维度)(?!数|度大小)"),
    ("numel", rf"{_E}\s*(?:has|holds|contains|有|共有|包含)\s+(?P<marked>\d+)(?P<bare>)\s*(?:elements|个元素)"),
    ("value", rf"{_E}\s*{_TELLS}\s*{_VALUE}{END}"),
    ("value", rf"\b(?:value|result|output)\s+of\s+{_E}\s*(?:is|=|:|equals)\s*{_VALUE}{END}"),
)
_FORMS = tuple((aspect, pattern(form, re.IGNORECASE)) for aspect, form in _TELLING)
_WORDS: dict[Aspect, tuple[str, ...]] = {
    "shape": ("shape", "size", "形状", "尺寸", "维度大小"),
    "dtype": ("dtype", "数据类型"),
    "ndim": ("dim", "axes", "维"),
    "numel": ("elements", "元素"),
    "value": ("",),
}
"""One of these stands in every line that tells of an aspect."""
_MAY_TELL = ("torch", "nn.", "F.")
_MAY_BE_VALUE = pattern(r"[`\d\[(]|true|false|none|bool", re.IGNORECASE)
"""How every value is written; it stands behind the expression."""


def told_values(line: str) -> tuple[ToldValue, ...]:
    """Every value that a line of Markdown tells of an expression."""
    if "`" not in line or not any(root in line for root in _MAY_TELL):
        return ()
    text = half_width(unescaped(line[:2000]).replace("**", "").replace("``", "`"))
    _, _, behind = text.partition("`")[2].partition("`")
    if not _MAY_BE_VALUE.search(behind):
        return ()
    found: dict[tuple[str, str], ToldValue] = {}
    small = text.lower()
    for aspect, form in _FORMS:
        for match in form.finditer(text) if any(word in small for word in _WORDS[aspect]) else ():
            told = told_value(match["code"], aspect, match["marked"] or match["bare"])
            if told:
                found.setdefault((told.expression, told.text), told)
    return tuple(found.values())
