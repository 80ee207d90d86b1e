"""What a logical line tells about where it may be indented to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckgen.read.reindent.logical import Logical
from deckgen.text.syntax import dotted, nodes

TERMINATORS = frozenset(("return", "raise", "break", "continue"))
FLOW = frozenset(("if", "elif", "else", "for", "while", "with", "try", "except", "finally", "match", "case"))


_OF_CLASSES = ("@staticmethod", "@classmethod", "@property", "@abstract")


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One logical line, as the search over depths sees it."""

    kind: str
    header: bool
    uses: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    name: str = ""
    """Of a function or class."""
    params: frozenset[str] = frozenset()
    """Parameters of a function, targets of a loop, names after `as`."""
    shape: tuple[str, ...] = ()
    """Lines of one shape often stand at one depth."""
    text: str = ""
    """A string that is printed, if nothing else is."""
    adds: frozenset[str] = frozenset()
    """What it adds to: `total` of `total += x`, `found` of `found.append(x)`."""
    final: bool = False
    """A return with which its function may end: below it stands a definition, or nothing."""
    main: bool = False
    """`if __name__ == "__main__":`."""
    method: bool = False
    """A function with `self`."""
    member: bool = False
    """What a class alone has: a function with `self`, `@staticmethod`, `@property`."""


def feature(line: Logical) -> Feature:
    node = line.node
    if node is None:
        return Feature(line.kind, line.header)
    inner = [n for part in _own(node, line.kind) for n in nodes(part)]
    names = [n for n in inner if isinstance(n, ast.Name)]
    name, params = _definition(node, line.kind)
    return Feature(
        kind="ellipsis" if line.text == "..." else line.kind,
        header=line.header,
        uses=frozenset(n.id for n in names if isinstance(n.ctx, ast.Load)) - _super(inner),
        binds=frozenset(n.id for n in names if not isinstance(n.ctx, ast.Load)) | _imported(node) | {name} - {""},
        name=name,
        params=params,
        shape=_shape(line, node),
        text=_printed_text(node) if line.kind == "print" else "",
        adds=_added(node),
        main=line.text.startswith("if __name__"),
        method=line.kind == "def" and "self" in params,
        member=(line.kind == "def" and "self" in params) or line.text.startswith(_OF_CLASSES),
    )


def _added(node: ast.stmt) -> frozenset[str]:
    match node:
        case ast.AugAssign(target=ast.Name(id=name)):
            return frozenset({name})
        case ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" | "add"))):
            return frozenset({name})
        case _:
            return frozenset()


def _own(node: ast.stmt, kind: str) -> Iterator[ast.AST]:
    """The parts of a statement that stand on its own line."""
    match kind, node:
        case (("elif" | "else"), ast.If()):
            yield from node.orelse
        case (("except" | "finally"), ast.Try()):
            yield from (handler.type for handler in node.handlers if handler.type is not None)
        case "decorator", ast.FunctionDef():
            yield from node.decorator_list
        case _:
            yield node


def _definition(node: ast.stmt, kind: str) -> tuple[str, frozenset[str]]:
    match kind, node:
        case "def", (ast.FunctionDef() | ast.AsyncFunctionDef()):
            return node.name, frozenset(n.arg for n in nodes(node.args) if isinstance(n, ast.arg))
        case "class", ast.ClassDef():
            return node.name, frozenset()
        case "for", (ast.For() | ast.AsyncFor()):
            return "", _names(node.target)
        case "with", (ast.With() | ast.AsyncWith()):
            return "", _names(*(item.optional_vars for item in node.items if item.optional_vars))
        case _:
            return "", frozenset()


def _names(*targets: ast.expr) -> frozenset[str]:
    return frozenset(n.id for target in targets for n in nodes(target) if isinstance(n, ast.Name))


def _super(inner: Sequence[ast.AST]) -> frozenset[str]:
    """Names in `super(Net, self)`: a class may well name itself there."""
    calls = (call for call in inner if isinstance(call, ast.Call) and dotted(call.func) == "super")
    return _names(*(argument for call in calls for argument in call.args[:1]))


def _imported(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return frozenset()


def _shape(line: Logical, node: ast.stmt) -> tuple[str, ...]:
    match node:
        case ast.Assign(targets=[target, *_]):
            owner = dotted(target).split(".")[0] if isinstance(target, ast.Attribute) else ""
            return (line.kind, owner, _callee(node.value))
        case ast.AugAssign():
            return (line.kind, dotted(node.target))
        case ast.Expr():
            return (line.kind, _callee(node.value), "constant" if _printed_text(node) else "")
        case _:
            return (line.kind,)


def _callee(value: ast.expr) -> str:
    return dotted(value.func) if isinstance(value, ast.Call) else type(value).__name__


def _printed_text(node: ast.stmt) -> str:
    """The text of `print("...")` or `print("-" * 40)`."""
    match node:
        case ast.Expr(ast.Call(args=[ast.Constant(str(text)) | ast.BinOp(left=ast.Constant(str(text)))])):
            return text
        case _:
            return ""
