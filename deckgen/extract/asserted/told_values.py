"""What sentences say an expression of torch gives: `` `torch.arange(5).sum()` returns `tensor(10)` ``.

Only expressions that stand for themselves are read: every name in them is torch's or Python's, so that they can be
run as they are.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from deckgen.extract.claims.shapes import written_shape
from deckgen.extract.text import unescaped
from deckgen.pattern import pattern
from deckgen.syntax import nodes, parsed
from deckgen.written import half_width
from deckgen.written.values import value_prefix

Aspect = Literal["value", "shape", "dtype", "ndim", "numel"]


class ToldValue(NamedTuple):
    """An expression, what is told of it, and the claimed text."""

    expression: str
    aspect: Aspect
    text: str


_ROOTS = frozenset({"torch", "nn", "F", "Tensor", "optim"})
_KNOWN = _ROOTS | {"np", "math"} | frozenset(dir(builtins))
_UNFIT = frozenset(
    "print input open exec eval manual_seed seed load save compile exit quit breakpoint help globals locals vars dir".split()
)
"""What does something, or asks for more than stands there."""
_CONSTRUCTORS = frozenset(("dtype", "device", "torch.dtype", "torch.device", "Size", "torch.Size", "Tensor"))
_LONGEST = 200


@lru_cache(maxsize=2048)
def expression(text: str) -> str | None:
    """Code that computes something with torch and needs nothing else; None for all other code, and for `torch.rand(size)`."""
    text = text.strip()
    if len(text) > _LONGEST or not any(root in text for root in _ROOTS):
        return None
    tree = parsed(text)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    value = tree.body[0].value
    return text if _computes(value) and not _needs_more(value) else None


def _computes(value: ast.expr) -> bool:
    """More than a name: a call, an operator, or an attribute of an attribute (`torch.float16.itemsize`)."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) in _CONSTRUCTORS:
        return False  # it is a value by itself
    if isinstance(value, ast.Attribute):
        called = any(isinstance(one, ast.Call | ast.BinOp | ast.Subscript) for one in nodes(value))
        return called or _OF_DTYPE_ITSELF.fullmatch(ast.unparse(value)) is not None
    works = isinstance(value, ast.Call | ast.BinOp | ast.Compare | ast.Subscript | ast.UnaryOp)
    return works and any(isinstance(one, ast.Name) and one.id in _ROOTS for one in nodes(value))


