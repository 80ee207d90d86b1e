"""Expressions of torch that stand for themselves: every name in them is torch's or Python's, so they can be run as they are."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache

from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_ROOTS = frozenset({"torch", "nn", "F", "Tensor", "optim"})
_KNOWN = _ROOTS | {"np", "math"} | frozenset(dir(builtins))
_UNFIT = frozenset(
    "print input open exec eval manual_seed seed load save compile exit quit breakpoint help globals locals vars dir".split()
)
"""What does something, or asks for more than stands there."""
_CONSTRUCTORS = frozenset(("dtype", "device", "torch.dtype", "torch.device", "Size", "torch.Size", "Tensor"))
_LONGEST = 200
"""Characters of an expression."""
DTYPE = r"(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|complex(?:32|64|128)|bool)"
"""The name of a dtype: for patterns."""
_OF_DTYPE_ITSELF = pattern(rf"torch\.{DTYPE}\.\w+")
_LAYER = pattern(r"(?:torch\.)?nn\.[A-Z]\w*\(")


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
