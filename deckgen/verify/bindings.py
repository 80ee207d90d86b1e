"""The code around a claim: its statements, and what each name in it stands for."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache

from deckgen.text.syntax import nodes, parsed

KNOWN = frozenset(dir(builtins)) | {"torch", "nn", "F", "np", "numpy", "optim"}
"""Names of modules and builtins: they bind nothing that a claim could be about."""


def expression(target: str | None) -> ast.AST | None:
    """The tree of what a claim looks at, if it says so."""
    try:
        return ast.parse(target, mode="eval").body if target else None
    except (SyntaxError, ValueError):
        return None


def statement(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement that holds a 0-based line; of several in one line the last."""
    found = [node for node in nodes(tree) if isinstance(node, ast.stmt) and holds(node, line)]
    return sorted(found, key=lambda node: node.lineno)[-1] if found else None


def holds(node: ast.stmt, line: int) -> bool:
    """True if a 0-based line is one of this statement's."""
    return node.lineno - 1 <= line < (node.end_lineno or node.lineno)


def conditions(tree: ast.Module, line: int | None) -> list[ast.expr]:
    """What decides whether the statement at a line runs: `if torch.cuda.is_available():`."""
    around = (node for node in nodes(tree) if isinstance(node, ast.If | ast.While))
    return [node.test for node in around if line is not None and line > node.lineno - 1 and holds(node, line)]


def names_of(code: str, line: int | None, target: str | None) -> frozenset[str]:
    """Names that a statement reads or binds, without modules and builtins."""
    tree = parsed(code)
    if tree is None or line is None:
        return frozenset()
    node = expression(target) or statement(tree, line)
    return frozenset(names(node)) - KNOWN if node is not None else frozenset()


def names_it_depends_on(code: str, line: int, target: str | None) -> frozenset[str]:
    """Names that may have a say in what a line shows: those it mentions, and all that share a statement above with them."""
    tree = parsed(code)
    found = set(names_of(code, line, target))
    above = [node for node in (tree.body if tree else ()) if node.lineno - 1 <= line]
    together = [{*names(node), getattr(node, "name", "")} - KNOWN - {""} for node in above]
    while more := [some for some in together if found & some and not some <= found]:
        found.update(*more)
    return frozenset(found)


def names(node: ast.AST) -> list[str]:
    """Every name in a piece of code."""
    return [child.id for child in nodes(node) if isinstance(child, ast.Name)]


def bindings(code: str, line: int | None) -> dict[str, list[ast.AST]]:
    """What each name may stand for at a line: values assigned, loops over it, functions and classes."""
    bound: dict[str, list[ast.AST]] = {}
    for at, name, value, anew in _bound_in(code):
        if line is None or at <= line:
            bound[name] = [value] if anew else [*bound.get(name, ()), value]
    return bound


@lru_cache(maxsize=64)
def _bound_in(code: str) -> list[tuple[int, str, ast.AST, bool]]:
    """(0-based line, name, what it is bound to, whether that replaces all before) in order of statements."""
    tree = parsed(code)
    found: list[tuple[int, str, ast.AST, bool]] = []
    for top in tree.body if tree else ():
        surely = (top, top.value) if isinstance(top, ast.Assign | ast.Expr) else ()
        for node in nodes(top):
            for target, value, replaces in _binds(node):
                whole = _names_set_whole(target) if replaces and node in surely else ()
                for name in names(target):
                    anew = name in whole and (value is node or name not in names(value))
                    found.append((getattr(node, "lineno", top.lineno) - 1, name, value, anew))
    return found


def _names_set_whole(target: ast.AST) -> list[str]:
    """The names of which an assignment leaves nothing as it was: `x`, `x, y`, `x[:]`, but not `x[0]`."""
    if isinstance(target, ast.Subscript):
        return _names_set_whole(target.value) if ast.unparse(target.slice) in (":", "::", "...") else []
    if isinstance(target, ast.Tuple | ast.List):
        return [name for one in target.elts for name in _names_set_whole(one)]
    return [target.id] if isinstance(target, ast.Name) else []


_FILLING = frozenset(
    "fill_ zero_ copy_ normal_ uniform_ random_ bernoulli_ exponential_ geometric_ cauchy_ log_normal_ set_".split()
)
"""Methods that leave nothing of what a tensor held."""


def _binds(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, bool]]:
    """(target, what it is bound to, whether nothing is left of what it was) of a node itself."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value, True) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value, False
    elif isinstance(node, ast.For | ast.comprehension):
        yield node.target, node.iter, False
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr, False
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield ast.Name(node.name, ast.Store()), node, False
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
        yield node.func.value, node, node.func.attr in _FILLING  # in place: `x.normal_()`
    elif isinstance(node, ast.Call):
        yield from ((one.value, node, True) for one in node.keywords if one.arg == "out")