def _needs_more(value: ast.expr) -> bool:
    every = nodes(value)
    own = {one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    own |= {one.arg for one in every if isinstance(one, ast.arg)}
    names = {one.id for one in every if isinstance(one, ast.Name)}
    attributes = {one.attr for one in every if isinstance(one, ast.Attribute)}
    dots = any(isinstance(one, ast.Constant) and one.value is ... for one in every)
    awaits = any(isinstance(one, ast.Await | ast.NamedExpr | ast.Yield | ast.YieldFrom) for one in every)
    return bool(names - own - _KNOWN or (names | attributes) & _UNFIT or dots or awaits)


# --- values -----------------------------------------------------------------------------------------

_DTYPE = r"(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|complex(?:32|64|128)|bool)"
_BARE_DTYPE = pattern(rf"(?:torch\.)?(?P<name>{_DTYPE})")
_OF_DTYPE_ITSELF = pattern(rf"torch\.{_DTYPE}\.\w+")
_LITERAL = (
    r"(?:torch\.)?(?:tensor|Size|device)\([^`]{0,300}?\)|\[[^`]{0,300}\]|\([\d\s,]{1,60}\)|True|False|None"
    rf"|(?:torch\.)?{_DTYPE}|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
)
_VALUE = rf"(?:`(?P<marked>[^`\n]{{1,300}})`|(?P<bare>{_LITERAL}))"
_END = r"(?=\s*(?:$|[。；;（(！!]|[，,](?!\s*[\d\[(-])|\.(?:\s|$)|[—–]|\s(?:because|since|as|so|and|but|not|instead|with|which)\b|因为|而|但|不是))"
_E = r"`(?P<code>[^`\n]{3,200})`"
_SHAPE_WORD = r"(?:形状|尺寸|维度大小|shape|size)"
_TELLS = (
    r"(?:(?:的)?(?:结果|值|输出|返回值|返回|得到|输出|打印|等于|会?(?:返回|得到|输出|打印))\s*(?:是|为|等于|就是|仍是|仍为)?"
    r"|(?:会|将|应)?(?:返回|得到|给出|输出|打印|等于)|(?:的)?默认(?:值)?(?:是|为)|变成|变为|是|为|就是|仍是"
    r"|(?:will\s+|always\s+)?(?:returns?|gives?|yields?|equals?|produces?|prints?|outputs?|evaluates\s+to|is(?:\s+by\s+default)?|defaults\s+to|becomes|results\s+in|has\s+the\s+value(?:\s+of)?)(?:\s+equal\s+to)?"
    r"|->|→|=>|==>|⇒|➜|==?|:)"
)
_OF_SHAPE = (
    rf"(?:的\s*`?{_SHAPE_WORD}`?\s*(?:是|为|等于|变为|变成|[:：=])?"
    rf"|(?:['’]s)?\s*(?:has|have|is of|returns? a tensor of|gives? a tensor of|with)?\s*(?:the\s+|an?\s+)?{_SHAPE_WORD}\s*(?:of|is|:|=)?)"
)
_OF_DTYPE = (
    r"(?:的\s*`?(?:dtype|数据类型)`?\s*(?:是|为|等于|[:：=])?"
    r"|(?:['’]s)?\s*(?:has|is of|returns? a tensor of|gives?|returns?|is)?\s*(?:the\s+|an?\s+)?`?dtype`?\s*(?:of|is|:|=)?)"
)
_TELLING: tuple[tuple[Aspect, str], ...] = (
    ("shape", rf"{_E}\s*{_OF_SHAPE}\s*{_VALUE}{_END}"),
    ("shape", rf"\b{_SHAPE_WORD}\s+of\s+{_E}\s*(?:is|=|:)\s*{_VALUE}{_END}"),
    ("dtype", rf"{_E}\s*{_OF_DTYPE}\s*{_VALUE}{_END}"),
    ("dtype", rf"\bdtype`?\s+of\s+{_E}\s*(?:is|=|:)\s*{_VALUE}{_END}"),
    ("ndim", rf"{_E}\s*(?:has|is)\s+(?P<marked>\d+)(?P<bare>)[\s-]*(?:dim(?:ension(?:s|al)?|s)?|axes|维)\b"),
    ("ndim", rf"{_E}\s*(?:是|有)\s*(?P<marked>\d+)(?P<bare>)\s*(?:维|个维度)(?!数|度大小)"),
    ("numel", rf"{_E}\s*(?:has|holds|contains|有|共有|包含)\s+(?P<marked>\d+)(?P<bare>)\s*(?:elements|个元素)"),
    ("value", rf"{_E}\s*{_TELLS}\s*{_VALUE}{_END}"),
    ("value", rf"\b(?:value|result|output)\s+of\s+{_E}\s*(?:is|=|:|equals)\s*{_VALUE}{_END}"),
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


def told_value(code: str, aspect: Aspect, text: str) -> ToldValue | None:
    """What is told of an expression, if it is one and the text is such a value."""
    whole = expression(code)
    value = _fit(text.strip(), aspect) if whole else None
    if whole is None or value is None or (_LAYER.match(whole) and layer(whole) and not value[:1].isalpha()):
        return None
    if (
        aspect == "value"
        and _BARE_DTYPE.fullmatch(value)
        and not whole.endswith("dtype")
        and not value.startswith("torch.")
    ):
        return ToldValue(whole, "dtype", value)
    return ToldValue(whole, aspect, value)


@lru_cache(maxsize=256)
def layer(text: str) -> str | None:
    """The name of the layer that an expression makes (`nn.Linear(2, 3)`), which has neither a shape nor a number itself."""
    tree = parsed(text) if _LAYER.match(text) else None
    made = tree.body[0].value if tree and isinstance(tree.body[0], ast.Expr) else None
    return (
        ast.unparse(made.func)
        if isinstance(made, ast.Call) and _LAYER.fullmatch(f"{ast.unparse(made.func)}(")
        else None
    )


_LAYER = pattern(r"(?:torch\.)?nn\.[A-Z]\w*\(")


def _fit(text: str, aspect: Aspect) -> str | None:
    """The text, if it is a value of this kind."""
    if aspect == "shape":
        return text if written_shape(text) is not None else None
    dtype = _BARE_DTYPE.fullmatch(text)
    if aspect == "dtype":
        return text if dtype else None
    if aspect in ("ndim", "numel"):
        return text if text.isdigit() else None
    return text if dtype or value_prefix(text) == len(text) > 0 else None


# --- questions --------------------------------------------------------------------------------------

_ASKING: tuple[tuple[Aspect, str], ...] = (
    ("shape", rf"{_SHAPE_WORD}"),
    ("dtype", r"dtype|数据类型|\bdata type"),
    ("ndim", r"how many (?:dim|axes)|几维|多少维|几个维度|number of dim"),
    ("numel", r"how many elements|多少个?元素|几个元素|number of elements"),
    (
        "value",
        r"return|print|give|output|evaluate|\bvalue\b|result|what(?:'s| is)|equal|yield|返回|输出|打印|得到|结果|的?值|等于|是(?:什么|多少)?\W*$|多少",
    ),
)
_ASKS = tuple((aspect, pattern(form, re.IGNORECASE)) for aspect, form in _ASKING)
_CODE = pattern(r"(`+)([^`]+)\1")
_OTHERWISE = pattern(
    r"\b(?:why|when|if|difference|type of|which (?:function|method|argument)|how (?:do|can|to))\b|为什么|区别|如果|类型|哪个|怎么|如何",
    re.IGNORECASE,
)
_EITHER = pattern(r"\W*(?:is|does|will)\s+`\s*(?:be\s+|return\s+)?(?:true or false)\W*", re.IGNORECASE)
_DATA_TYPE = pattern(r"数据类型|\bdata type|dtype", re.IGNORECASE)


def asked_value(question: str, answer: str) -> ToldValue | None:
    """What the answer to a question about one expression says of it."""
    if "`" not in question:
        return None
    text = unescaped(question).replace("``", "`")
    codes = [match[2].strip() for match in _CODE.finditer(text)]
    if len(codes) != 1 or expression(codes[0]) is None:
        return None
    words = _CODE.sub(" ` ", text)
    if _EITHER.fullmatch(words):
        return told_value(codes[0], "value", answered_value(answer) or "")
    if _OTHERWISE.search(words) and not _DATA_TYPE.search(words):
        return None
    code = codes[0]
    given = answered_value(answer)
    asks = next((aspect for aspect, form in _ASKS if form.search(words)), None)
    if given is None or (asks is None and words.strip(" ?？`：:=") != ""):
        return None
    shaped = code.endswith((".shape", ".size()")) or (asks or "value") == "value"
    return told_value(code, "value" if shaped or asks is None else asks, given)


def answered_value(answer: str) -> str | None:
    """The value with which an answer begins, if only an explanation follows."""
    first = unescaped(answer).strip().partition("\n")[0].replace("**", "").strip()
    found = _ANSWER.match(half_width(first))
    return (found["marked"] or found["bare"]).strip() if found else None


_ANSWER = pattern(
    rf"(?:`(?P<marked>[^`\n]{{1,300}})`|(?P<bare>{_LITERAL}|{_DTYPE}))(?:\s*(?:dim(?:ension)?s?|elements|维|个元素)\b)?{_END}"
)


def probes(told: ToldValue) -> Iterator[str]:
    """The expression to look at, where that is not the value itself."""
    suffix = {"dtype": ".dtype", "ndim": ".dim()", "numel": ".numel()"}.get(told.aspect)
    if suffix and not told.expression.endswith(suffix):
        yield f"({told.expression}){suffix}"
