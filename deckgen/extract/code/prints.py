"""Which print of some code wrote which part of its output, and which of them repeat what was typed."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_NUMBER = pattern(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?")
_COPIES = ("tensor", "as_tensor", "Tensor", "array", "FloatTensor", "LongTensor")
"""Calls whose result shows the numbers that they were given."""
_FILLS = ("ones", "zeros")
_DRAWS = ("ones", "zeros", "rand", "randn", "empty")
"""Calls that are given the shape of their result."""


class Shown(NamedTuple):
    """A statement that shows something, and what it shows."""

    node: ast.Expr
    values: Sequence[ast.expr]
    """What is printed, or the value that a notebook shows."""
    text: str


@lru_cache(maxsize=1024)
def shown_by(code: str, cell: bool, output: str) -> Sequence[Shown]:
    """The statements that show something, each with its part of the output; empty if that cannot be told from the text.

    It can where every print stands by itself and writes one value: a line, or lines of one bracket.
    """
    tree = parsed(code)
    if tree is None:
        return []
    shown = [node for node in tree.body if isinstance(node, ast.Expr) and (_is_print(node.value))]
    last = tree.body[-1] if tree.body else None
    if (cell or not shown) and isinstance(last, ast.Expr) and not _is_print(last.value):
        shown.append(last)
    inner = sum(_is_print(node) for node in nodes(tree)) - sum(_is_print(node.value) for node in shown)
    parts = list(parts_of(output))
    if inner or len(parts) != len(shown):
        return []
    return [Shown(node, _values(node), part) for node, part in zip(shown, parts, strict=True)]


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _values(node: ast.Expr) -> Sequence[ast.expr]:
    if isinstance(node.value, ast.Call) and _is_print(node.value):
        return node.value.args
    return [node.value]


def parts_of(output: str) -> Iterator[str]:
    """The lines of an output, those of one bracket together."""
    lines: list[str] = []
    opened = 0
    for line in output.split("\n"):
        if line.strip():
            lines.append(line)
            opened += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            if opened <= 0:
                yield "\n".join(lines)
                lines, opened = [], 0
    if lines:
        yield "\n".join(lines)


def is_text(values: Sequence[ast.expr]) -> bool:
    """True for what `print("-----")` shows: a line between outputs, or a label."""
    return bool(values) and all(isinstance(value, ast.Constant) for value in values)


def repeats(code: str, values: Sequence[ast.expr], text: str) -> bool:
    """True if nothing is shown but what was typed: a text, `torch.tensor([7, 7])`, the shape of `torch.zeros(2, 3)`."""
    tree = parsed(code)
    if tree is None or not values:
        return False
    if is_text(values):
        return True
    given = _made_of(tree, values[0])
    if len(values) == 1 and not isinstance(given, ast.Call) and _is_typed(given):
        return _is_same(given, text)
    if "dtype=" in text:
        return False
    each = _each(values)
    typed = [_typed(tree, value) for value in each]
    written = _written(text)
    if len(typed) == 1 and isinstance(typed[0], float):
        return set(written) <= {typed[0]}
    numbers = [number for one in typed if isinstance(one, list) for number in one]
    return all(isinstance(one, list) for one in typed) and numbers == written


def _each(values: Sequence[ast.expr]) -> list[ast.expr]:
    """The values, those of a tuple one by one: a notebook shows `x.shape, y.shape` as one."""
    return [one for value in values for one in (value.elts if isinstance(value, ast.Tuple) else [value])]


def _typed(tree: ast.Module, value: ast.expr) -> list[float] | float | None:
    """The numbers that a value shows because they were typed; the one number that fills it; None if it is computed."""
    if isinstance(value, ast.Constant):
        return _numbers(value)
    if isinstance(value, ast.JoinedStr):
        held = [_typed(tree, one.value) for one in value.values if isinstance(one, ast.FormattedValue)]
        lists = [one for one in held if isinstance(one, list)]
        return [number for one in lists for number in one] if len(lists) == len(held) else None
    sized = _sized(value)
    made = _made_of(tree, value if sized is None else sized)
    if not isinstance(made, ast.Call):
        return _numbers(made) if isinstance(made, ast.Constant) else None
    if not isinstance(made.func, ast.Attribute):
        return None
    if sized is not None:
        return _numbers(_with_constants(tree, made)) if made.func.attr in _DRAWS else None
    if any(one.arg != "dtype" for one in made.keywords):
        return None
    if made.func.attr in _FILLS:
        return float(made.func.attr == "ones")
    given = _made_of(tree, made.args[0]) if made.func.attr in _COPIES and made.args else None
    return _numbers(given) if given is not None and _is_of_one_type(given) else None


def _sized(value: ast.expr) -> ast.expr | None:
    """`x` of `x.shape` and `x.size()`."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "size":
        return value.func.value if not value.args else None
    return value.value if isinstance(value, ast.Attribute) and value.attr == "shape" else None


