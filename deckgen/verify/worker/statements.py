"""Statements: a snippet cut into its top-level statements, compiled one by one; and whose doing it is if one raises."""

from __future__ import annotations
import __future__

import ast
import dis
import linecache
import os
from types import CodeType
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .randomness import has_unwatched_source
from .values import torch

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
    """A call of print shows what it prints; a string in three quotes, or over lines, that stands alone is a comment."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return (value.end_col_offset or 0) - value.col_offset != len(repr(value.value).encode())
    if isinstance(value, ast.Constant):
        return value.value is ...
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


# Was it torch that raised, or the snippet's own code, Python, another package? An exception is torch's if it came out of torch's
# own files, or out of a call, an operator or an attribute in the snippet that has something of torch to work on: what is written
# in C leaves no frame behind.

FOLDER = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
SURROUNDINGS = (
    *"distributed _inductor _dynamo multiprocessing hub.py".split(),
    os.path.join("utils", "cpp_extension.py"),
)
"""Parts of torch that fail for want of other processes, a compiler or a network."""


def is_of_torch(error: BaseException, filename: str) -> bool:
    """True if a call of torch raised this in the code that stands in `filename`."""
    step, path = error.__traceback__, ""
    last: Any = None
    while step is not None:
        last, path = step, step.tb_frame.f_code.co_filename
        step = step.tb_next
        if path.startswith(FOLDER) and path[len(FOLDER) :].startswith(SURROUNDINGS):
            return False
    if last is None or path != filename:
        return path.startswith(FOLDER)
    frame = last.tb_frame
    raising = next((one for one in dis.get_instructions(frame.f_code) if one.offset == last.tb_lasti), None)
    if raising is None or raising.opname.startswith(("RAISE", "RERAISE")):  # the snippet raises it itself
        return False
    names: Dict[str, Any] = {**frame.f_globals, **frame.f_locals}
    return any(_is_torchy(node, names) for node in _nodes_at(raising, last.tb_lineno, filename))


def _nodes_at(raising: Any, line: int, filename: str) -> List[ast.expr]:
    """What the statement works on that an instruction stands for; where Python does not tell, that of its line."""
    written = linecache.getline(filename, line)
    places = getattr(raising, "positions", None)  # from Python 3.11
    lines = "".join(linecache.getlines(filename))
    text = ast.get_source_segment(lines, places) if places is not None and places.col_offset is not None else ""
    for source in (text or "", written, written.rstrip() + " pass"):
        try:
            tree = ast.parse(source.strip())
        except (SyntaxError, ValueError, RecursionError):
            continue
        found = [part for node in ast.walk(tree) for part in _parts(node, OPERANDS)]
        if found:
            return found
    return []


OPERANDS = {
    ast.AugAssign: "target value",
    ast.If: "test",
    ast.While: "test",
    ast.Assert: "test",
    ast.Expr: "value",
    ast.Assign: "value",
    ast.Return: "value",
}
"""What a statement works on: a value, what is added to in place, what is asked whether it is true."""
ASKED = {
    ast.Attribute: "value",
    ast.Subscript: "value",
    ast.Starred: "value",
    ast.Call: "func",
    ast.BinOp: "left right",
    ast.Compare: "left comparators",
    ast.UnaryOp: "operand",
}
"""What of an expression decides whom it asks."""


def _parts(node: ast.AST, fields: Dict[Any, str]) -> List[ast.expr]:
    values = [getattr(node, name) for name in fields.get(type(node), "").split()]
    return [part for value in values if value is not None for part in (value if isinstance(value, list) else [value])]


def _is_torchy(node: ast.AST, names: Dict[str, Any]) -> bool:
    """True if an expression asks something of torch: of its functions and classes, of tensors and modules."""
    if isinstance(node, ast.Name):
        return node.id in names and _belongs_to_torch(names[node.id])
    parts = _parts(node, ASKED)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in names:
        parts += node.args  # of a function of Python's own
    return any(_is_torchy(part, names) for part in parts)


def _belongs_to_torch(thing: Any) -> bool:
    """True for torch's modules, functions and classes, and for what its own classes make."""
    home = getattr(thing, "__name__", "") if type(thing).__name__ == "module" else getattr(thing, "__module__", "")
    if "torch" in (str(home or "").split(".")[0], str(type(thing).__module__).split(".")[0]):
        return True
    return isinstance(thing, (torch.Tensor, torch.nn.Module, torch.optim.Optimizer))
