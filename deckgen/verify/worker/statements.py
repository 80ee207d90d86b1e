"""Statements: a snippet cut into its top-level statements, compiled one by one."""

from __future__ import annotations
import __future__

import ast
from types import CodeType
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .randomness import UNWATCHED_TEXT, has_unwatched_source

PROBE = "__deckgen_probe__"

Probe = Tuple[int, str]


class Statement(NamedTuple):
    """One top-level statement; lines are 0-based indices into the snippet's code."""

    first: int
    last: int
    code: CodeType
    is_expression: bool
    shows: bool
    """The value of this expression statement is worth an event."""
    assigned: Tuple[str, ...]
    probes: Tuple[str, ...]
    """Expressions to evaluate once it has run."""
    unwatched: bool
    """It may draw randomness that no generator's state betrays."""


class UnreadableError(Exception):
    """A statement that parses but does not compile (`return` outside a function)."""

    def __init__(self, first: int, last: int, error: SyntaxError) -> None:
        super().__init__(str(error))
        self.first, self.last, self.error = first, last, error


class Cutter:
    """Cuts snippets of one session; remembers `from __future__ import ...` as a notebook does."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.flags = 0
        self._suspicious = False
        self._awaits = False

    def cut(self, code: str, offset: int, probes: Sequence[Probe]) -> List[Any]:
        """`Statement`s and `UnreadableError`s in order; `offset` lines of the session's file come before."""
        tree = ast.parse(code, self.filename)
        self.flags |= future_flags(tree)
        wanted = assign_probes(tree, probes)
        self._suspicious = UNWATCHED_TEXT.search(code) is not None
        self._awaits = "await " in code or "async " in code
        cut: List[Any] = []
        for node in tree.body:
            first, last = span(node)
            after, inside = wanted.get(id(node), ([], []))
            try:
                cut.append(self._compile(node, offset, after, inside))
            except (SyntaxError, ValueError, RecursionError) as error:
                cut.append(UnreadableError(first, last, _syntax_error(error)))
        return cut

    def _compile(self, node: ast.stmt, offset: int, after: List[str], inside: List[Probe]) -> Statement:
        first, last = span(node)
        facts = {
            "shows": isinstance(node, ast.Expr) and not _says_nothing(node.value),
            "assigned": assigned_names(node),
            "unwatched": self._suspicious and has_unwatched_source(node),
        }
        if inside:
            insert_probes(node, inside)
        if offset:
            ast.increment_lineno(node, offset)
        is_expression = isinstance(node, ast.Expr)
        tree: Any = ast.Expression(node.value) if isinstance(node, ast.Expr) else ast.Module([node], [])
        mode = "eval" if is_expression else "exec"
        flags = self.flags | (ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if self._awaits else 0)
        code = compile(tree, self.filename, mode, flags=flags, dont_inherit=True)
        return Statement(first, last, code, is_expression, probes=tuple(after), **facts)  # type: ignore[arg-type]


def _syntax_error(error: Exception) -> SyntaxError:
    return error if isinstance(error, SyntaxError) else SyntaxError(str(error))


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


def future_flags(tree: ast.Module) -> int:
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                feature = getattr(__future__, alias.name, None)
                flags |= feature.compiler_flag if feature is not None else 0
    return flags


def assigned_names(node: ast.stmt) -> Tuple[str, ...]:
    """Names that a top-level assignment (also inside `with`, `for`, `if`) binds, in order."""
    found: Dict[str, None] = {}
    if isinstance(node, (ast.Expr, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
        return ()
    pending: List[ast.AST] = [node]
    while pending:
        current = pending.pop(0)
        if isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(current, ast.expr_context):
            continue
        if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Store):
            found[current.id] = None
        pending.extend(ast.iter_child_nodes(current))
    return tuple(found)


def assign_probes(tree: ast.Module, probes: Sequence[Probe]) -> Dict[int, Tuple[List[str], List[Probe]]]:
    """For each top-level statement (by id): probes to take after it, and probes to take within it."""
    wanted: Dict[int, Tuple[List[str], List[Probe]]] = {}
    for line, expression in dict.fromkeys((int(line), str(text)) for line, text in probes):
        node = _statement_at(tree.body, line)
        if node is None or not _is_expression(expression):
            continue
        after, inside = wanted.setdefault(id(node), ([], []))
        if _innermost(node, line) is None:
            after.append(expression)
        else:
            inside.append((line, expression))
    return wanted


def _statement_at(body: Sequence[ast.stmt], line: int) -> Optional[ast.stmt]:
    """The statement that holds a line; for a comment line of its own, the one before it."""
    found = None
    for node in body:
        if span(node)[0] > line:
            break
        found = node
    return found


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _blocks(node: ast.AST) -> Iterator[List[ast.stmt]]:
    """Every list of statements inside a compound statement, at any depth."""
    for child in ast.walk(node):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(child, name, None)
            if isinstance(block, list):
                yield block


def _innermost(node: ast.AST, line: int) -> Optional[Tuple[List[ast.stmt], int]]:
    """Block and index of the last simple statement inside `node` that starts at or before a line."""
    best: Optional[Tuple[List[ast.stmt], int]] = None
    start = -1
    for block in _blocks(node):
        for index, inner in enumerate(block):
            first = span(inner)[0]
            if not hasattr(inner, "body") and start < first <= line:
                best, start = (block, index), first
    return best


def insert_probes(node: ast.stmt, probes: Sequence[Probe]) -> None:
    """Put a call of the probe after the innermost statement that holds its line."""
    for line, expression in reversed(probes):
        place = _innermost(node, line)
        if place is not None:
            block, index = place
            leaves = isinstance(block[index], (ast.Return, ast.Raise, ast.Break, ast.Continue))
            block.insert(index if leaves else index + 1, _probe_call(block[index], expression))


def _probe_call(near: ast.stmt, expression: str) -> ast.stmt:
    call = ast.parse(f"{PROBE}({expression!r}, lambda: ({expression.strip()}))").body[0]
    for child in ast.walk(call):
        if hasattr(child, "lineno"):
            ast.copy_location(child, near)
    return call
