"""Eigenvectors and singular vectors: each is known up to its sign, which is the machine's."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from deckgen.observation import Value
from deckgen.syntax import nodes, parsed
from deckgen.verify.bindings import bindings, expression, statement
from deckgen.verify.comparison.numbers import Differs, Scalar, matches
from deckgen.verify.sources import VECTORS, called

SIGNS = "the signs of eigenvectors and singular vectors are the machine's"


def may_show_vectors(code: str, line: int | None, target: str | None, values: Sequence[Value]) -> bool:
    """False for eigenvalues and singular values, which stand in a row; a row that is cut out of a matrix may be a vector."""
    if any(len(value.shape or ()) > 1 for value in values):
        return True
    tree = parsed(code)
    shown = expression(target) or (statement(tree, line) if tree is not None and line is not None else None)
    return shown is not None and any(isinstance(node, ast.Subscript) for node in nodes(shown))


def shows_vectors(code: str, line: int | None, target: str | None, values: Sequence[Value]) -> bool:
    """True if the matrix that is shown is itself what `eigh`, `svd` and their like give, and not made of it."""
    tree = parsed(code)
    if tree is None or line is None or not any(len(value.shape or ()) > 1 for value in values):
        return False
    shown = expression(target) or statement(tree, line)
    arguments = shown.value.args if isinstance(shown, ast.Expr) and isinstance(shown.value, ast.Call) else [shown]
    bound = bindings(code, line)
    return any(_is_decomposed(one, bound) for one in arguments)


def _is_decomposed(node: ast.AST | None, bound: Mapping[str, Sequence[ast.AST]]) -> bool:
    """True for `Q` after `L, Q = torch.linalg.eigh(A)`, and for `torch.svd(A).U`."""
    if isinstance(node, ast.Expr | ast.Attribute):
        node = node.value
    if isinstance(node, ast.Name):
        node = bound.get(node.id, [None])[-1]
    return isinstance(node, ast.Call) and called(node) in VECTORS


def same_but_for_signs(texts: Sequence[str], shape: tuple[int | None, ...] | None, value: Value) -> bool:
    """True if written elements are the live ones, of which whole rows or whole columns have another sign."""
    data, sizes = value.data or (), value.shape
    if not sizes or shape != sizes or len(texts) != len(data):
        return False
    signs = [_sign(text, one, value.dtype) for text, one in zip(texts, data, strict=True)]
    if None in signs:
        return False
    width, height = sizes[-1], sizes[-2] if len(sizes) > 1 else 1
    rows = [signs[at : at + width] for at in range(0, len(signs), width)]
    matrices = [rows[at : at + height] for at in range(0, len(rows), height)]
    columns = [column for matrix in matrices for column in zip(*matrix, strict=True)]
    return all(map(_is_one_sign, rows)) or all(map(_is_one_sign, columns))


def _sign(text: str, one: Scalar, dtype: str | None) -> int | None:
    """1 if a written number is the live one, -1 if it is with the other sign, 0 if it is zero, None if it is another."""
    if not isinstance(one, float | complex) or isinstance(one, bool):
        return None
    try:
        same, other = (matches(text, each, dtype, strict=False) != "far" for each in (one, -one))
    except Differs:
        return None
    return 0 if same and other else 1 if same else -1 if other else None


def _is_one_sign(signs: Sequence[int | None]) -> bool:
    return not {1, -1} <= set(signs)
