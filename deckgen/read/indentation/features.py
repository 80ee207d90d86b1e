"""What a logical line tells about where it may be indented to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckgen.read.indentation.pylines import Logical
from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted, nodes

TERMINATORS = frozenset(("return", "raise", "break", "continue"))
FLOW = frozenset(("if", "elif", "else", "for", "while", "with", "try", "except", "finally", "match", "case"))


_MISSING = pattern(r"if\s+(?:not\s+(\w+)|(\w+)\s+is\s+None)\s*:")
_OF_CLASSES = pattern(
    r"@\s*(?:(?:abc\.)?abstract\w+|staticmethod|classmethod|(?:functools\.)?cached_property|property|\w+\.(?:setter|getter|deleter))\b"
)
_MAIN = pattern(r"if\s*\(?\s*__name__\s*==")


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
    missing: str = ""
    """`h` of `if h is None:`."""


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
        main=line.kind == "if" and bool(_MAIN.match(line.text)),
        method=line.kind == "def" and "self" in params,
        member=(line.kind == "def" and "self" in params)
        or (line.kind == "decorator" and _OF_CLASSES.match(line.text) is not None),
        missing=found[1] or found[2] if line.kind == "if" and (found := _MISSING.match(line.text)) else "",
    )


def _added(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, ast.AugAssign):
        return _stored(node.target)
    call = node.value if isinstance(node, ast.Expr) else None
    function = call.func if isinstance(call, ast.Call) else None
    if not isinstance(function, ast.Attribute) or function.attr not in ("append", "extend", "add"):
        return frozenset()
    return frozenset({function.value.id}) if isinstance(function.value, ast.Name) else frozenset()


def _own(node: ast.stmt, kind: str) -> Iterator[ast.AST]:
    """The parts of a statement that stand on its own line."""
    if kind in ("elif", "else") and isinstance(node, ast.If):
        yield from node.orelse
    elif kind in ("except", "finally") and isinstance(node, ast.Try):
        yield from (handler.type for handler in node.handlers if handler.type is not None)
    elif kind == "decorator" and isinstance(node, ast.FunctionDef):
        yield from node.decorator_list
    else:
        yield node


def _definition(node: ast.stmt, kind: str) -> tuple[str, frozenset[str]]:
    if kind == "def" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = [n.arg for n in nodes(node.args) if isinstance(n, ast.arg)]
        return node.name, frozenset(arguments)
    if kind == "class" and isinstance(node, ast.ClassDef):
        return node.name, frozenset()
    if kind == "for" and isinstance(node, ast.For | ast.AsyncFor):
        return "", _stored(node.target)
    if kind == "with" and isinstance(node, ast.With | ast.AsyncWith):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        return "", frozenset().union(*map(_stored, targets))
    return "", frozenset()


def _stored(target: ast.expr) -> frozenset[str]:
    return frozenset(n.id for n in nodes(target) if isinstance(n, ast.Name))


def _super(inner: Sequence[ast.AST]) -> frozenset[str]:
    """Names in `super(Net, self)`: a class may well name itself there."""
    return frozenset(
        argument.id
        for call in inner
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "super"
        for argument in call.args[:1]
        if isinstance(argument, ast.Name)
    )


def _imported(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return frozenset()


def _shape(line: Logical, node: ast.stmt) -> tuple[str, ...]:
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        return (
            line.kind,
            dotted(target).split(".")[0] if isinstance(target, ast.Attribute) else "",
            _callee(node.value),
        )
    if isinstance(node, ast.AugAssign):
        return (line.kind, dotted(node.target))
    if isinstance(node, ast.Expr):
        return (line.kind, _callee(node.value), "constant" if _printed_text(node) else "")
    return (line.kind,)


def _callee(value: ast.expr) -> str:
    return dotted(value.func) if isinstance(value, ast.Call) else type(value).__name__


def _printed_text(node: ast.stmt) -> str:
    """The text of `print("...")` or `print("-" * 40)`."""
    call = getattr(node, "value", None)
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        return ""
    argument = call.args[0]
    if isinstance(argument, ast.BinOp):
        argument = argument.left
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""
