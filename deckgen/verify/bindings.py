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
    """The innermost statement that holds a 0-based line."""
    best: ast.stmt | None = None
    todo: list[ast.AST] = [*reversed(tree.body)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            if not node.lineno - 1 <= line < (node.end_lineno or node.lineno):
                continue
            if best is None or node.lineno >= best.lineno:
                best = node
        elif isinstance(node, ast.expr):
            continue
        todo.extend(reversed([*ast.iter_child_nodes(node)]))
    return best


def conditions(tree: ast.Module, line: int | None) -> list[ast.expr]:
    """What decides whether the statement at a line runs: `if torch.cuda.is_available():`."""
    around = (node for node in nodes(tree) if isinstance(node, ast.If | ast.While) and line is not None)
    return [node.test for node in around if node.lineno - 1 < (line or 0) < (node.end_lineno or node.lineno)]


@lru_cache(maxsize=512)
def names_of(code: str, line: int | None, target: str | None) -> frozenset[str]:
    """Names that a statement reads or binds, without modules and builtins."""
    tree = parsed(code)
    if tree is None or line is None:
        return frozenset()
    node = expression(target) or statement(tree, line)
    return frozenset(names(node)) - KNOWN if node is not None else frozenset()


@lru_cache(maxsize=512)
def entangled(code: str, line: int | None, target: str | None) -> frozenset[str]:
    """Names that may have a say in what a line shows: those it mentions, and all that share a statement above with them."""
    tree = parsed(code)
    found = set(names_of(code, line, target))
    if tree is None or line is None:
        return frozenset(found)
    above = [set(names(node)) | _defined(node) for node in tree.body if node.lineno - 1 <= line]
    grown = True
    while grown:
        grown = False
        for together in above:
            if not together.isdisjoint(found) and not together <= found | KNOWN:
                found |= together - KNOWN
                grown = True
    return frozenset(found)


def _defined(node: ast.stmt) -> set[str]:
    return {node.name} if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else set()


def names(node: ast.AST) -> list[str]:
    """Every name in a piece of code."""
    return [child.id for child in nodes(node) if isinstance(child, ast.Name)]


def bindings(code: str, line: int | None) -> dict[str, list[ast.AST]]:
    """What each name may stand for at a line: values assigned, loops over it, functions and classes."""
    bound: dict[str, list[ast.AST]] = {}
    for at, name, value, anew in _bound_in(code):
        if line is not None and at > line:
            continue
        if anew:
            bound[name] = [value]  # what the name was before is gone
        else:
            bound.setdefault(name, []).append(value)
    return bound


@lru_cache(maxsize=64)
def _bound_in(code: str) -> tuple[tuple[int, str, ast.AST, bool], ...]:
    """(0-based line, name, what it is bound to, whether that replaces all before) in order of statements."""
    tree = parsed(code)
    found: list[tuple[int, str, ast.AST, bool]] = []
    for top in tree.body if tree else ():
        whole = top.value if isinstance(top, ast.Assign) else None
        replaced = {name for target in getattr(top, "targets", ()) for name in _names_set_whole(target)}
        filled = _filled(top)
        for node in nodes(top):
            for name, value in _binds(node):
                anew = (value is whole and name in replaced and name not in names(value)) or filled.get(name) is value
                found.append((getattr(node, "lineno", top.lineno) - 1, name, value, anew))
    return tuple(found)


def _names_set_whole(target: ast.expr) -> list[str]:
    """The names of which an assignment leaves nothing as it was: `x`, `x, y`, `x[:]`, but not `x[0]`."""
    if isinstance(target, ast.Subscript):
        everything = isinstance(target.slice, ast.Slice) and target.slice.lower is target.slice.upper is None
        everything = everything or (isinstance(target.slice, ast.Constant) and target.slice.value is ...)
        return _names_set_whole(target.value) if everything else []
    if isinstance(target, ast.Tuple | ast.List):
        return [name for one in target.elts for name in _names_set_whole(one)]
    return [target.id] if isinstance(target, ast.Name) else []


_FILLING = frozenset(
    "fill_ zero_ copy_ normal_ uniform_ random_ bernoulli_ exponential_ geometric_ cauchy_ log_normal_ set_".split()
)
"""Methods that leave nothing of what a tensor held."""


def _filled(top: ast.stmt) -> dict[str, ast.AST]:
    """By name, the call of a statement that fills a tensor anew: `torch.add(a, b, out=x)`, `x.fill_(7)`."""
    call = top.value if isinstance(top, ast.Expr | ast.Assign) else None
    if not isinstance(call, ast.Call):
        return {}
    filled = [one.value for one in call.keywords if one.arg == "out"]
    if isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING:
        filled.append(call.func.value)
    return {name: call for target in filled for name in _names_set_whole(target)}


def _binds(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is not None:
            yield from ((name, node.value) for target in targets for name in names(target))
    elif isinstance(node, ast.For | ast.comprehension):
        yield from ((name, node.iter) for name in names(node.target))
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from ((name, node.context_expr) for name in names(node.optional_vars))
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name, node
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
        yield from ((name, node) for name in names(node.func.value))  # in place: `x.normal_()`
    elif isinstance(node, ast.Call):
        yield from ((name, node) for one in node.keywords if one.arg == "out" for name in names(one.value))
