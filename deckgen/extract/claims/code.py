"""A block of code as the claim forms read it: its statements, the comments beside and below them, and what its prints write."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from textwrap import dedent
from typing import NamedTuple

from deckgen.model.source import Span, line_span
from deckgen.text import syntax
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, nodes, parsed, without_magics
from deckgen.written.lines import paragraphs


class Comment(NamedTuple):
    """One comment; `text` is without its `#` marks and the one blank after them."""

    line: int
    """0-based index into the code's lines."""
    column: int
    text: str
    alone: bool
    """True if nothing else stands on its line."""


class Statement(NamedTuple):
    """A statement at any depth. `start` and `stop` are half-open 0-based lines of the code."""

    node: ast.stmt
    start: int
    stop: int
    in_function: bool


@dataclass(frozen=True)
class CodeBlock:
    """Code with its statements and comments; of code that does not parse, what its lines are by themselves."""

    lines: tuple[str, ...]
    sources: tuple[int, ...]
    """0-based source line of each line."""
    statements: tuple[Statement, ...]
    """Outer ones before inner ones."""
    comments: tuple[Comment, ...]
    parses: bool

    def place(self, first: int, stop: int | None = None) -> Span:
        """The source lines of half-open code lines."""
        return line_span(self.sources[first]) | line_span(self.sources[(stop or first + 1) - 1])

    @cached_property
    def ending(self) -> dict[int, list[Statement]]:
        """The statements by their last lines, outer ones before inner ones."""
        found: dict[int, list[Statement]] = {}
        for statement in self.statements:
            found.setdefault(statement.stop - 1, []).append(statement)
        return found

    def is_bound(self, place: str, line: int) -> bool:
        """True for `x`, and for `x.y` and `x[0]`, if the code binds `x` at or above a line."""
        return self._bound.get(re.split(r"[.\[]", place)[0], line + 1) <= line

    @cached_property
    def _bound(self) -> dict[str, int]:
        """The line of the outermost statement that first binds each name."""
        found: dict[str, int] = {}
        for statement in self.statements:
            for one in nodes(statement.node) if statement.node.col_offset == 0 else ():
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                    found.setdefault(one.id, statement.start)
        return found

    def is_tried(self, statement: Statement) -> bool:
        """True for a statement in a `try`: an exception there is caught, and what is printed may be the exception."""
        tries = (one for one in self.statements if isinstance(one.node, ast.Try))
        return any(one.start < statement.stop and statement.start < one.stop for one in tries)


def code_block(code: Sequence[str], sources: Sequence[int]) -> CodeBlock:
    """The block that these lines are."""
    text = without_magics("\n".join(code))
    tree = parsed(text)
    statements = _statements(tree.body) if tree else _of_lines(code)
    every = (
        comments(text) if tree else (one._replace(line=at) for at, line in enumerate(code) for one in comments(line))
    )
    return CodeBlock(tuple(code), tuple(sources), tuple(statements), tuple(_comments(code, every)), tree is not None)


def _of_lines(code: Sequence[str]) -> Iterator[Statement]:
    """What lines that belong together are; what is no statement is taken for a print, or for an expression."""
    for start, stop in paragraphs(code):
        text = dedent("\n".join(code[start:stop]))
        tree = parsed(text) or parsed("print(_)" if text.startswith("print") else "_()")
        for node in tree.body if tree and not text.partition("#")[0].rstrip().endswith(":") else ():
            yield Statement(node, start, stop, code[start][:1].isspace())


def _statements(body: Sequence[ast.stmt]) -> Iterator[Statement]:
    todo = [(node, False) for node in reversed(body)]
    while todo:
        node, inside = todo.pop()
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        yield Statement(node, first - 1, node.end_lineno or node.lineno, inside)
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        bodies = (getattr(node, field, ()) for field in ("body", "handlers", "orelse", "finalbody", "cases"))
        inner = (child for within in bodies for child in within)
        flat = [one for child in inner for one in ([child] if isinstance(child, ast.stmt) else child.body)]
        todo += [(child, inside) for child in reversed(flat)]


_HASHES = pattern(r"#+(?![>=]) ?|#(?=[>=])")
"""The mark of a comment; in `#> 1` and `#=> 1` the arrow is not part of it."""


def _comments(code: Sequence[str], every: Iterable[syntax.Comment]) -> Iterator[Comment]:
    for line, column, written in every:
        mark = _HASHES.match(written)
        yield Comment(line, column, written[mark.end() if mark else 0 :].rstrip(), not code[line][:column].strip())


# --- what a statement does --------------------------------------------------------------------------


def is_print(node: ast.AST) -> bool:
    """True for `print(...)` and its like, as a call or as a statement."""
    call = node.value if isinstance(node, ast.Expr) else node
    if not isinstance(call, ast.Call):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in ("print", "pprint", "display", "pp")


def prints_inside(node: ast.AST) -> list[ast.Call]:
    """The calls of print within a statement, in order of their lines."""
    found = [child for child in nodes(node) if isinstance(child, ast.Call) and is_print(child)]
    return sorted(found, key=lambda call: (call.lineno, call.col_offset))


def assigned(node: ast.stmt) -> str | None:
    """The text of what an assignment binds: `y`, `self.w`, `(a, b)`; None for other statements."""
    match node:
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return target.id if isinstance(target, ast.Name) else ast.unparse(target)
        case _:
            return None


def is_literal(node: ast.expr | None) -> bool:
    """True for a constant or a display of constants: such a right-hand side computes nothing."""
    try:
        ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


_DTYPE_CALLS = frozenset({"get_default_dtype", "result_type", "promote_types"})


def shows_dtype(node: ast.expr | None) -> bool:
    """True for an expression that is a dtype, for a text that ends with one, and for a print of either."""
    match node:
        case ast.Call(args=[*_, last]) if is_print(node):
            return shows_dtype(last)
        case ast.JoinedStr(values=[*_, ast.FormattedValue(value=value)]):
            return shows_dtype(value)
        case ast.Attribute(attr=name):
            return name == "dtype"
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _DTYPE_CALLS
        case _:
            return False


# --- what a print writes ----------------------------------------------------------------------------


def fits(text: str, call: ast.Call) -> bool:
    """True if a text has the constant words of a print where it writes them: `a: 3` for `print(f"a: {x}")`. Blanks do not count."""
    first, *others = words = _template(call)
    tight = "".join(text.split())
    if not any(map(str.isalnum, "".join(words))) or not tight.startswith(first):
        return False
    if not others:
        return tight == first
    at = len(first)
    for part in others[:-1]:
        found = tight.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(tight) - at >= len(others[-1]) and tight.endswith(others[-1])


def _template(call: ast.Call) -> list[str]:
    """The constant texts of a print without their blanks, in order; between two of them anything may stand."""
    texts = [""]
    for part in (part for argument in call.args for part in _parts(argument)):
        if part is None:
            texts.append("")
        else:
            texts[-1] += "".join(part.split())
    return texts


def _parts(node: ast.expr) -> list[str | None]:
    """Constant texts, and None for what is filled in."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.JoinedStr):
        return [part for value in node.values for part in _parts(value)]
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Constant):
        return _parts(node.value)  # `{'name':<10}`
    return [None]
