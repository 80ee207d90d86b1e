"""A comment after an expression on its line: `x + y  # tensor([2, 3])`, `x.shape  # torch.Size([2])`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deckgen.extract.claims.dtypes import stated_dtype
from deckgen.extract.claims.reading import Reading, Statement, is_print
from deckgen.extract.claims.shapes import stated_shapes
from deckgen.extract.claims.trailing_print import announced_value, continued, counted, product_of_sizes
from deckgen.extract.claims.words import bare_number, marker, value_then_reason
from deckgen.model.claim import Claim, HasShape, Shows
from deckgen.model.source import Span
from deckgen.text.pattern import pattern

FORM = "trailing-value"


def _is_argument(value: str, node: ast.expr) -> bool:
    """`torch.manual_seed(42)  # 42` says what is passed, not what is returned."""
    if not isinstance(node, ast.Call) or not bare_number(value):
        return False
    return any(isinstance(one, ast.Constant) and str(one.value) == value.strip() for one in node.args)


def _of_dtype(statement: Statement, span: Span, dtype: tuple[str, str]) -> Shows:
    place, name = dtype
    itself = place == ast.unparse(statement.node)
    target = None if itself else place
    return Shows(id="", span=span, text=name, form=FORM, code_line=statement.start, target=target)


def _changes(node: ast.expr) -> bool:
    """True for what must not be done twice: `x.add_(1)`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("_")


_OF_NAME = pattern(r"\s*(?P<name>[a-z_]{3,}?)s?\s*[:=：]\s*(?P<value>\S.*)")


def _of_its_name(text: str, node: ast.expr) -> str | None:
    """`(2,)` of `strides: (2,)` beside `x.stride()`: the label is what is called."""
    found = _OF_NAME.fullmatch(text)
    name = node.func if isinstance(node, ast.Call) else node
    same = found is not None and isinstance(name, ast.Attribute) and name.attr == found["name"]
    return value_then_reason(found["value"]) if found and same else None


def find(reading: Reading) -> Iterator[Claim]:
    """Claims of comments that end a line with an expression statement."""
    for comment in reading.comments:
        statement = None if comment.alone else reading.ending_at(comment.line)
        if not statement or not isinstance(statement.node, ast.Expr) or is_print(statement.node):
            continue
        if isinstance(statement.node.value, ast.Constant | ast.Yield | ast.Await):
            continue
        text, stop = continued(reading, comment)
        span = reading.place(comment.line, stop)
        sign, rest = marker(text)
        value = value_then_reason(rest)
        if value is None:
            value = announced_value(text, statement.node.value) or counted(text, statement.node.value)
            rest = value or rest
        if value is not None and _is_argument(value, statement.node.value):
            continue
        dtype = stated_dtype(text, statement.node.value)
        if dtype and statement.inside != "def" and not _changes(statement.node.value):
            yield _of_dtype(statement, span, dtype)
            continue
        value = value or _of_its_name(text, statement.node.value)
        rest = rest if value is None or value in rest else value
        shapes = stated_shapes(text) or product_of_sizes(text, statement.node.value)
        if value is not None and (sign or not bare_number(value) or value.strip() == rest.strip()):
            yield Shows(id="", span=span, text=value, form=FORM, code_line=statement.start, target=None)
        elif shapes and statement.inside != "def":
            target = shapes[0] or ast.unparse(statement.node)
            yield HasShape(
                id="", span=span, text=shapes[2], form=FORM, code_line=statement.start, target=target, shapes=shapes[1]
            )
