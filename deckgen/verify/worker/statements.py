"""Statements: a snippet cut into its top-level statements, compiled one by one."""

from __future__ import annotations
import __future__

import ast
from types import CodeType
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .randomness import has_unwatched_source

PROBE = "__deckgen_probe__"

Probe = Tuple[int, str]
"""A line, and an expression that a claim asks about there."""


class Statement(NamedTuple):
    """One top-level statement; lines are 0-based indices into the snippet's code."""

    first: int
    last: int
    code: Optional[CodeType]
    shows: bool = False
    """The value of this expression statement is worth an event."""
    assigned: Tuple[str, ...] = ()
    probes: Sequence[str] = ()
    """Expressions to evaluate once it has run."""
    unwatched: bool = False
    """It may draw randomness that no generator's state betrays."""
    error: Optional[SyntaxError] = None
    """Why it has no code: it parses but does not compile (`return` outside a function)."""


class Cutter:
    """Cuts the snippets of one session; `from __future__ import ...` counts for all that follow, as in a notebook."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    def cut(self, code: str, offset: int, probes: Sequence[Probe]) -> Iterator[Statement]:
        """Statements in order; `offset` lines of the session's file come before. Raises SyntaxError, ValueError."""
        body = ast.parse(code, self.filename).body
        for node in body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                features = [getattr(__future__, alias.name, None) for alias in node.names]
                self.flags |= sum(one.compiler_flag for one in features if one is not None)
        wanted = assign_probes(body, probes)
        return (self._compile(node, offset, *wanted.get(id(node), ([], []))) for node in body)

    def _compile(self, node: ast.stmt, offset: int, after: List[str], inside: List[Probe]) -> Statement:
        first, last = span(node)
        assigned, unwatched = assigned_names(node), has_unwatched_source(node)
        insert_probes(node, inside)
        ast.increment_lineno(node, offset)
        shows = isinstance(node, ast.Expr) and not _says_nothing(node.value)
        tree: Any = ast.Expression(node.value) if isinstance(node, ast.Expr) else ast.Module([node], [])
        mode = "eval" if isinstance(node, ast.Expr) else "exec"
        try:
            code = compile(tree, self.filename, mode, flags=self.flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError) as error:
            reason = error if isinstance(error, SyntaxError) else SyntaxError(str(error))
            return Statement(first, last, None, error=reason)
        return Statement(first, last, code, shows, assigned, after, unwatched)


def span(node: ast.stmt) -> Tuple[int, int]:
    """First and last line of a statement, decorators included, 0-based."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return first - 1, (node.end_lineno or node.lineno) - 1


def _says_nothing(value: ast.expr) -> bool:
    """A call of print shows what it prints; a string standing alone is a comment."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str) or value.value is ...
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print"


def assigned_names(node: ast.stmt) -> Tuple[str, ...]:
    """Names that a top-level assignment (also inside `with`, `for`, `if`) binds, in order."""
    if isinstance(node, ast.Expr):
        return ()
    found: Dict[str, None] = {}
    pending: List[ast.AST] = [node]
    while pending:
        current = pending.pop(0)
        if isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Store):
            found[current.id] = None
        pending.extend(ast.iter_child_nodes(current))
    return tuple(found)


def assign_probes(body: Sequence[ast.stmt], probes: Sequence[Probe]) -> Dict[int, Tuple[List[str], List[Probe]]]:
    """For each top-level statement (by id): probes to take after it, and probes to take within it.

    A comment line of its own belongs to the statement before it.
    """
    wanted: Dict[int, Tuple[List[str], List[Probe]]] = {}
    for line, expression in dict.fromkeys((int(line), str(text)) for line, text in probes):
        above = [node for node in body if span(node)[0] <= line]
        try:
            ast.parse(expression.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError):
            continue
        if above:
            after, inside = wanted.setdefault(id(above[-1]), ([], []))
            if _innermost(above[-1], line) is None:
                after.append(expression)
            else:
                inside.append((line, expression))
    return wanted


def _innermost(node: ast.AST, line: int) -> Optional[Tuple[List[ast.stmt], int]]:
    """Block and index of the last simple statement inside `node` that starts at or before a line."""
    blocks = [getattr(child, name, None) for child in ast.walk(node) for name in ("body", "orelse", "finalbody")]
    places = [
        (span(inner)[0], block, index)
        for block in blocks
        if isinstance(block, list)
        for index, inner in enumerate(block)
        if not hasattr(inner, "body") and span(inner)[0] <= line
    ]
    return max(places, key=lambda place: place[0])[1:] if places else None


def insert_probes(node: ast.stmt, probes: Sequence[Probe]) -> None:
    """Put a call of the probe after the innermost statement that holds its line."""
    for line, expression in reversed(probes):
        place = _innermost(node, line)
        if place is not None:
            block, index = place
            call = ast.parse(f"{PROBE}({expression!r}, lambda: ({expression.strip()}))").body[0]
            for child in ast.walk(call):
                if hasattr(child, "lineno"):
                    ast.copy_location(child, block[index])
            leaves = isinstance(block[index], (ast.Return, ast.Raise, ast.Break, ast.Continue))
            block.insert(index if leaves else index + 1, call)
