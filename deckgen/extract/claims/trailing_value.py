"""A comment after an expression on its line: `x + y  # tensor([2, 3])`, `x.shape  # torch.Size([2])`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deckgen.claim import Claim, HasShape, Shows
from deckgen.extract.claims.reading import Reading, is_print
from deckgen.extract.claims.shapes import stated_shapes
from deckgen.extract.claims.trailing_print import announced_value, continued, counted
from deckgen.extract.claims.words import bare_number, marker, value_then_reason

FORM = "trailing-value"


def _is_argument(value: str, node: ast.expr) -> bool:
    """`torch.manual_seed(42)  # 42` says what is passed, not what is returned."""
    if not isinstance(node, ast.Call) or not bare_number(value):
        return False
    return any(isinstance(one, ast.Constant) and str(one.value) == value.strip() for one in node.args)


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
        shapes = stated_shapes(text)
        if value is not None and (sign or not bare_number(value) or value.strip() == rest.strip()):
            yield Shows(id="", span=span, text=value, form=FORM, code_line=statement.start, target=None)
        elif shapes and statement.inside != "def":
            target = shapes[0] or ast.unparse(statement.node)
            yield HasShape(
                id="", span=span, text=shapes[2], form=FORM, code_line=statement.start, target=target, shapes=shapes[1]
            )
