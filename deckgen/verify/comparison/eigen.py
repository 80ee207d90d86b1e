"""Eigenvectors and singular vectors: each is known up to its sign, which is the machine's."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from deckgen.model.observation import Value
from deckgen.text.syntax import parsed
from deckgen.verify.bindings import bindings, expression, statement
from deckgen.verify.comparison.numbers import Differs, Scalar, matches
from deckgen.verify.sources import VECTORS, called

SIGNS = "the signs of eigenvectors and singular vectors are the machine's"


def shows_vectors(code: str, line: int | None, target: str | None, values: Sequence[Value]) -> bool:
    """True if what is shown is what `eigh`, `svd` and their like give: a matrix, or a part of one, and not made of it.

    Eigenvalues and singular values stand in a row, and have their signs.
    """
    tree = parsed(code)
    if tree is None or line is None:
        return False
    shown = expression(target) or statement(tree, line)
    if isinstance(shown, ast.Expr):
        shown = shown.value
    printed = isinstance(shown, ast.Call) and called(shown) == "print"
    arguments = shown.args if printed and isinstance(shown, ast.Call) else [shown]
    bound = bindings(code, line)
    parts = [part for value in values for part in (value, *value.items)]
    matrix = any(len(part.shape or ()) > 1 for part in parts)
    return any(_is_decomposed(one, bound) and (matrix or isinstance(one, ast.Subscript)) for one in arguments)


def _is_decomposed(node: ast.AST | None, bound: Mapping[str, Sequence[ast.AST]]) -> bool:
    """True for `Q` after `L, Q = torch.linalg.eigh(A)`, for `torch.svd(A).U` and for `Q[:, 0]`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
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
