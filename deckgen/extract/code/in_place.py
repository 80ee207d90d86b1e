"""The line that a card is about though nothing below it uses what it gives: `x.mul(2)` above `x`, which is as it was."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from deckgen.extract.code.statements import Statement
from deckgen.text.syntax import parsed

_TWINS = frozenset(
    "abs absolute acos add addcdiv addcmul addmm asin atan bernoulli bool byte ceil clamp clip copysign cos cpu cuda detach div divide "
    "double erf exp fill fill_diagonal float floor flip half index_add index_copy index_fill int log log10 log2 logical_not long lt gt "
    "masked_fill masked_scatter mul multiply nan_to_num neg negative permute pow reciprocal relu relu6 remainder renorm requires_grad "
    "reshape resize round rsqrt scatter scatter_add sigmoid sign sin sort sqrt square squeeze sub subtract swapaxes t tan tanh to "
    "transpose tril triu trunc type unsqueeze view zero leaky_relu elu selu dropout softmax normalize".split()
)
"""Calls that leave their tensor as it is, where a reader may think that they change it: most have a twin that does, with `_`."""
_LIBRARY = frozenset(("torch", "F"))
_ASPECTS = frozenset(("shape", "dtype", "device", "requires_grad", "is_leaf", "size", "data", "ndim"))


def point_of(body: Sequence[Statement], target: str = "") -> Statement | None:
    """The statement above the last one that works on what is asked for and leaves it as it was, if nothing comes between.

    What is asked for is what the last statement shows, or the expression `target`.
    """
    if not body:
        return None
    tree = parsed(target) if target else None
    asked = names_shown(tree.body[0] if tree and tree.body else body[-1].node)
    above = body if target and isinstance(body[-1].node, ast.Assign) else body[:-1]
    for one in reversed(above if asked else ()):
        if not asked.isdisjoint(one.loads | one.binds | one.changes):
            return one if leaves(one, asked) else None
    return None


def leaves(statement: Statement, asked: set[str]) -> bool:
    """True for a statement that works on something that is asked for, and leaves it as it was."""
    return _works_on(statement) in asked and asked.isdisjoint(statement.binds)


def names_shown(node: ast.stmt) -> set[str]:
    """Names that a statement shows as they are, or an aspect of: `print(x)`, `x.shape`."""
    values = printed_by(node) or ([node.value] if isinstance(node, ast.Expr) else [])
    return {one.id for one in map(_looked_at, values) if isinstance(one, ast.Name)}


def _looked_at(value: ast.expr) -> ast.expr:
    """`x` of `x.shape` and `x.size()`; any other expression is itself."""
    match value:
        case ast.Call(func=ast.Attribute(attr=attr, value=owner), args=[]) if attr in _ASPECTS:
            return owner
        case ast.Attribute(attr=attr, value=owner) if attr in _ASPECTS:
            return owner
        case _:
            return value


def printed_by(node: ast.stmt) -> list[ast.expr]:
    """What a statement prints that is nothing but one `print`."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=printed, keywords=[])):
            return printed
        case _:
            return []


def _works_on(statement: Statement) -> str | None:
    """`x` of `y = x.mul(2)`, `x.mul(2)`, `print(x.mul(2))` and `torch.relu(x)`."""
    node = statement.node
    value = node.value if isinstance(node, ast.Assign | ast.Expr) else None
    printed = printed_by(node)
    match printed[0] if len(printed) == 1 else value:
        case ast.Call(func=ast.Attribute(attr=attr, value=ast.Name(id=owner)), args=given) if attr in _TWINS:
            if owner not in _LIBRARY:
                return owner
            return given[0].id if given and isinstance(given[0], ast.Name) else None
        case _:
            return None