def _made_of(tree: ast.Module, value: ast.expr) -> ast.expr:
    """What a name was last bound to; any other expression is itself."""
    if not isinstance(value, ast.Name):
        return value
    bound = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and node.lineno <= value.lineno
        and any(isinstance(one, ast.Name) and one.id == value.id for one in node.targets)
    ]
    return bound[-1] if bound else value


class _Constants(ast.NodeTransformer):
    """Puts the number in the place of each name that was bound to one."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    def visit_Name(self, node: ast.Name) -> ast.expr:
        made = _made_of(self._tree, node)
        return made if isinstance(made, ast.Constant) else node


def _with_constants(tree: ast.Module, call: ast.Call) -> ast.expr:
    """A call of torch with numbers for the names that stand for them: `torch.rand(height, width)`."""
    arguments = [
        _Constants(tree).visit(copy.deepcopy(one)) for one in (*call.args, *(one.value for one in call.keywords))
    ]
    return ast.Tuple(arguments, ast.Load())


def counts_own(code: str, values: Sequence[ast.expr]) -> bool:
    """True if nothing is shown but how many elements some names have: `len(X_train), len(X_test)`."""
    tree = parsed(code)
    each = _each(values)
    return tree is not None and bool(each) and all(_is_length(tree, _made_of(tree, one)) for one in each)


def _is_length(tree: ast.Module, node: ast.expr) -> bool:
    """True for `len(X_train)` of a part of somebody's data, or of a data set; and for a text with it.

    How long a loader or a container of modules is, torch decides.
    """
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name() | ast.Attribute() as counted]):
            made = _made_of(tree, counted)
            return isinstance(made, ast.Name | ast.Subscript) or "datasets." in ast.unparse(made)
        case ast.JoinedStr(values=values):
            held = [one.value for one in values if isinstance(one, ast.FormattedValue)]
            return bool(held) and all(_is_length(tree, one) for one in held)
        case ast.Constant(value=str()):
            return True
        case _:
            return False


def _is_typed(node: ast.expr) -> bool:
    """True for a value that is written as it is: `1000`, `[1, 2]`, `{1: "a"}`."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _is_same(node: ast.expr, text: str) -> bool:
    """True if a text is the value that is written: not of a list to which something was added."""
    try:
        return bool(ast.literal_eval(node) == ast.literal_eval(text.strip()))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def _constants(node: ast.expr) -> list[ast.Constant]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Constant)]


def _is_of_one_type(node: ast.expr) -> bool:
    """False for what torch has to promote, and for what is computed."""
    plain = ast.List | ast.Tuple | ast.Constant | ast.UnaryOp | ast.USub | ast.Load
    written = all(isinstance(one, plain) for one in ast.walk(node))
    return written and len({type(one.value) for one in _constants(node)}) == 1


def _numbers(node: ast.expr) -> list[float]:
    signs = {id(one.operand) for one in ast.walk(node) if isinstance(one, ast.UnaryOp)}
    return [
        -float(one.value) if id(one) in signs else float(one.value)
        for one in _constants(node)
        if isinstance(one.value, int | float)
    ]


def _written(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text.replace("True", "1").replace("False", "0"))]
