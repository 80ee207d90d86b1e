"""Names: what each statement of a snippet needs from outside and what it binds, in the order of evaluation."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}


@dataclass(frozen=True, slots=True)
class Uses:
    """What one top-level statement has to do with names."""

    first: int
    """Its first line, from 0."""
    loads: frozenset[str]
    """Names that must exist when it runs, whoever binds them."""
    binds: frozenset[str]
    modules: tuple[str, ...]
    """Packages that it imports."""
    acts: bool
    """False for imports, definitions and bare texts: running them alone shows nothing."""


@dataclass(slots=True)
class Names:
    """Ordered binding of one module: which names it needs from outside, and which it binds.

    Order matters at module level (a notebook runs from top to bottom); what a function's body needs may
    be bound later, but before the snippet ends.
    """

    bound: dict[str, None] = field(default_factory=dict)
    needed: dict[str, None] = field(default_factory=dict)
    late: dict[str, None] = field(default_factory=dict)
    statements: list[Uses] = field(default_factory=list)

    def module(self, tree: ast.Module) -> None:
        for node in tree.body:
            self._statement(node)
        self.late = {name: None for name in self.late if name not in self.bound and name not in BUILTINS}

    def _statement(self, node: ast.stmt) -> None:
        loads, binds = set(), set()
        for name, kind in _uses(node):
            if kind == "bind":
                self.bound[name] = None
                binds.add(name)
            elif kind == "late":
                self.late[name] = None
            elif name not in binds and name not in BUILTINS:
                loads.add(name)
                if name not in self.bound:
                    self.needed[name] = None
        modules = tuple(dict.fromkeys(modules_of([node])))
        acts = not isinstance(node, PASSIVE) and not _is_text(node)
        self.statements.append(Uses(node.lineno - 1, frozenset(loads), frozenset(binds), modules, acts))


PASSIVE = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


Use = tuple[str, Literal["load", "bind", "late"]]


def _uses(node: ast.AST) -> Iterator[Use]:
    """Names used and bound by a node at module level, in the order of evaluation."""
    visit = VISITORS.get(type(node))
    if visit is not None:
        yield from visit(node)
    else:
        yield from _children(node)


def _children(node: ast.AST) -> Iterator[Use]:
    for child in ast.iter_child_nodes(node):
        yield from _uses(child)


def _name(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.Name)  # noqa: S101 (by the table)
    if not isinstance(node.ctx, ast.Store):  # `del x` needs it; and who needs it afterwards needs it from here
        yield node.id, "load"
    if not isinstance(node.ctx, ast.Load):
        yield node.id, "bind"


def _assign(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.Assign | ast.AnnAssign | ast.For | ast.AsyncFor | ast.NamedExpr)  # noqa: S101
    value = node.iter if isinstance(node, ast.For | ast.AsyncFor) else node.value
    if isinstance(node, ast.AnnAssign):
        yield from _uses(node.annotation)
    if value is not None:
        yield from _uses(value)
    elif isinstance(node, ast.AnnAssign):
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        yield from _uses(target)
    if isinstance(node, ast.For | ast.AsyncFor):
        for inner in [*node.body, *node.orelse]:
            yield from _uses(inner)


def _augmented(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.AugAssign)  # noqa: S101
    if isinstance(node.target, ast.Name):
        yield node.target.id, "load"
    else:
        yield from _uses(node.target)
    yield from _uses(node.value)
    if isinstance(node.target, ast.Name):
        yield node.target.id, "bind"


def _import(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.Import | ast.ImportFrom)  # noqa: S101
    for alias in node.names:
        yield alias.asname or alias.name.split(".")[0], "bind"


def _handler(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.ExceptHandler)  # noqa: S101
    if node.type is not None:
        yield from _uses(node.type)
    if node.name:
        yield node.name, "bind"
    for inner in node.body:
        yield from _uses(inner)


def _function(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)  # noqa: S101
    if not isinstance(node, ast.Lambda):
        for decorator in node.decorator_list:
            yield from _uses(decorator)
        yield node.name, "bind"
    yield from ((name, kind) for name, kind in _children(node.args) if kind == "load")
    own = _local_names(node)
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    for inner in body:
        for name, kind in _uses(inner):
            if kind != "bind" and name not in own:
                yield name, "late"


def _local_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    own = {argument.arg for argument in [*plain, arguments.vararg, arguments.kwarg] if argument is not None}
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    outside: set[str] = set()
    for inner in body:
        for child in ast.walk(inner):
            if isinstance(child, ast.Global):
                outside.update(child.names)
        own.update(name for name, kind in _uses(inner) if kind == "bind")
    return own - outside


def _class(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.ClassDef)  # noqa: S101
    for part in [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]:
        yield from _uses(part)
    own: set[str] = set()
    for inner in node.body:
        for name, kind in _uses(inner):
            if kind == "bind":
                own.add(name)
            elif name not in own or kind == "late":
                yield name, kind
    yield node.name, "bind"


def _comprehension(node: ast.AST) -> Iterator[Use]:
    assert isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp)  # noqa: S101
    own: set[str] = set()
    for generator in node.generators:
        yield from ((name, kind) for name, kind in _uses(generator.iter) if name not in own)
        own.update(name for name, kind in _uses(generator.target) if kind == "bind")
        for condition in generator.ifs:
            yield from ((name, kind) for name, kind in _uses(condition) if name not in own)
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    for part in parts:
        yield from ((name, kind) for name, kind in _uses(part) if name not in own)


VISITORS = {
    ast.Name: _name,
    ast.Assign: _assign,
    ast.AnnAssign: _assign,
    ast.NamedExpr: _assign,
    ast.For: _assign,
    ast.AsyncFor: _assign,
    ast.AugAssign: _augmented,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.ExceptHandler: _handler,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.Lambda: _function,
    ast.ClassDef: _class,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
}
"""What binds or uses names in an order other than that of its children."""


def imports_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                yield name, ast.unparse(ast.Import([alias]))
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for alias in node.names:
                line = ast.unparse(ast.ImportFrom(node.module, [alias], node.level))
                yield alias.asname or alias.name, line


def modules_of(body: list[ast.stmt]) -> Iterator[str]:
    """Packages imported without a `try` around: an author who catches ImportError has a plan."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module and not node.level:
                yield node.module.split(".")[0]
        elif not isinstance(node, ast.Try | ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.expr):
            pending.extend(ast.iter_child_nodes(node))
