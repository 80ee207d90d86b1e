"""What a statement changes besides what it shows: a comment beside it may tell the value of either.

`t[:, 1] = 0` binds a part of `t`, and notes show all of it; `d.backward()` gives nothing, and notes show `d`, or the gradient.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from deckgen.extract.claims.code import CodeBlock, assigned, is_print
from deckgen.model.claim import Claim, HasShape, Shows

_GIVING_NOTHING = frozenset("backward step zero_grad append extend insert sort reverse update clear".split())
"""Methods that change something and return None."""


def with_what_changed(claim: Claim, block: CodeBlock) -> Claim:
    """The claim with the expressions that it may be about instead."""
    if not isinstance(claim, Shows | HasShape):
        return claim
    node = next((one.node for one in block.statements if one.start == claim.code_line), None)
    own, target = assigned(node) if node else None, claim.target
    if node is None or not (target == own or (own and target and target.startswith(f"{own}."))):
        return claim
    aspect = (target or "").removeprefix(own or "")  # `.shape`
    wholes = (whole for whole in _changed(node, block) if "(" not in whole)  # to look at a call is to call it once more
    return replace(claim, instead=tuple(whole + aspect for whole in wholes))


def gives_value(node: ast.stmt) -> bool:
    """True for an expression whose value a notebook shows; not for `print(x)` and `y.backward()`."""
    shown = node.value if isinstance(node, ast.Expr) else None
    method = shown.func.attr if isinstance(shown, ast.Call) and isinstance(shown.func, ast.Attribute) else ""
    return not (shown is None or isinstance(shown, ast.Constant) or is_print(node) or method in _GIVING_NOTHING)


def _changed(node: ast.stmt, block: CodeBlock) -> Iterator[str]:
    match node:
        case ast.Assign(targets=[target, *_]) | ast.AugAssign(target=target):
            yield from _wholes(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=changed, attr=method))):
            if method in _GIVING_NOTHING:
                yield ast.unparse(changed)
            if method == "backward":
                yield from _gradients(block, node)
            if method.endswith("_"):  # in place: `t[0].fill_(1)`
                yield from _wholes(changed)
        case _:
            pass


def _wholes(part: ast.expr) -> Iterator[str]:
    """`t` of `t[:, 1]`, `w.data` and `w` of `w.data[0]`."""
    while isinstance(part, ast.Subscript | ast.Attribute):
        part = part.value
        yield ast.unparse(part)


def _gradients(block: CodeBlock, last: ast.stmt) -> Iterator[str]:
    """`x.grad` for each `x = torch.tensor(2., requires_grad=True)` above."""
    for one in block.statements:
        value = one.node.value if isinstance(one.node, ast.Assign) and one.node.lineno < last.lineno else None
        if isinstance(value, ast.Call) and any(keyword.arg == "requires_grad" for keyword in value.keywords):
            yield f"{assigned(one.node)}.grad"
