"""A block of code as the claim forms read it: its statements, and its comments beside them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, nodes, parsed, without_magics


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
    inside: str
    """`def` if it stands in a function, `class` in a class body, else empty."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names that code binds at or above a line."""

    reading: Reading
    line: int

    def __contains__(self, name: object) -> bool:
        return self.reading.bound.get(name, self.line + 1) <= self.line  # type: ignore[call-overload,no-any-return] # any object


@dataclass(frozen=True)
class Reading:
    """Code that parses, or none of it if it does not; what many claims ask of it is found out once."""

    code: tuple[str, ...]
    lines: tuple[int, ...]
    """0-based source line of each line of `code`."""
    statements: tuple[Statement, ...]
    """Outer ones before inner ones."""
    comments: tuple[Comment, ...]

    def place(self, first: int, stop: int | None = None) -> Span:
        """The source lines of half-open code lines."""
        stop = first + 1 if stop is None else stop
        return line_span(self.lines[first]) | line_span(self.lines[stop - 1])

    def ending_at(self, line: int) -> Statement | None:
        """The innermost statement whose last line this is."""
        found = self.ending.get(line)
        return found[-1] if found else None

    @cached_property
    def ending(self) -> dict[int, list[Statement]]:
        """The statements by their last lines, outer ones before inner ones."""
        found: dict[int, list[Statement]] = {}
        for statement in self.statements:
            found.setdefault(statement.stop - 1, []).append(statement)
        return found

    def handles(self, line: int) -> bool:
        """True if a line stands in an `except`: what is printed there is the exception."""
        return any(one.lineno - 1 <= line < (one.end_lineno or one.lineno) for one in self._handlers)

    def handlers_of(self, line: int) -> tuple[int, ...]:
        """The lines where the handlers begin to do something that catch what a line raises."""
        tries = [s.node for s in self.statements if isinstance(s.node, ast.Try)]
        within = [one for one in tries if one.body[0].lineno - 1 <= line < (one.body[-1].end_lineno or 0)]
        return tuple(handler.body[0].lineno - 1 for handler in within[-1].handlers) if within else ()

    @cached_property
    def _handlers(self) -> list[ast.ExceptHandler]:
        return [one for s in self.statements if isinstance(s.node, ast.Try) for one in s.node.handlers]

    @cached_property
    def bound(self) -> dict[str, int]:
        """The line of the outermost statement that first binds each name."""
        found: dict[str, int] = {}
        inner: set[int] = set()
        for statement in self.statements:
            if id(statement.node) not in inner:
                within = nodes(statement.node)
                if not _BODIES.isdisjoint(statement.node._fields):
                    inner.update(map(id, within))
                for one in within:
                    if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                        found.setdefault(one.id, statement.start)
        return found


def read_code(code: Sequence[str], lines: Sequence[int]) -> Reading:
    """Parse code; what does not parse has no statements, and so no claims beside them."""
    text = without_magics("\n".join(code))
    tree = parsed(text)
    statements = tuple(_statements(tree.body, "")) if tree else ()
    return Reading(tuple(code), tuple(lines), statements, tuple(_comments(code, text)) if tree else ())


def _statements(body: Sequence[ast.stmt], inside: str) -> Iterator[Statement]:
    todo = [(node, inside) for node in reversed(body)]
    while todo:
        node, scope = todo.pop()
        first = node.lineno
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([first, *(decorator.lineno for decorator in node.decorator_list)])
            inner = "class" if isinstance(node, ast.ClassDef) and scope != "def" else "def"
        yield Statement(node, first - 1, node.end_lineno or node.lineno, scope)
        if not _BODIES.isdisjoint(node._fields):
            todo += [(child, inner) for child in reversed(list(_inner(node)))]


_BODIES = frozenset({"body", "handlers", "orelse", "finalbody", "cases"})


def _inner(node: ast.stmt) -> Iterator[ast.stmt]:
    for field in filter(_BODIES.__contains__, node._fields):
        for child in getattr(node, field):
            if isinstance(child, ast.stmt):
                yield child
            else:  # an except handler, a case
                yield from child.body


_HASHES = pattern(r"#+(?![>=]) ?|#(?=[>=])")
"""The mark of a comment; in `#> 1` and `#=> 1` the arrow is not part of it."""


def _comments(code: Sequence[str], text: str) -> Iterator[Comment]:
    for line, column, written in comments(text):
        mark = _HASHES.match(written)
        inner = written[mark.end() :] if mark else written
        yield Comment(line, column, inner.rstrip(), not code[line][:column].strip())


# --- what a statement does --------------------------------------------------------------------------

_PRINTERS = frozenset({"print", "pprint", "display", "pp"})


def is_print(node: ast.AST) -> bool:
    """True for `print(...)` and its like, as a call or as a statement."""
    call = node.value if isinstance(node, ast.Expr) else node
    if not isinstance(call, ast.Call):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in _PRINTERS


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


@dataclass(frozen=True, slots=True)
class Template:
    """What a print writes whatever its objects are: constant texts in order, without blanks.

    Matching is linear: each text is looked for behind the one before it.
    """

    texts: tuple[str, ...]
    """Between two of them anything may stand; an empty one at an end leaves that end open."""

    def matches(self, line: str) -> bool:
        """True if the line is what the print may have written; blanks do not count."""
        tight = "".join(line.split())
        first, *middle = self.texts
        if not tight.startswith(first):
            return False
        if not middle:
            return tight == first
        at = len(first)
        for text in middle[:-1]:
            found = tight.find(text, at)
            if found < 0:
                return False
            at = found + len(text)
        return len(tight) - at >= len(middle[-1]) and tight.endswith(middle[-1])


def template(call: ast.Call, *, bare: bool = False) -> Template | None:
    """The template of a print, or None if it says nothing: no constant words, nor, if `bare`, any punctuation."""
    parts: list[str | None] = [part for argument in call.args for part in _parts(argument)]
    if not any(part is not None and (any(map(str.isalnum, part)) or (bare and part.strip())) for part in parts):
        return None
    texts = [""]
    for part in parts:
        if part is None:
            texts.append("")
        else:
            texts[-1] += "".join(part.split())
    return Template(tuple(texts))


def _parts(node: ast.expr) -> list[str | None]:
    """Constant texts, and None for what is filled in."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.JoinedStr):
        return [part for value in node.values for part in _parts(value)]
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Constant):
        return _parts(node.value)  # `{'name':<10}`
    return [None]
