"""Which lines below a snippet are its output: templates from its own prints, and how values look."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from deckgen.read.indentation.pylines import Logical
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes

_LABEL = pattern(
    r"""\s*(?:'''|\"\"\"|\#+|>+|\*\*|【)?\s*
    (?:(?:程序|代码)?(?:运行|执行|打印|输出|测试)?的?(?:结果|输出|打印)(?:如下|为|是|示例)?
    |(?:the\ )?(?:sample\ )?output|results?|prints|out
    |(?:(?:we|you|it|this)\ )?(?:will\ |should\ |can\ |then\ )?(?:get|see|obtain|prints?|gives?|outputs?)
      (?:\ (?:the\ )?(?:following|output|results?))*(?=\s*[:：])
    |(?:我们|你|就|则|会|将|可以|可|能|这样)*(?:得到|输出|打印|看到|返回)(?:的?(?:结果|输出))?(?:如下|为|是)?(?=\s*[:：]))
    \s*(?:\*\*)?\s*[:：]?\s*(?:'''|\"\"\"|】|\*\*)?\s*""",
    re.X,
)
"""In small letters."""

_NUMBER = r"[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?[jL]?%?"
_VALUE = pattern(
    r"""\s*(?:
      [\[(]*(?:tensor|array|Parameter|OrderedDict|defaultdict|deque|Counter|device|dtype|Size|set|frozenset|range)\(
    | [\[(]*torch\.(?:Size\(|\w*(?:float|int|bool|complex)\w*\b|device\(|return_types|tensor\(|Tensor\b|strided\b)
    | <[a-zA-Z_][\w. ]*(?:\s.*)?>?$ | dict_(?:keys|values|items)\(
    | Parameter\ containing:
    | \(\w[\w.]*\):\ \w+\(            # a child in the repr of a module
    | \d+\s*(?:->|:)\s                 # enumerated
    | [-=*_~\#]{4,}\s*$                # rules
    | (?:True|False|None|nan|inf)\s*$
    | [\[(]*\s*NUMBER(?:[\s,\])]+NUMBER)*[\s,\])]*$
    | [\])},]+[\s,\])}]*(?:(?:dtype|device|grad_fn|requires_grad|size)=.*)?$
    | [\[(]+\s*[\[\]('"\-\d.].*[\])},]\s*$ | [\[({]\s*$
    | \[\]\s*$ | \{['"\d].*
    | Traceback\ \(most | File\ ".*",\ line\ \d | (?:\w+\.)*\w*(?:Error|Exception|Warning)\b\s*(?::|$)
    )""".replace("NUMBER", _NUMBER),
    re.X,
)
"""How reprs, numbers, separators and tracebacks begin."""
_AFTER_A_WORD = pattern(
    r"\s*[\w.\[\]'-]+\s+(?=(?:tensor|array|Parameter)\(|torch\.Size\(|<class '|(?:True|False|None)\s*$)"
)
"""What `print(name, x.shape)` writes in front of the value."""
_NAMED = pattern(r"\s*[^\s:=：][^:=：]{0,40}\s?(?:(?<!\d)[:=：]|[:=：](?!\d))\s*(?=\S)")
"""A name and a colon; `10:20` is a time."""
_MADE = pattern(r"torch\.(?!Size\()\w+\(")
"""Behind `x =`: torch prints `tensor([1])`, and only code says `torch.tensor([1])`."""
_WORDS = pattern(r"\w")


def announced_by(line: str) -> bool:
    """Whether a line says that what follows is output (`''' 运行结果 '''`, `输出:`, `Output`, `We will get:`)."""
    return _LABEL.fullmatch(line.lower()) is not None


def looks_like_value(line: str) -> bool:
    """`tensor([1.])`, `42`, `loss: 0.5`, `------`, `Traceback (most recent call last):`."""
    if _VALUE.match(line):
        return True
    named = _NAMED.match(line) or _AFTER_A_WORD.match(line)
    if named and named[0].rstrip().endswith("=") and _MADE.match(line, named.end()):
        return False
    return bool(named and _VALUE.match(line, named.end()) and not _within_brackets(named[0]))


def _within_brackets(text: str) -> bool:
    """`f(x, size=` is the beginning of a call, not a name before its value."""
    return text.count("(") > text.count(")") or text.count("[") > text.count("]")


Template = tuple[str, ...]
"""The fixed words of a line that a print writes, in order; between them stands anything."""


def templates(lines: Iterable[Logical]) -> list[Template]:
    """What the prints of a snippet write, line by line; prints without any fixed word give nothing."""
    found = (template for line in lines for call in _prints(line) for template in _templates(call))
    return list(dict.fromkeys(found))


def _prints(line: Logical) -> list[ast.Call]:
    if line.node is None or "print" not in line.text:
        return []
    return [
        node
        for node in nodes(line.node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]


_ANY = "\x00"


def _templates(call: ast.Call) -> list[Template]:
    text = " ".join(_shape(argument) for argument in call.args)
    return [tuple(part.strip().split(_ANY)) for part in text.split("\n") if _telling(part)]


def _telling(part: str) -> bool:
    """Whether the fixed words of a template tell it from other text."""
    fixed = part.replace(_ANY, "").strip()
    if _ANY not in part:
        return len(fixed) >= 3 or bool(_WORDS.search(fixed))
    return len(fixed) >= 3 and bool(_WORDS.search(fixed))


def _shape(node: ast.expr) -> str:
    """The text that an argument prints, with `_ANY` for what only a run can tell."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_shape(value) for value in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _repeated(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _shape(node.left) + _shape(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return re.sub(r"\{[^{}]*\}", _ANY, _shape(node.func.value))
    return _ANY


def _repeated(node: ast.BinOp) -> str:
    sides = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
    text = next((side for side in sides if isinstance(side, str)), None)
    times = next((side for side in sides if isinstance(side, int)), None)
    return text * min(times, 200) if text is not None and times is not None else _ANY


def printed(line: str, written: Sequence[Template]) -> bool:
    """Whether one of the prints can have written a line."""
    text = line.strip()
    return any(_fits(text, template) for template in written)


def _fits(text: str, template: Template) -> bool:
    """Finds the fixed words from left to right. (A pattern of many `.*` could take exponential time.)"""
    first, *middle = template
    if not middle:
        return text == first
    last = middle.pop()
    if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
        return False
    position, stop = len(first), len(text) - len(last)
    for piece in middle:
        found = text.find(piece, position, stop)
        if found < 0:
            return False
        position = found + len(piece)
    return True
