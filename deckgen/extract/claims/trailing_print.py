"""A comment after a print on its line: `print(x)  # 输出: False (因为...)`, `# => 3`, `# prints 3.0`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from deckgen.extract.claims.dtypes import is_dtype, stated_dtype
from deckgen.extract.claims.raising import exception_in
from deckgen.extract.claims.reading import Comment, Reading, Statement, is_print, template
from deckgen.extract.claims.shapes import Shapes, stated_shapes, written_shape
from deckgen.extract.claims.words import bare_number, marker, value_then_reason
from deckgen.model.claim import Claim, HasShape, Prints, Shows
from deckgen.text.pattern import pattern
from deckgen.written import Dots, Mark, half_width
from deckgen.written.parsing import parse
from deckgen.written.values import is_value, value_prefix

FORM = "trailing-print"


def find(reading: Reading) -> Iterator[Claim]:
    """Claims of comments that end a line with a print."""
    for comment in reading.comments:
        statement = None if comment.alone else reading.ending_at(comment.line)
        if statement and is_print(statement.node):
            yield from _claim(reading, statement, comment)


def _claim(reading: Reading, statement: Statement, comment: Comment) -> Iterator[Claim]:
    text, stop = continued(reading, comment)
    span = reading.place(comment.line, stop)
    call = statement.node.value  # type: ignore[attr-defined]  # is_print has looked
    said = printed_text(text, call)
    if said is None and reading.handles(comment.line) and exception_in(text):
        said = text.strip()
    if said is not None:
        yield Prints(id="", span=span, text=said, form=FORM, code_line=statement.start)
        return
    dtype = stated_dtype(text, call.args[0]) if len(call.args) == 1 and is_dtype(call.args[0]) else None
    if dtype:
        yield Shows(id="", span=span, text=dtype[1], form=FORM, code_line=statement.start, target=dtype[0])
        return
    shapes = stated_shapes(text) or (product_of_sizes(text, call.args[0]) if len(call.args) == 1 else None)
    if shapes and len(call.args) == 1 and not isinstance(call.args[0], ast.Constant | ast.JoinedStr):
        target = ast.unparse(call.args[0])
        yield HasShape(
            id="", span=span, text=shapes[2], form=FORM, code_line=statement.start, target=target, shapes=shapes[1]
        )


def printed_text(text: str, call: ast.Call) -> str | None:
    """What a comment says that a print writes, or None if it describes."""
    sign, rest = marker(text)
    value = value_then_reason(rest)
    if value is not None:
        return value
    pattern = template(call)
    if pattern and pattern.matches(rest):
        return rest.strip()
    said = None
    if len(call.args) == 1:
        said = counted(rest, call.args[0]) or announced_value(text, call.args[0]) or _name_of(rest, call.args[0])
    if said is not None:
        return said
    if fills(rest, call) and not bare_number(rest.rpartition(" ")[2]):
        return rest.strip()
    if sign == "strong" and (_literal(rest.strip()) or _shares_words(rest, call)):
        return rest.strip()
    return None


def _name_of(text: str, shown: ast.expr) -> str | None:
    """`ExpBackward0` beside `type(x.grad_fn).__name__`: one word is all that this can print."""
    named = isinstance(shown, ast.Attribute) and shown.attr in ("__name__", "__qualname__")
    return text.strip() if named and text.strip().isidentifier() and text.isascii() else None


def announced_value(text: str, shown: ast.expr) -> str | None:
    """The value in which a comment ends, whatever it says before that, if it fits what is shown."""
    plain = half_width(text)
    found = _WHOLE.fullmatch(plain) if len(text) < _LONG else None
    if found is None and len(text) < _LONG:
        found = _SUM.fullmatch(plain) or (_SIZE.fullmatch(plain) if _is_size(shown) else None)
    if found is None or value_prefix(found["value"]) != len(found["value"]):
        return None
    return text[found.start("value") : found.end("value")]


def product_of_sizes(text: str, shown: ast.expr) -> tuple[str | None, Shapes, str] | None:
    """`4×2×3` beside `x.shape`."""
    shape = written_shape(text) if _is_size(shown) and text.strip()[:1].isdigit() else None
    return None if shape is None else (None, (shape,), text.strip())


def _is_size(node: ast.expr) -> bool:
    node = node.func if isinstance(node, ast.Call) and not node.args else node
    return isinstance(node, ast.Attribute) and node.attr in ("shape", "size")


_COUNTED = pattern(
    r"(?:[^\d:=]{0,20}(?:只有|共有?|剩下?|得到|有|is|are|has|have|gives|of)\s?)?(?P<count>\d+)(?=\s*[^\W\d_a-zA-Z]|\s+(?:bytes?|elements?|dim(?:ension)?s?|parameters|items?|values?)\b)"
)
_WHOLE = pattern(
    r"(?:.{1,40}?(?:[:=,?]|→|->|=>|为|是|得到|打印|输出|返回|变成|\b(?:is|are|be|prints?|outputs?|returns?|gives?|gets?|becomes|still|again|back to|remains|stays))|(?:still|back to|again|仍然?是|还是))\s*"
    r"(?P<value>(?:torch\.)?(?:tensor|Size|array)\(.*\)"
    r"|(?:(?<=[:,?])|(?<=输出|打印|返回|得到)|(?<=结果[为是]))\s?(?:True|False|None)|(?<=[为是得到])\s?torch\.[a-z]+\d*)\s*[.。]?",
    re.DOTALL,
)
"""`a 也变了: tensor([100, 1])`, `The result is tensor(2.)`: whatever is said, it ends in a whole literal."""
_SUM = pattern(r"[-+]?[\d.][\d.\s+\-*/x×()^%]*=\s*(?P<value>[-+]?[\d.]+)\s*")
"""`3 + 2 = 5`."""
_SIZE = pattern(r"[^=:]{1,40}[=:]\s*(?P<value>[(\[][\d,\s]+[)\]])\s*")
"""`(batch, seq, hidden) = (5, 7, 6)`."""
_LONG = 2000
_COUNTS = frozenset("numel nelement dim ndim ndimension len element_size nbytes itemsize storage_offset size".split())


def counted(text: str, shown: ast.expr) -> str | None:
    """`12` of `12 个元素` beside what counts something: it says how many, and of what."""
    found = (_COUNTED.match(text) or _AMOUNT.fullmatch(text)) if _is_count(shown) else None
    return found["count"] if found else None


_AMOUNT = pattern(
    r"\s*(?:长度|个数|元素(?:个数|总数)|总数|数量|(?:总|可训练)?参数(?:总数|总量|量|个数|数)|(?:total |trainable )*param(?:eter)?s|维数|维度数|length|len|count|numel|ndim|number of \w+)\s*(?:[:：=]|为|是|is)?\s*"
    r"(?P<count>\d+)\s*(?:[,，。(（;；].*)?",
    re.IGNORECASE,
)


def _is_count(one: ast.expr) -> bool:
    """True for an expression that counts elements, bytes or dimensions, and for products of such ones."""
    if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "sum" and one.args:
        summed = one.args[0]
        return isinstance(summed, ast.GeneratorExp | ast.ListComp) and _is_count(summed.elt)
    if isinstance(one, ast.BinOp):
        return all(_is_count(side) or isinstance(side, ast.Constant) for side in (one.left, one.right))
    name = (
        getattr(one, "attr", "")
        or getattr(getattr(one, "func", None), "attr", "")
        or getattr(getattr(one, "func", None), "id", "")
    )
    return name in _COUNTS and (name != "size" or (isinstance(one, ast.Call) and bool(one.args)))


def fills(text: str, call: ast.Call) -> bool:
    """True if a text has as many parts as a print has objects, and a value for the last: `weight torch.Size([2, 3])`."""
    if len(call.args) == 1 and isinstance(call.args[0], ast.JoinedStr):
        return _fills_fields(text, call)
    if len(call.args) < 2 or call.keywords or any(isinstance(one, ast.Starred | ast.Constant) for one in call.args):
        return False
    nodes = parse(text)
    return (
        len(nodes) == len(call.args) and not any(isinstance(one, Mark | Dots) for one in nodes) and is_value(nodes[-1:])
    )


def _fills_fields(text: str, call: ast.Call) -> bool:
    """The same for `f"{name}: {x.shape}"`."""
    pattern = template(call, bare=True)
    value = re.split(r"[:=]\s*", text)[-1]
    return pattern is not None and pattern.matches(text) and value != text and value_prefix(value) == len(value) > 0


def _shares_words(rest: str, call: ast.Call) -> bool:
    """True if a text has most of the words that a print writes in any case: it quotes what is printed."""
    parts = [part for one in call.args for part in (one.values if isinstance(one, ast.JoinedStr) else [one])]
    constants = [part.value for part in parts if isinstance(part, ast.Constant)]
    fixed = {word for text in constants if isinstance(text, str) for word in re.findall(r"[^\W\d]+", text)}
    return bool(fixed) and 2 * len(fixed & set(re.findall(r"[^\W\d]+", rest))) >= len(fixed)


def _literal(rest: str) -> bool:
    """True for text that an explicit `输出:` may quote as it is: one word, or a label and a value."""
    if re.fullmatch(r"[\x21-\x7e]+", rest):
        return True
    labelled = re.fullmatch(r"[^:=]{1,40}[:=]\s*(.+)", half_width(rest), re.DOTALL)
    return bool(labelled and value_prefix(labelled[1]) == len(labelled[1]))


def continued(reading: Reading, comment: Comment) -> tuple[str, int]:
    """A trailing comment with the aligned comment lines that its open brackets need; and where it stops."""
    text, stop = comment.text, comment.line + 1
    if not _open(text):
        return text, stop
    following = {c.line: c for c in reading.comments if c.alone and c.column >= min(comment.column, 4)}
    while _open(text) and stop in following and stop - comment.line < 200:
        text += "\n" + following[stop].text
        stop += 1
    return text, stop


def _open(text: str) -> bool:
    plain = half_width(text)
    return sum(map(plain.count, "([{")) > sum(map(plain.count, ")]}"))
