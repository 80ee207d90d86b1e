"""Variables: what each statement of a snippet needs from outside and what it binds, in the order of evaluation."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

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
Visitor = Callable[[Any, list[Use]], None]


def _uses(*nodes: ast.AST) -> list[Use]:
    """Names used and bound by nodes at module level, in the order of evaluation."""
    found: list[Use] = []
    for node in nodes:
        VISITORS.get(type(node), _children)(node, found)
    return found


def _children(node: ast.AST, found: list[Use]) -> None:
    for child in ast.iter_child_nodes(node):
        VISITORS.get(type(child), _children)(child, found)


def _nothing(_node: ast.AST, _found: list[Use]) -> None:
    """Most nodes of a tree are these; to have them visited like others would cost half of the time."""


def _name(node: ast.Name, found: list[Use]) -> None:
    if not isinstance(node.ctx, ast.Store):  # `del x` needs it; and who needs it afterwards needs it from here
        found.append((node.id, "load"))
    if not isinstance(node.ctx, ast.Load):
        found.append((node.id, "bind"))


def _attribute(node: ast.Attribute, found: list[Use]) -> None:
    VISITORS.get(type(node.value), _children)(node.value, found)


def _assign(node: ast.Assign | ast.NamedExpr, found: list[Use]) -> None:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    found += _uses(node.value, *targets)


def _annotated(node: ast.AnnAssign, found: list[Use]) -> None:
    found += _uses(node.annotation)
    if node.value is not None:
        found += _uses(node.value, node.target)


def _loop(node: ast.For | ast.AsyncFor, found: list[Use]) -> None:
    found += _uses(node.iter, node.target, *node.body, *node.orelse)


def _augmented(node: ast.AugAssign, found: list[Use]) -> None:
    if isinstance(node.target, ast.Name):
        found += [(node.target.id, "load"), *_uses(node.value), (node.target.id, "bind")]
    else:
        found += _uses(node.target, node.value)


def _import(node: ast.Import | ast.ImportFrom, found: list[Use]) -> None:
    found += [(alias.asname or alias.name.split(".")[0], "bind") for alias in node.names]


def _handler(node: ast.ExceptHandler, found: list[Use]) -> None:
    if node.type is not None:
        found += _uses(node.type)
    if node.name:
        found.append((node.name, "bind"))
    found += _uses(*node.body)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, found: list[Use]) -> None:
    if not isinstance(node, ast.Lambda):
        found += [*_uses(*node.decorator_list), (node.name, "bind")]
    found += [use for use in _uses(node.args) if use[1] == "load"]
    own = _local_names(node)
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    found += [(name, "late") for name, kind in _uses(*body) if kind != "bind" and name not in own]


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
    own.update(name for name, kind in _uses(*body) if kind == "bind")
    return own - outside


def _class(node: ast.ClassDef, found: list[Use]) -> None:
    found += _uses(*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords))
    own: set[str] = set()
    for name, kind in _uses(*node.body):
        if kind == "bind":
            own.add(name)
        elif name not in own or kind == "late":
            found.append((name, kind))
    found.append((node.name, "bind"))


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, found: list[Use]) -> None:
    own: set[str] = set()
    for generator in node.generators:
        found += _foreign(own, generator.iter)
        own.update(name for name, kind in _uses(generator.target) if kind == "bind")
        found += _foreign(own, *generator.ifs)
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    found += _foreign(own, *parts)


def _foreign(own: set[str], *nodes: ast.AST) -> list[Use]:
    return [use for use in _uses(*nodes) if use[0] not in own]


VISITORS: dict[type[ast.AST], Visitor] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Constant: _nothing,
    ast.Load: _nothing,
    ast.Store: _nothing,
    ast.Assign: _assign,
    ast.NamedExpr: _assign,
    ast.AnnAssign: _annotated,
    ast.For: _loop,
    ast.AsyncFor: _loop,
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
"""What binds or uses names in an order other than that of its children, and what has none to look at."""


def imports_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                yield name, f"import {_written(alias)}"
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            origin = "." * node.level + (node.module or "")
            for alias in node.names:
                yield alias.asname or alias.name, f"from {origin} import {_written(alias)}"


def _written(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


_CLOSED = (ast.Assign, ast.Expr, ast.Try, ast.FunctionDef, ast.AsyncFunctionDef, ast.If, ast.expr)


def modules_of(body: list[ast.stmt]) -> Iterator[str]:
    """Packages imported without a `try` around: an author who catches ImportError has a plan."""
    pending: list[ast.AST] = list(body)
    for node in pending:  # which grows
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module and not node.level:
                yield node.module.split(".")[0]
        elif not isinstance(node, _CLOSED):
            pending.extend(ast.iter_child_nodes(node))
